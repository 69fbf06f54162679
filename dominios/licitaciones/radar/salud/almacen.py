"""What the database knows about its own health."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from dominios.licitaciones.radar.salud.modelo import Pendiente
from nucleo.reloj import desde_micros


def paginas_en_vivo(con: sqlite3.Connection) -> dict[str, tuple[datetime | None, datetime]]:
    """Dataset → (newest feed/updated, last storage) of the pages read from the network; files do not count."""
    filas = con.execute(
        "SELECT fuente, max(instante), max(alta) FROM pagina"
        " WHERE fuente IS NOT NULL AND (origen LIKE 'https:%' OR origen LIKE 'http:%') GROUP BY fuente"
    )
    return {
        fuente: (None if instante is None else desde_micros(instante), datetime.fromisoformat(alta))
        for fuente, instante, alta in filas
    }


def pendiente(con: sqlite3.Connection) -> Pendiente:
    """How many quarantined items and incidents are still open."""
    (cuarentena,) = con.execute("SELECT count(*) FROM cuarentena WHERE resuelta IS NULL").fetchone()
    (incidencias,) = con.execute("SELECT count(*) FROM incidencia WHERE resuelta IS NULL").fetchone()
    return Pendiente(cuarentena=cuarentena, incidencias=incidencias)
