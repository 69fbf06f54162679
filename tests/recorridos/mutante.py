"""One deliberate bug."""

from __future__ import annotations

from typing import NamedTuple


class Mutante(NamedTuple):
    """`fichero`: inside nucleo/recorridos; `antes` must be there just once."""

    nombre: str
    fichero: str
    antes: str
    despues: str
