"""Tables as Markdown, made of cells that are already safe Markdown; what is not known says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from app.piezas.formato import NO_CONSTA
from app.piezas.texto import neutralizar

LARGO_DE_CELDA = 1500
"""Characters of published text shown in a cell; the rest is in the source, one link away."""


def celda(texto: str | None) -> str:
    """Published text as a cell."""
    return neutralizar(texto, LARGO_DE_CELDA) if texto else f":gray[{NO_CONSTA}]"


def tabla(cabeceras: Sequence[str], filas: Iterable[Sequence[str]]) -> None:
    """A table with our own headings."""
    lineas = [f"| {' | '.join(cabeceras)} |", f"|{'---|' * len(cabeceras)}"]
    lineas += [f"| {' | '.join(fila)} |" for fila in filas]
    st.markdown("\n".join(lineas))


def datos(pares: Iterable[tuple[str, str]]) -> None:
    """Facts by name, two columns."""
    with st.container(key=_siguiente_clave("datos")):
        tabla(("Dato", "Valor"), ((nombre, valor) for nombre, valor in pares))


def _siguiente_clave(prefijo: str) -> str:
    """A key that is new within this run of the script (the style sheet finds the container by its prefix)."""
    usadas: int = st.session_state.get("_claves", 0) + 1
    st.session_state["_claves"] = usadas
    return f"{prefijo}_{usadas}"
