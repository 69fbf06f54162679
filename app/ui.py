"""The script that Streamlit runs for every session: it sets the page up and shows the view that the link asks."""

from __future__ import annotations

import sys
from pathlib import Path

# Streamlit puts this folder, not the project's, on the path; an installed wheel is found without it.
_RAIZ = str(Path(__file__).resolve().parent.parent)
if _RAIZ not in sys.path:
    sys.path.append(_RAIZ)

import streamlit as st  # noqa: E402

from app.paginas import licitacion, oportunidades  # noqa: E402
from app.piezas import enlaces, estilo  # noqa: E402
from app.piezas.texto import neutralizar  # noqa: E402
from nucleo.errores import ErrorSobre  # noqa: E402


def vista() -> None:
    """The one page: which view it shows depends on the link."""
    estilo.aplicar()
    enlaces.mantener_direccion()
    try:
        if st.query_params.get(enlaces.VISTA) == enlaces.LICITACION:
            licitacion.mostrar(INICIO)
        else:
            oportunidades.mostrar(INICIO)
    except ErrorSobre as error:
        st.error(neutralizar(error.mensaje))


INICIO = st.Page(vista, title="Sobre Abierto", default=True)
st.set_page_config(
    page_title="Sobre Abierto", page_icon=str(Path(__file__).parent / "piezas" / "icono.svg"), layout="wide"
)
st.navigation([INICIO], position="hidden").run()
