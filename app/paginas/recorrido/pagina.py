"""The page of a run, put together."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.paginas.recorrido.avisos import avisos, continuaciones
from app.paginas.recorrido.cabecera import cabecera
from app.paginas.recorrido.foto import Foto, leer
from app.paginas.recorrido.historia import historia
from app.paginas.recorrido.linaje import linaje
from app.paginas.recorrido.mapa import mapa
from app.paginas.recorrido.panel import panel
from app.paginas.recorrido.propuesta import propuesta
from app.piezas import enlaces, recorridos

_ELEGIDO = "recorrido_paso_elegido"


def mostrar(inicio: StreamlitPage) -> None:
    """The run that the link says. Raises ErrorRecorrido for the caller to say."""
    with st.container(key="vista"):
        with st.container(key="navegacion_recorrido", horizontal=True, gap="small"):
            st.page_link(
                inicio,
                label="Volver a la bandeja",
                icon=":material/arrow_back:",
                query_params={enlaces.VISTA: enlaces.BANDEJA},
            )
            st.page_link(
                inicio, label="Todos los recorridos", query_params={enlaces.VISTA: enlaces.RECORRIDOS}
            )
        with recorridos.cliente() as cliente:
            foto = leer(cliente, st.query_params.get("id", ""))
            _todo(inicio, foto)
    recorridos.vigilar(foto.recorrido.id, foto.vista.cambio)


def _todo(inicio: StreamlitPage, foto: Foto) -> None:
    elegido = _elegido(foto)
    cabecera(inicio, foto)
    with st.container(key="por_decidir"):  # always there, so that the panel keeps its place
        propuesta(foto)
        avisos(foto)
    izquierda, derecha = st.columns((11, 10), gap="large")
    with izquierda, st.container(key="panel"):
        panel(foto, elegido)
    with derecha:
        mapa(inicio, foto, elegido)
    continuaciones(foto)
    linaje(inicio, foto)
    historia(foto)


def _elegido(foto: Foto) -> str:
    """The step of the link; without one, the most urgent when this tab arrived: it does not jump by itself."""
    if pedido := st.query_params.get("paso"):
        return pedido
    guardado = st.session_state.get(_ELEGIDO)
    if isinstance(guardado, tuple) and guardado[0] == foto.recorrido.id and foto.paso(guardado[1]):
        return str(guardado[1])
    elegido = foto.paso_por_defecto()
    st.session_state[_ELEGIDO] = (foto.recorrido.id, elegido)
    return elegido
