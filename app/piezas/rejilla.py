"""A short table that a person fills in, row by row, and what is left of it once blanks are taken out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import NamedTuple

import streamlit as st
from pydantic import BaseModel


class Clase(Enum):
    """What a column takes."""

    TEXTO = "texto"
    EUROS = "euros"
    ENTERO = "entero"
    DIA = "dia"
    SI_NO = "si_no"
    CODIGOS = "codigos"
    """Several codes, with commas in between."""


class Columna(NamedTuple):
    """A field of each row."""

    rotulo: str
    clase: Clase = Clase.TEXTO


_VACIA = [None]
"""A blank row where there is none: without values, a column has no type and cannot be edited."""
Columnas = Mapping[str, Columna]


def rejilla(clave: str, filas: Sequence[BaseModel], columnas: Columnas) -> list[dict[str, object]]:
    """The rows as they are now, without the empty ones nor what is blank in the others."""
    datos = {n: [_a_celda(getattr(f, n), c.clase) for f in filas] or _VACIA for n, c in columnas.items()}
    editados = st.data_editor(
        datos,
        key=clave,
        num_rows="dynamic",
        hide_index=True,
        width="stretch",
        placeholder="—",
        height=min(36 * (len(filas) + 2) + 4, 260),
        column_config={n: _configuracion(c) for n, c in columnas.items()},
    )
    largo = max((len(valores) for valores in editados.values()), default=0)
    todas = [
        {n: v for n, c in columnas.items() if (v := _de_celda(editados[n][i], c.clase)) is not None}
        for i in range(largo)
    ]
    return [fila for fila in todas if any(valor is not False for valor in fila.values())]


def _configuracion(columna: Columna) -> object:
    match columna.clase:
        case Clase.EUROS:
            return st.column_config.NumberColumn(columna.rotulo, min_value=0, step=0.01, format="localized")
        case Clase.ENTERO:
            return st.column_config.NumberColumn(columna.rotulo, min_value=0, step=1, format="%d")
        case Clase.DIA:
            return st.column_config.DateColumn(columna.rotulo, format="DD/MM/YYYY")
        case Clase.SI_NO:
            return st.column_config.CheckboxColumn(columna.rotulo, default=False)
        case _:
            return st.column_config.TextColumn(columna.rotulo)


def _a_celda(valor: object, clase: Clase) -> object:
    if isinstance(valor, Decimal):
        return float(valor)
    return ", ".join(map(str, valor)) if clase is Clase.CODIGOS and isinstance(valor, tuple) else valor


def _de_celda(valor: object, clase: Clase) -> object:
    """None for a blank, in any of the ways in which a table of data says it (None, NaN, NaT, blanks)."""
    if valor is None or valor != valor:  # noqa: PLR0124 - only NaN and NaT differ from themselves
        return None
    leido = _LECTURAS[clase](valor)
    return None if leido in ("", []) else leido


def euros(valor: float | None) -> Decimal | None:
    """Whole cents of what a number box holds."""
    return None if valor is None else Decimal(f"{valor:.2f}")


_LECTURAS: Mapping[Clase, Callable[[object], object]] = {
    Clase.TEXTO: lambda valor: str(valor).strip(),
    Clase.EUROS: lambda valor: euros(float(str(valor))),
    Clase.ENTERO: lambda valor: int(float(str(valor))),
    Clase.DIA: lambda valor: valor if isinstance(valor, date) else str(valor),
    Clase.SI_NO: bool,
    Clase.CODIGOS: lambda valor: [c.strip() for c in str(valor).split(",") if c.strip()],
}
