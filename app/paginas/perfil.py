"""Perfil: the company's profile as fields to fill in, what it lacks, its versions, and YAML in and out."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.paginas import escapadas
from app.paginas.perfil_formulario import ROTULOS, campos
from app.permisos import Accion
from app.piezas import base, escritura, formato
from app.piezas.navegacion import recien_llegado
from app.piezas.tablas import celda, tabla
from app.piezas.texto import neutralizar
from nucleo.empresa import servicio
from nucleo.empresa.almacen import PerfilGuardado, VersionPerfil
from nucleo.empresa.faltas import Falta, faltas
from nucleo.empresa.modelo import Empresa
from nucleo.empresa.servicio import PerfilCambiado
from nucleo.empresa.yaml import exportar, importar, interpretar_datos
from nucleo.perfil_yaml import PerfilNoValido, decodificar
from nucleo.reloj import MADRID

_EDITADA = "perfil_editado"
"""Key in the session: the version that this tab shows and edits; 0 = there was none."""
NOTA_MAX = 200
PESTANAS = ("Editar", "Qué falta", "Lo que se escapó", "Versiones", "YAML")


def mostrar(inicio: StreamlitPage) -> None:
    """The whole view."""
    with base.nucleo() as con:
        versiones = servicio.versiones(con)
        editada = _version_editada(versiones)
        perfil = servicio.version(con, editada) if editada else None
    with base.conexion() as con:
        sin_atender = escapadas.sin_atender(con)
    with st.container(key="vista"):
        st.header("Perfil de la empresa", anchor=False)
        pendientes = faltas(perfil.empresa, base.ahora().astimezone(MADRID).date()) if perfil else ()
        st.caption(_cabecera(perfil, len(pendientes)) + _se_escaparon(sin_atender))
        with st.container(key="aviso_de_version"):  # always there, so that what follows keeps its place
            _avisar_si_hay_otra(versiones, editada)
        editar, falta, escaparon, anteriores, en_yaml = st.tabs(PESTANAS)
        with editar:
            _editar(perfil)
        with falta:
            _que_falta(perfil, pendientes)
        with escaparon:
            escapadas.mostrar(inicio)
        with anteriores:
            _versiones(versiones)
        with en_yaml:
            _yaml(perfil)


def _version_editada(versiones: tuple[VersionPerfil, ...]) -> int:
    """The one that this tab began with: newer ones are told, not put under what somebody is typing."""
    ultima = versiones[0].version if versiones else 0
    if recien_llegado() or _EDITADA not in st.session_state:
        st.session_state[_EDITADA] = ultima
    return int(st.session_state[_EDITADA])


def _cabecera(perfil: PerfilGuardado | None, faltan: int) -> str:
    if perfil is None:
        return "Aún no hay perfil. Rellénalo o impórtalo de YAML; bastan el nombre y el NIF para empezar."
    cabecera = perfil.cabecera
    nota = f": {neutralizar(cabecera.nota, NOTA_MAX)}" if cabecera.nota else ""
    return (
        f"Versión {cabecera.version}, del {formato.fecha_hora(cabecera.creado)},"
        f" de {neutralizar(cabecera.autor, 60)}{nota}"
        f" · {'no falta nada' if not faltan else f'faltan o han caducado {faltan} cosas'}"
    )


def _se_escaparon(cuantas: int) -> str:
    return f" · se escaparon {cuantas}, sin atender" if cuantas else ""


def _avisar_si_hay_otra(versiones: tuple[VersionPerfil, ...], editada: int) -> None:
    if not versiones or versiones[0].version == editada:
        return
    otra = versiones[0]
    st.warning(
        f"Hay una versión más nueva, la {otra.version}, de {neutralizar(otra.autor, 60)}"
        f" ({formato.fecha_hora(otra.creado)}). Lo que se ve aquí es la {editada} con tus cambios sin guardar:"
        " no se puede guardar encima."
    )
    if st.button(f"Ver la versión {otra.version} (se pierde lo escrito aquí)"):
        _editar_desde(otra.version)


def _editar_desde(version: int) -> None:
    st.session_state[_EDITADA] = version
    st.rerun()


def _editar(perfil: PerfilGuardado | None) -> None:
    editada = perfil.cabecera.version if perfil else 0
    with st.form(f"perfil_{editada}", border=False):
        datos = campos(perfil.empresa if perfil else None, f"perfil_{editada}")
        nota = st.text_input("Nota del cambio", max_chars=NOTA_MAX, placeholder="Seguro renovado…")
        pulsado = st.form_submit_button("Guardar como versión nueva", type="primary")
        st.caption(_FIRMA)
    if pulsado:
        try:
            empresa = interpretar_datos(datos, "El formulario")
        except PerfilNoValido as error:
            st.error("No se ha guardado:\n\n" + "\n".join(f"- {frase}" for frase in _frases(error)))
            return
        _guardar(empresa, nota, editada)


_FIRMA = (
    "Cada versión se firma con el nombre de quien la guarda. Lo que no se escribe no se sabe, y nada lo supone."
    " Ningún agente cambia este perfil; los firmantes, los competidores y los NIF no llegan a ninguno."
)


def _frases(error: PerfilNoValido) -> list[str]:
    """What is wrong, by the name that each field has on the screen."""
    frases = []
    for problema in error.problemas:
        campo = problema.campo.split(".")[0].split("[")[0]
        rotulo = ROTULOS.get(campo)
        resto = problema.campo.removeprefix(campo).lstrip(".")
        donde = f"**{rotulo}** {neutralizar(resto)}".strip() if rotulo else neutralizar(problema.campo)
        frases.append(
            f"{donde}: {neutralizar(problema.mensaje, 300)}" if donde else neutralizar(problema.mensaje)
        )
    return frases


def _guardar(empresa: Empresa, nota: str, sobre: int) -> None:
    try:
        with escritura.en_comun(Accion.GUARDAR_EMPRESA, f"sobre la versión {sobre}") as firma:
            guardado, nueva = servicio.guardar(
                firma.con, empresa, firma.persona, " ".join(nota.split()), base.ahora(), sobre
            )
    except PerfilCambiado as error:
        st.error(neutralizar(error.mensaje))
        return
    numero = guardado.cabecera.version
    st.toast(f"Guardada la versión {numero}." if nueva else f"Nada cambia: sigue la versión {numero}.")
    _editar_desde(numero)


def _que_falta(perfil: PerfilGuardado | None, pendientes: tuple[Falta, ...]) -> None:
    if perfil is None:
        st.markdown("Sin perfil no se puede comprobar nada.")
        return
    if not pendientes:
        st.markdown("No falta nada de lo que las comprobaciones miran.")
        return
    for comprobacion in dict.fromkeys(f.comprobacion for f in pendientes):
        st.markdown(f"**{comprobacion[:1].upper()}{comprobacion[1:]}**")
        suyas = [f for f in pendientes if f.comprobacion == comprobacion]
        tabla(("Campo", "Qué falta"), ((_campo(f.campo), celda(f.mensaje)) for f in suyas))
    st.caption("Una falta no impide nada: dice qué no se podrá comprobar.")


def _campo(escrito: str) -> str:
    campo = escrito.split(".", maxsplit=1)[0].split("[", maxsplit=1)[0]
    return ROTULOS.get(campo) or celda(escrito)


def _versiones(versiones: tuple[VersionPerfil, ...]) -> None:
    if not versiones:
        st.markdown("Todavía ninguna.")
        return
    tabla(
        ("Versión", "Cuándo", "Quién", "Nota"),
        (
            (
                str(v.version),
                formato.fecha_hora(v.creado),
                celda(v.autor),
                neutralizar(v.nota, NOTA_MAX) or "—",
            )
            for v in versiones[:200]
        ),
    )
    elegida = st.selectbox(
        "Ver entera", [v.version for v in versiones], index=None, placeholder="Elige una versión", width=240
    )
    if elegida is not None:
        with base.nucleo() as con:
            st.code(exportar(servicio.version(con, elegida).empresa), language=None)


def _yaml(perfil: PerfilGuardado | None) -> None:
    if perfil is not None:
        st.download_button(
            "Descargar empresa.yaml",
            exportar(perfil.empresa),
            "empresa.yaml",
            "text/plain",
            on_click="ignore",
        )
        st.caption("Lleva firmantes, NIF y competidores: guárdalo donde solo lo lea quien deba.")
    editada = perfil.cabecera.version if perfil else 0
    with st.form(f"perfil_yaml_{editada}", clear_on_submit=True):
        fichero = st.file_uploader("Importar de YAML", type=["yaml", "yml"], max_upload_size=1)
        nota = st.text_input("Nota del cambio", max_chars=NOTA_MAX, key=f"nota_yaml_{editada}")
        pulsado = st.form_submit_button("Importar como versión nueva")
        st.caption("Un fichero con errores se rechaza entero, con la línea y el remedio de cada uno.")
    if pulsado and fichero is None:
        st.error("Elige antes un fichero.")
    elif pulsado and fichero is not None:
        try:
            empresa = importar(decodificar(fichero.getvalue(), fichero.name), fichero.name)
        except PerfilNoValido as error:
            st.error(neutralizar(error.mensaje))
            return
        _guardar(empresa, nota, editada)
