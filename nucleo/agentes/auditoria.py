"""The record of calls: reading it back. Writing is part of calling (`llamar`)."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from nucleo.agentes import almacen
from nucleo.agentes.modelo import FiltroLlamadas, Llamada


def buscar(con: sqlite3.Connection, filtro: FiltroLlamadas) -> tuple[tuple[int, Llamada], ...]:
    """(number, call), newest first. The page after the last number n is asked with `hasta_id` = n - 1."""
    return tuple(almacen.buscar_llamadas(con, filtro))


def ultima_de_intento(con: sqlite3.Connection, nonce: str) -> datetime | None:
    """When an attempt last used a tool, by the nonce that its calls carry."""
    return almacen.ultima_de_intento(con, nonce)


def ultima_de_agente(con: sqlite3.Connection, nombre: str) -> datetime | None:
    """When an agent last used a tool, in whichever attempt."""
    return almacen.ultima_de_agente(con, nombre)
