"""The script that Streamlit runs for every session: it sets the page up and shows the view that the link asks."""

from __future__ import annotations

import logging
from pathlib import Path

import streamlit as st

from app.paginas import (
    agentes,
    bandeja,
    cola,
    licitacion,
    oportunidades,
    perfil,
    recorrido,
    recorridos,
    usuarios,
)
from app.permisos import PAGINAS
from app.piezas import enlaces, estilo, navegacion, sesion
from app.piezas.texto import neutralizar
from nucleo.errores import ErrorSobre


def vista() -> None:
    """The one page: which view it shows depends on the link."""
    estilo.aplicar()
    if not sesion.abrir():
        sesion.cerrada()
        return
    enlaces.mantener_direccion()
    try:
        pedida = st.query_params.get(enlaces.VISTA)
        actual = pedida if pedida in VISTAS else None
        sesion.exigir(PAGINAS[actual])
        navegacion.anotar_vista(actual)
        navegacion.enlaces_entre_vistas(INICIO, actual)
        VISTAS.get(pedida, oportunidades).mostrar(INICIO)
    except ErrorSobre as error:
        st.error(neutralizar(error.mensaje))
    except Exception:
        logging.getLogger("sobre.web").exception("No se ha podido mostrar %s", st.query_params.to_dict())
        st.error(
            "No se ha podido mostrar esta página: es un fallo del programa, y queda anotado en su registro."
            " Vuelve a la lista sin filtros o prueba con otra licitación."
        )


VISTAS = {
    enlaces.LICITACION: licitacion,
    enlaces.PERFIL: perfil,
    enlaces.AGENTES: agentes,
    enlaces.COLA: cola,
    enlaces.BANDEJA: bandeja,
    enlaces.RECORRIDOS: recorridos,
    enlaces.RECORRIDO: recorrido,
    enlaces.USUARIOS: usuarios,
}
INICIO = st.Page(vista, title="Sobre Abierto", default=True)
st.set_page_config(
    page_title="Sobre Abierto", page_icon=str(Path(__file__).parent / "piezas" / "icono.svg"), layout="wide"
)
st.navigation([INICIO], position="hidden").run()
