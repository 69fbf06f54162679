"""What is written at once, and what is read of one instant."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from nucleo.bd import transaccion
from nucleo.errores import ErrorBaseDatos
from nucleo.recorridos.errores import ErrorRecorrido


@contextmanager
def escritura(con: sqlite3.Connection) -> Iterator[None]:
    """One transaction that excludes other writers.

    Raises ErrorRecorrido OCUPADO when its turn does not come, and ErrorBaseDatos when the disk takes no more.
    """
    try:
        with transaccion(con):
            yield
    except sqlite3.OperationalError as error:
        match error.sqlite_errorcode & 0xFF:
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                raise ErrorRecorrido(
                    "OCUPADO", "La base de datos está ocupada: repite lo mismo dentro de un momento."
                ) from error
            case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
                raise ErrorBaseDatos(
                    "No se ha podido guardar y no ha cambiado nada: haz sitio en el disco y repite lo mismo."
                ) from error
        raise


@contextmanager
def instantanea(con: sqlite3.Connection) -> Iterator[None]:
    """Several reads of one instant; within a transaction, that one."""
    if con.in_transaction:
        yield
        return
    con.execute("BEGIN")
    try:
        yield
    finally:
        con.execute("COMMIT")
