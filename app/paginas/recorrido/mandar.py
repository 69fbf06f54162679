"""Sending what a person decides, and keeping what was answered until it has been read."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app.paginas.recorrido import mirada
from app.piezas.recorridos import clave_de
from app.piezas.texto import neutralizar
from nucleo.errores import ErrorSobre
from nucleo.recorridos.cliente import Cliente
from nucleo.recorridos.comandos import Comando

_DICHO = "recorrido_dicho"


def mandar(cliente: Cliente, rid: str, orden: Comando, hecho: str) -> None:
    """Give the order and draw again: with `hecho` said in passing, or with the refusal in its place.

    `orden` comes without an identifier of its own; the same order on the same basis always gets the same one.
    """
    propia = orden.model_copy(
        update={"comando_id": clave_de(rid, orden.model_dump_json(exclude={"comando_id"}))}
    )
    intentar(lambda: cliente.mandar(rid, propia), hecho)


def intentar(hacer: Callable[[], object], hecho: str) -> None:
    """Do it and draw again; raises only Streamlit's own signal to do so."""
    try:
        hacer()
    except ErrorSobre as error:
        st.session_state[_DICHO] = error.mensaje
    else:
        st.session_state.pop(_DICHO, None)
        mirada.soltar()
        st.toast(hecho)
    st.rerun()


def decir_lo_rechazado() -> None:
    """Why the last order was refused, once."""
    if dicho := st.session_state.pop(_DICHO, None):
        st.error(f"No se ha hecho: {neutralizar(dicho)} Nada ha cambiado, y lo que hayas escrito sigue aquí.")
