"""SQL of the offer: what it asks of the radar's current view."""

from __future__ import annotations

import sqlite3


def plazo_de(con: sqlite3.Connection, licitacion_id: int) -> int | None:
    """The deadline to work to, in microseconds UTC; None when none was published."""
    fila = con.execute("SELECT plazo FROM licitacion WHERE id = ?", (licitacion_id,)).fetchone()
    return None if fila is None else fila[0]
