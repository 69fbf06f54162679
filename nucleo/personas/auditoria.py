"""What people did: who, what, about what, before and after, from where, when. Nothing is ever changed in it."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import Annotated

from pydantic import Field

from nucleo.modelo import Modelo
from nucleo.personas import almacen


class Hecho(Modelo):
    """`antes` and `despues` are short texts without secrets; `desde`: an address, «web» or «máquina»."""

    quien: str
    que: str
    objeto: str
    antes: str | None = None
    despues: str | None = None
    desde: str = "web"
    cuando: datetime


class Busqueda(Modelo):
    """`texto` is looked for in who, what and about what; the newest come first."""

    texto: str | None = None
    limite: Annotated[int, Field(ge=1, le=1000)] = 100


def anotar(con: sqlite3.Connection, hecho: Hecho) -> None:
    """Write it down, in the caller's transaction if there is one."""
    almacen.anotar(con, tuple(hecho.model_dump().values()))


def buscar(con: sqlite3.Connection, busqueda: Busqueda) -> tuple[Hecho, ...]:
    """The newest first."""
    nombres = tuple(Hecho.model_fields)
    return tuple(
        Hecho.model_validate(dict(zip(nombres, fila, strict=True)))
        for fila in almacen.hechos(con, busqueda.texto, busqueda.limite)
    )
