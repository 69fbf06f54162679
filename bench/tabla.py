"""The one table of results: what was measured, against which target, and whether it is met."""

from __future__ import annotations

import os
import platform
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

INICIO = "<!-- tabla: la escribe «make bench ESCRIBIR=1» -->"
FIN = "<!-- fin de la tabla -->"


@dataclass(frozen=True)
class Fila:
    """One measurement. `valor` and `objetivo` are texts with their unit; `cumple` is None when there is no target."""

    nombre: str
    valor: str
    objetivo: str = "—"
    cumple: bool | None = None
    detalle: str = ""


def como_mucho(nombre: str, medido: float, limite: float, unidad: str, detalle: str = "") -> Fila:
    """A row that is met when `medido` <= `limite` (`unidad`: "×", "ms", "MB"…)."""
    return Fila(nombre, numero(medido, unidad), f"≤ {numero(limite, unidad)}", medido <= limite, detalle)


def al_menos(nombre: str, medido: float, limite: float, unidad: str, detalle: str = "") -> Fila:
    """A row that is met when `medido` >= `limite`."""
    return Fila(nombre, numero(medido, unidad), f"≥ {numero(limite, unidad)}", medido >= limite, detalle)


def numero(valor: float, unidad: str) -> str:
    """Three significant digits below a hundred, whole and grouped above: "2.41 ×", "4 120 entradas/s"."""
    cifras = f"{valor:.3g}" if abs(valor) < 100 else f"{valor:,.0f}".replace(",", " ")
    return f"{cifras} {unidad}".strip()


def en_markdown(filas: Sequence[Fila]) -> str:
    """The table as GitHub-flavoured Markdown."""
    signos = {True: "sí", False: "**no**", None: "—"}
    cuerpo = [f"| {f.nombre} | {f.valor} | {f.objetivo} | {signos[f.cumple]} | {f.detalle} |" for f in filas]
    return "\n".join(["| medida | valor | objetivo | cumple | cómo |", "|---|--:|--:|:-:|---|", *cuerpo])


def maquina() -> str:
    """Where it was measured: cores, Python and SQLite; nothing that identifies the machine."""
    return (
        f"{os.cpu_count()} núcleos, Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}, {platform.system()} {platform.machine()}"
    )


def insertar(documento: str, contenido: str) -> str:
    """`documento` with what lies between the two marks replaced. Raises ValueError when the marks are missing."""
    antes, inicio, resto = documento.partition(INICIO)
    _, fin, despues = resto.partition(FIN)
    if not inicio or not fin:
        raise ValueError("el documento no tiene las marcas de la tabla")
    return f"{antes}{INICIO}\n{contenido}\n{FIN}{despues}"
