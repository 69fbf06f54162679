"""Everything that waits for a person, across runs: by the deadline of what it is about, then by age."""

from __future__ import annotations

import sqlite3

from nucleo.recorridos.lectura import almacen
from nucleo.recorridos.lectura.modelo import FiltroBandeja, Pendiente
from nucleo.recorridos.transacciones import instantanea


def bandeja(con: sqlite3.Connection, filtro: FiltroBandeja) -> tuple[Pendiente, ...]:
    """A page of it. What has no deadline goes last."""
    with instantanea(con):
        return almacen.pendientes(con, filtro)
