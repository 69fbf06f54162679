"""Cola de IA: what the agents' jobs are doing, what waits and why, what is stopped and what it costs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.paginas import trabajo
from app.paginas.costes import dinero, tabla_de_costes
from app.permisos import Accion
from app.piezas import base, enlaces, escritura, formato
from app.piezas.texto import neutralizar
from nucleo.cola import servicio, vista
from nucleo.cola.ajustes import contexto_configurado
from nucleo.cola.gasto import almacen as gasto
from nucleo.cola.gasto.almacen import Por
from nucleo.cola.modelo import Ambito, EstadoTrabajo, Freno, Trabajo
from nucleo.cola.reglas import Contexto, inicio_del_dia
from nucleo.cola.vista import EnMarcha, EstadoCola
from nucleo.configuracion import configuracion
from nucleo.errores import ErrorConfiguracion
from nucleo.hermes.perfiles import Hermes, leer_hermes

DIAS_DE_COSTE = 30
GRUPOS = 50
CON_PLURAL = frozenset(
    {EstadoTrabajo.PENDIENTE, EstadoTrabajo.HECHO, EstadoTrabajo.FALLIDO, EstadoTrabajo.CANCELADO}
)
"""States whose word has a plural."""
_POR = {Por.TIPO: "tipo de trabajo", Por.OBJETO: "objeto", Por.MODELO: "modelo"}
COMO_CONFIGURAR = """**No hay ningún Hermes configurado**: los trabajos esperan, sin gastar intentos.

1. Instala Hermes y sus perfiles: `deploy/hermes` trae las plantillas y `docs/hermes.md` dice cómo.
2. Escribe un fichero con la dirección y la clave de cada perfil, y señálalo con `SOBRE_HERMES`.
3. Da a cada perfil su token: `sobre agente crear licitaciones --permiso leer:licitaciones --permiso
   proponer:licitaciones`.
