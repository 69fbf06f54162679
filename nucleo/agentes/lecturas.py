"""Read-only connections that each thread keeps: opening one anew costs as much as what a tool then reads with it."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

from nucleo.bd import conectar_lectura


class Lecturas:
    """The connections of every thread; one is opened again when its file was replaced by another (a restored copy)."""

    def __init__(self) -> None:
        self._propias = threading.local()

    def de(self, fichero: Path) -> sqlite3.Connection:
        """This thread's connection to that file. It is lent: whoever asks does not close it.

        Raises ErrorBaseDatos when there is no database yet.
        """
        abiertas = self._abiertas()
        inodo, con = abiertas.get(fichero, (None, None))
        if con is None or inodo != _inodo(fichero):
            if con is not None:
                con.close()
                del abiertas[fichero]
            con = conectar_lectura(fichero)
            abiertas[fichero] = (_inodo(fichero), con)
        return con

    def cerrar(self) -> None:
        """Close those of this thread: no other may."""
        abiertas = self._abiertas()
        for _, con in abiertas.values():
            con.close()
        abiertas.clear()

    def _abiertas(self) -> dict[Path, tuple[int | None, sqlite3.Connection]]:
        if not hasattr(self._propias, "abiertas"):
            self._propias.abiertas = {}
        abiertas: dict[Path, tuple[int | None, sqlite3.Connection]] = self._propias.abiertas
        return abiertas


def _inodo(fichero: Path) -> int | None:
    try:
        return fichero.stat().st_ino
    except OSError:
        return None
