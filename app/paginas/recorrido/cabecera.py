"""The top of a run's page: where it stands, who has the ball, and what may be done with the whole of it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.paginas.recorrido.foto import Foto
from app.paginas.recorrido.mandar import mandar
from app.piezas import base, enlaces, formato, recorridos, sesion
from app.piezas.situaciones import RECORRIDOS, distintivo
from app.piezas.texto import neutralizar
from nucleo.recorridos.comandos import Comando, TipoComando
from nucleo.recorridos.estado import Recorrido
from nucleo.recorridos.motor import Pelota

DE_QUIEN = {
    Pelota.PERSONA: "una persona",
    Pelota.INSTALACION: "el programa",
}
SIMPLES = {
    TipoComando.PAUSAR: ("Pausar", "En pausa."),
    TipoComando.REANUDAR: ("Reanudar", "Sigue."),
    TipoComando.ARCHIVAR: ("Archivar", "Archivado."),
    TipoComando.DESARCHIVAR: ("Sacar del archivo", "Fuera del archivo."),
}
"""Orders that need no more than a button: its label and what is said when it is done."""


def cabecera(inicio: StreamlitPage, foto: Foto) -> None:
    """Title, facts and orders."""
    st.header(neutralizar(foto.plan.titulo), anchor=False)
    st.markdown(" · ".join(_hechos(foto)))
    consulta = enlaces.a_objeto(foto.recorrido.dominio, foto.recorrido.objeto_id)
    if consulta:
        st.page_link(inicio, label="Ver la licitación", icon=":material/description:", query_params=consulta)
    with st.container(key="acciones", horizontal=True, vertical_alignment="center", gap="small"):
        _ordenes(foto)
        _expediente(foto.recorrido.id)


def _hechos(foto: Foto) -> list[str]:
    recorrido = foto.recorrido
    hechos = [
        distintivo(RECORRIDOS[recorrido.estado]),
        tiene_la_pelota(recorrido, foto.vista.pelota),
        plazo_de(recorrido),
        f"plan, versión {recorrido.plan_version}",
        f"revisión {recorrido.revision}",
    ]
    if recorrido.archivado is not None:
        hechos.insert(1, f"archivado el {formato.fecha(recorrido.archivado)}")
    if foto.plan.plantilla:
        hechos.append(f"plantilla {neutralizar(foto.plan.plantilla)}")
    return hechos


def tiene_la_pelota(recorrido: Recorrido, pelota: Sequence[Pelota]) -> str:
    """«Tiene la pelota: una persona y el agente «guia»», as Markdown."""
    if not pelota:
        return "nadie tiene nada que hacer"
    coordinador = f"el agente «{neutralizar(recorrido.coordinador, 80)}»"
    return "**tiene la pelota** " + " y ".join(DE_QUIEN.get(p, coordinador) for p in pelota)


def plazo_de(recorrido: Recorrido) -> str:
    """The deadline in the time of Madrid; one that has passed says so, and decides nothing by itself."""
    if recorrido.vence is None:
        return "sin plazo"
    ahora = base.ahora()
    fuera = "**fuera de plazo**, " if recorrido.vence <= ahora else ""
    return f"{fuera}vence el {formato.fecha_hora(recorrido.vence)} ({formato.faltan(recorrido.vence, ahora)})"


def _ordenes(foto: Foto) -> None:
    rid, revision = foto.recorrido.id, foto.recorrido.revision
    for tipo, (rotulo, hecho) in SIMPLES.items():
        if tipo in foto.de_todos and st.button(rotulo, key=f"orden_{tipo.value}"):
            orden = Comando(comando_id="sin-poner", tipo=tipo, revision=revision)
            mandar(foto.cliente, rid, orden, hecho)
    if TipoComando.CANCELAR in foto.de_todos:
        with st.popover("Cancelar el recorrido"), st.form("cancelar", border=False, enter_to_submit=False):
            st.markdown("No se puede deshacer, y lo que ya se hizo fuera tampoco se deshace.")
            motivo = st.text_input("Por qué", max_chars=2_000, key="cancelar_motivo")
            if st.form_submit_button("Cancelar para siempre"):
                orden = Comando(
                    comando_id="sin-poner",
                    tipo=TipoComando.CANCELAR,
                    revision=revision,
                    mensaje=motivo.strip(),
                )
                mandar(foto.cliente, rid, orden, "Cancelado.")


def _expediente(rid: str) -> None:
    """Made when it is asked for, which is in another thread, for whoever this page is."""
    huella = sesion.de_esta_pestana()
    st.download_button(
        "Evidencia (HTML)",
        lambda: _exportar(huella, rid, "html"),
        f"{rid}.html",
        "text/html",
        key="expediente_html",
        on_click="ignore",
    )
    st.download_button(
        "Evidencia (JSON)",
        lambda: _exportar(huella, rid, "json"),
        f"{rid}.json",
        "application/json",
        key="expediente_json",
        on_click="ignore",
    )


def _exportar(huella: str, rid: str, formato_: str) -> bytes:
    with recorridos.cliente(huella) as cliente:
        return cliente.exportar(rid, "html" if formato_ == "html" else "json")