4. Vuelve a arrancar. Lo que espera empieza solo."""


SIMULADO = (
    "Hay trabajos hechos por el **sustituto simulado** de Hermes, que sigue reglas sencillas sin ningún modelo. Cada"
    " trabajo dice en sus intentos quién lo hizo."
)


def mostrar(inicio: StreamlitPage) -> None:
    """The list, or one job when the link says which."""
    contexto, hermes = _configuracion()
    with st.container(key="vista"):
        if pedido := st.query_params.get("id"):
            trabajo.mostrar(inicio, pedido, contexto, hermes.moneda)
        else:
            _todo(inicio, contexto, hermes)


def _configuracion() -> tuple[Contexto, Hermes]:
    """What the settings say; when the file of profiles is wrong that is told, and no profile counts."""
    conf = configuracion()
    try:
        return contexto_configurado(conf), leer_hermes(conf.hermes)
    except ErrorConfiguracion as error:
        st.error(neutralizar(error.mensaje))
        return contexto_configurado(conf.model_copy(update={"hermes": None})), Hermes()


def _todo(inicio: StreamlitPage, contexto: Contexto, hermes: Hermes) -> None:
    with base.nucleo() as con:
        visto = vista.estado(con, base.tipos_de_trabajo(), contexto, base.ahora())
    st.header("Cola de IA", anchor=False)
    st.caption(_resumen(visto, contexto, hermes.moneda))
    if configuracion().hermes is None:
        st.info(COMO_CONFIGURAR)
    if visto.simulado:
        st.warning(SIMULADO)
    if visto.aviso_gasto:
        st.warning(neutralizar(visto.aviso_gasto))
    _frenos(visto.frenos)
    _lista(inicio, "En marcha", ((m.trabajo, _marcha(m), _lapso(m.segundos)) for m in visto.en_marcha))
    esperan = ((e.trabajo, neutralizar(e.motivo or "Le toca enseguida."), "espera") for e in visto.esperan)
    _lista(inicio, "Esperan, por su orden", esperan)
    fallidos = ((t, neutralizar(t.motivo, 300), "fallido") for t in visto.fallidos)
    _lista(inicio, "Fallidos", fallidos)
    terminados = ((t, neutralizar(t.motivo, 300), t.estado.value) for t in visto.terminados)
    _lista(inicio, "Terminados", terminados)
    _costes(hermes.moneda)


def _marcha(uno: EnMarcha) -> str:
    return f"Intento {uno.intento}, {neutralizar(uno.estado)}; callado {_lapso(uno.callado_s)}"


def _resumen(visto: EstadoCola, contexto: Contexto, moneda: str) -> str:
    cuentas = [
        f"{neutralizar(tipo)}: " + ", ".join(_cuantos(n, estado) for estado, n in de_tipo.items())
        for tipo, de_tipo in visto.cuentas.items()
    ] or ["Vacía"]
    gastado = [
        f"{cuando} {dinero(cuanto, 2)}" + (f" de {dinero(tope, 2)}" if tope is not None else "")
        for cuando, cuanto, tope in (
            ("hoy", visto.gasto.dia, contexto.topes.dia),
            ("este mes", visto.gasto.mes, contexto.topes.mes),
        )
    ]
    a_la_vez = f"{contexto.a_la_vez} a la vez como mucho"
    return " · ".join([*cuentas, f"gastado ({moneda}) {', '.join(gastado)}", a_la_vez])


def _cuantos(cuantos: int, estado: str) -> str:
    """«3 pendientes», «1 hecho», «2 en curso»."""
    return f"{cuantos} {estado.replace('_', ' ')}{'s' if cuantos != 1 and estado in CON_PLURAL else ''}"


def _frenos(frenos: tuple[Freno, ...]) -> None:
    """What is stopped, each with its button; and the one to stop everything."""
    for numero, freno in enumerate(frenos):
        with st.container(key=f"freno_{numero}", horizontal=True, vertical_alignment="center"):
            hasta = f" Hasta {formato.fecha_hora(freno.hasta)}." if freno.hasta else " Hasta que se reanude."
            st.markdown(f":orange-badge[Parado] {neutralizar(freno.motivo)}{hasta}")
            if st.button("Reanudar", key=f"reanudar_{numero}"):
                _reanudar(freno.ambito, freno.nombre)
    if not any(f.ambito is Ambito.COLA for f in frenos) and st.button("Pausar toda la cola"):
        with escritura.en_comun(Accion.MANDAR_EN_LA_COLA, "pausar la cola") as firma:
            servicio.pausar(firma.con, Ambito.COLA, "", base.ahora())
        st.rerun()


def _reanudar(ambito: Ambito, nombre: str) -> None:
    with escritura.en_comun(Accion.MANDAR_EN_LA_COLA, f"reanudar {ambito} {nombre}".strip()) as firma:
        servicio.reanudar(firma.con, ambito, nombre, base.ahora())
    st.rerun()


def _lista(inicio: StreamlitPage, titulo: str, filas: Iterable[tuple[Trabajo, str, str]]) -> None:
    """Jobs, each with what is to be said of it and a word for where it is; nothing when there is none."""
    todas = list(filas)
    if not todas:
        return
    ultimas = f", los {vista.LISTA} primeros" if len(todas) == vista.LISTA else ""
    st.subheader(f"{titulo} ({len(todas)}{ultimas})", anchor=False)
    with st.container(key=f"lista_{titulo.split(maxsplit=1)[0].strip(',').lower()}", gap=None):
        for uno, dicho, donde in todas:
            with st.container(key=f"fila_{uno.id}", gap=None):
                st.page_link(
                    inicio,
                    label=f"{uno.id} · {neutralizar(uno.tipo)} · {neutralizar(uno.objeto, 120)}",
                    query_params=enlaces.a_trabajo(uno.id),
                )
                st.markdown(dicho or _cuando_acabo(uno))
                st.markdown("\n".join(f"- {dato}" for dato in _a_la_derecha(uno, donde)))


def _cuando_acabo(uno: Trabajo) -> str:
    return f"Acabó el {formato.fecha_hora(uno.terminado)}." if uno.terminado else "Sin acabar."


def _a_la_derecha(uno: Trabajo, donde: str) -> tuple[str, str, str]:
    vence = f"vence {formato.fecha(uno.vence)}" if uno.vence else "sin plazo"
    intentos = "1 intento" if uno.intentos == 1 else f"{uno.intentos} intentos"
    return f"**{donde}** *{vence}*", f"**clase {uno.clase}** *{intentos}*", formato.fecha_hora(uno.creado)


def _lapso(segundos: float) -> str:
    return formato.duracion(timedelta(seconds=segundos))


def _costes(moneda: str) -> None:
    st.subheader(f"Costes de {DIAS_DE_COSTE} días", anchor=False)
    por = st.selectbox(
        "Por", [p.value for p in Por], format_func=lambda p: _POR[Por(p)], key="costes_por", width=220
    )
    ahora = base.ahora()
    desde = inicio_del_dia(ahora) - timedelta(days=DIAS_DE_COSTE - 1)
    with base.nucleo() as con:
        sumas = gasto.sumar(con, Por(por), desde, ahora + timedelta(days=1), GRUPOS)
    tabla_de_costes(sumas, moneda)
