"""HTML put together so that no text can become markup: only what is made here is `Html`, the rest is escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

_INVISIBLES = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]"
)
"""Control characters, and those that hide text or turn its direction round: a reader must see that they are there."""


class Html(str):
    """Markup made by this program. A plain `str` is always somebody's text."""

    __slots__ = ()


Pieza = Html | str


def elemento(etiqueta: str, *dentro: Pieza, **atributos: str) -> Html:
    """`<etiqueta atributo="…">…</etiqueta>`; `clase` stands for `class`."""
    marcas = "".join(f' {"class" if k == "clase" else k}="{escapar(v)}"' for k, v in atributos.items())
    return Html(f"<{etiqueta}{marcas}>{''.join(map(escapar, dentro))}</{etiqueta}>")


def escapar(pieza: Pieza) -> str:
    """As it can go into a page: markup as it is, text escaped and with its hidden characters in sight."""
    if isinstance(pieza, Html):
        return pieza
    return html.escape(_INVISIBLES.sub(lambda m: f"⟨U+{ord(m[0]):04X}⟩", pieza), quote=True)


def juntar(piezas: Iterable[Pieza]) -> Html:
    """One after another."""
    return Html("".join(map(escapar, piezas)))


def parrafo(*dentro: Pieza, clase: str = "") -> Html:
    """A paragraph."""
    return elemento("p", *dentro, clase=clase) if clase else elemento("p", *dentro)


def seccion(ancla: str, titulo: str, *dentro: Pieza) -> Html:
    """A section with its heading, which the index leads to."""
    return elemento("section", elemento("h2", titulo), *dentro, id=ancla)


def tabla(cabeceras: tuple[str, ...], filas: Iterable[tuple[Pieza, ...]], vacia: str) -> Html:
    """A table, or the sentence that says that there is nothing."""
    cuerpo = [elemento("tr", *(elemento("td", celda) for celda in fila)) for fila in filas]
    if not cuerpo:
        return parrafo(vacia, clase="nada")
    cabeza = elemento("tr", *(elemento("th", c, scope="col") for c in cabeceras))
    return elemento("table", elemento("thead", cabeza), elemento("tbody", *cuerpo))


def pares(datos: Iterable[tuple[str, Pieza]]) -> Html:
    """Names and values."""
    return elemento(
        "dl", *(juntar((elemento("dt", nombre), elemento("dd", valor))) for nombre, valor in datos)
    )
