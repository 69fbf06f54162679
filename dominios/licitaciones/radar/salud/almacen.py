"""What the database knows about its own health."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import NamedTuple

from dominios.licitaciones.radar.salud.modelo import Pendiente
from nucleo.reloj import desde_micros


class Lectura(NamedTuple):
    """The last live pass over a dataset, and what its head said of itself."""

    publicada: datetime | None
    pasada: datetime
    error: str | None


def lecturas(con: sqlite3.Connection) -> dict[str, Lectura]:
    """Dataset → its last live pass, whichever head it read; datasets never read live are absent."""
    filas = con.execute(
        "SELECT p.fuente, c.instante, p.terminada, p.error FROM sincronizar_pasada p"
        " LEFT JOIN sincronizar_canal c ON c.fuente = p.fuente AND c.url = p.url ORDER BY p.terminada"
    )
    return {
        fuente: Lectura(
            None if instante is None else desde_micros(instante), datetime.fromisoformat(terminada), error
        )
        for fuente, instante, terminada, error in filas
    }


def pendiente(con: sqlite3.Connection) -> Pendiente:
    """How many quarantined items and incidents are still open."""
    (cuarentena,) = con.execute("SELECT count(*) FROM cuarentena WHERE resuelta IS NULL").fetchone()
    (incidencias,) = con.execute("SELECT count(*) FROM incidencia WHERE resuelta IS NULL").fetchone()
    return Pendiente(cuarentena=cuarentena, incidencias=incidencias)
