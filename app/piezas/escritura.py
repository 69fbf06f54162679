"""The one way in which a page changes something: who does it is asked of the store, and it is written down."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from app.permisos import ACCIONES, Accion
from app.piezas import base, sesion
from nucleo.personas import auditoria
from nucleo.personas.auditoria import Hecho


class Firma(NamedTuple):
    """A connection to write with, and whose name to sign with."""

    con: sqlite3.Connection
    persona: str


@contextmanager
def en_licitaciones(accion: Accion, objeto: str) -> Iterator[Firma]:
    """Write in the tenders' database. Raises SinPermiso before opening anything."""
    persona = _autorizar(accion)
    with base.escritura() as con:
        yield Firma(con, persona)
    _anotar(accion, objeto, persona)


@contextmanager
def en_comun(accion: Accion, objeto: str) -> Iterator[Firma]:
    """Write in the shared database. Raises SinPermiso before opening anything."""
    persona = _autorizar(accion)
    with base.nucleo_escritura() as con:
        yield Firma(con, persona)
    _anotar(accion, objeto, persona)


@contextmanager
def en_personas(accion: Accion) -> Iterator[Firma]:
    """Write accounts, which leave their own facts with what there was before. Raises SinPermiso."""
    persona = _autorizar(accion)
    with base.nucleo_escritura() as con:
        yield Firma(con, persona)


def _autorizar(accion: Accion) -> str:
    return sesion.exigir(ACCIONES[accion]).usuario


def _anotar(accion: Accion, objeto: str, persona: str) -> None:
    with base.nucleo_escritura() as con:
        auditoria.anotar(
            con,
            Hecho(quien=persona, que=accion.value, objeto=objeto, desde=sesion.desde(), cuando=base.ahora()),
        )
