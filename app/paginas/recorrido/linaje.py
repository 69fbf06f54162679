"""Where a run comes from and what came out of it."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.paginas.recorrido.foto import Foto
from app.piezas import enlaces, formato
from app.piezas.texto import neutralizar
from nucleo.recorridos.enlaces.modelo import Enlace

HIJOS = 20


def linaje(inicio: StreamlitPage, foto: Foto) -> None:
    """Nothing when it is alone."""
    padre, hijos = foto.vista.padre, foto.vista.hijos
    if padre is None and not hijos:
        return
    st.subheader("De dónde viene y qué ha salido de él", anchor=False)
    if padre is not None:
        _enlace(inicio, foto, padre, padre.padre)
    for hijo in hijos[:HIJOS]:
        _enlace(inicio, foto, hijo, hijo.hijo)
    if len(hijos) > HIJOS:
        st.caption(f"Y {len(hijos) - HIJOS} más, anteriores.")


def _enlace(inicio: StreamlitPage, foto: Foto, enlace: Enlace, otro: str) -> None:
    de_donde = "Viene de" if otro == enlace.padre else "De aquí salió"
    titulo = foto.cliente.leer(otro).plan.titulo
    st.page_link(
        inicio,
        label=f"{de_donde}: {neutralizar(titulo)}",
        icon=":material/north_west:" if otro == enlace.padre else ":material/south_east:",
        query_params=enlaces.a_recorrido(otro),
    )
    st.caption(
        f"{neutralizar(enlace.motivo, 300)} · {neutralizar(enlace.autor.nombre, 80)},"
        f" {formato.fecha_hora(enlace.creado)}"
    )
