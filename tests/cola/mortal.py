"""A database connection that dies at a chosen statement, as a process that is killed there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any


class Caida(BaseException):
    """The process is no more: nothing that it would have done next happens."""


class ConexionMortal(sqlite3.Connection):
    """Dies before its statement number `quedan` from now (None = never), and stays dead."""

    quedan: int | None = None

    def execute(self, sql: str, parameters: Iterable[Any] = (), /) -> sqlite3.Cursor:
        if self.quedan is not None:
            if self.quedan <= 0:
                raise Caida
            self.quedan -= 1
        return super().execute(sql, parameters)  # type: ignore[arg-type]


def conectar_mortal(fichero: Path) -> ConexionMortal:
    """As nucleo.bd.conectar, with what the queue asks of the disk."""
    con = sqlite3.connect(fichero, timeout=5, isolation_level=None, factory=ConexionMortal)
    con.execute("PRAGMA journal_mode=WAL")
    con.execute("PRAGMA synchronous=OFF")  # the test kills a connection, not the machine
    con.execute("PRAGMA foreign_keys=ON")
    return con
