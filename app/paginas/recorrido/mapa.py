"""The picture of a run, and the list of its steps, which says the same in words and is where one is chosen."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.paginas.recorrido.foto import Foto
from app.piezas import enlaces
from app.piezas.grafo import frase, mermaid
from app.piezas.pasos import camino, linea_de_paso
from app.piezas.texto import neutralizar

ALTO = 460


def mapa(inicio: StreamlitPage, foto: Foto, elegido: str) -> None:
    """Both, one under the other."""
    estados = foto.recorrido.pasos
    with st.container(border=True, height=ALTO, key="grafo"):
        st.mermaid_chart(
            mermaid(foto.plan, estados),
            alt=frase(foto.plan.titulo, foto.recorrido, foto.plan),
        )
    st.caption("Línea gruesa: camino andado. Fina: por andar. De puntos: no elegido. La lista dice lo mismo.")
    st.subheader("Pasos", anchor=False)
    numeros = {p.id: n for n, p in enumerate(foto.plan.pasos, start=1)}
    trabajos = {t.id: t.titulo for t in foto.plan.trabajos}
    with st.container(key="pasos", gap=None):
        for paso in foto.plan.pasos:
            este = paso.id == elegido
            with st.container(key=f"paso_{'elegido_' if este else ''}{paso.id}", gap=None):
                marca = " ◂ a la vista" if este else ""
                st.page_link(
                    inicio,
                    label=f"{numeros[paso.id]} · {neutralizar(paso.titulo)}{marca}",
                    query_params=enlaces.a_recorrido(foto.recorrido.id, paso.id),
                )
                st.markdown(linea_de_paso(paso, estados, trabajos) + camino(paso, foto.plan, estados))
