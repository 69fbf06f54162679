"""Which ZIPs of the past are wholly in the store."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from dominios.licitaciones.radar.historico.plan import Zip


def esta_terminado(con: sqlite3.Connection, fichero: Zip) -> bool:
    """Whether that ZIP was imported to its end some time."""
    fila = con.execute("SELECT 1 FROM historico_zip WHERE url = ?", (fichero.url,)).fetchone()
    return fila is not None


def anotar_terminado(
    con: sqlite3.Connection, fichero: Zip, entradas: int, versiones_nuevas: int, cuando: datetime
) -> None:
    """Write it down after its last page is stored; again replaces what was noted. Call inside `transaccion`."""
    con.execute(
        "INSERT OR REPLACE INTO historico_zip(url, fuente, periodo, entradas, versiones_nuevas, terminado)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (fichero.url, fichero.fuente, fichero.periodo, entradas, versiones_nuevas, cuando.isoformat()),
    )
