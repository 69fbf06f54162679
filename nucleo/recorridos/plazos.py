"""Deadlines that moved: those of what a run is about are the domain's, and the run only keeps a copy."""

from __future__ import annotations

import sqlite3

from nucleo.errores import ErrorSobre
from nucleo.recorridos import almacen
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.transacciones import escritura


def refrescar(con: sqlite3.Connection, casa: Casa) -> int:
    """Bring the deadline of every open run up to date; how many had moved.

    Nothing is decided by it: it leaves no event and no new revision. What a domain no longer knows keeps the deadline
    that it had.
    """
    movidos = 0
    for abierto in almacen.plazos(con):
        try:
            vence = casa.plazo(abierto.dominio, abierto.objeto_id)
        except ErrorSobre:  # it was there when the run was born
            continue
        if vence != abierto.vence:
            with escritura(con):
                almacen.poner_plazo(con, abierto.rid, vence)
            movidos += 1
    return movidos
