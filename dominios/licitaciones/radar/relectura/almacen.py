"""SQL of reading again: versions in lots, and what the present mapping makes of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from dominios.licitaciones.radar.consulta.almacen import VersionGuardada, leer_version
from dominios.licitaciones.radar.procesar import EntradaLeida
from dominios.licitaciones.radar.vista.almacen import actuales, escribir_filas, revisar_bajas


def lote_de_versiones(con: sqlite3.Connection, despues_de: int, cuantas: int) -> list[VersionGuardada]:
    """The next versions after a local id, in order."""
    ids = con.execute(
        "SELECT id FROM version WHERE id > ? ORDER BY id LIMIT ?", (despues_de, cuantas)
    ).fetchall()
    return [leer_version(con, fila[0]) for fila in ids]


def actualizar_lectura(
    con: sqlite3.Connection, leidas: Sequence[tuple[int, EntradaLeida]], alta: datetime
) -> None:
    """Refresh what is derived of these versions and, for those that are the current ones, their rows."""
    con.executemany(
        "UPDATE version SET estado = ?, material = ? WHERE id = ?",
        [(e.estado, e.material, version_id) for version_id, e in leidas],
    )
    vistas = actuales(con, {e.id for _, e in leidas})
    filas = [(vistas[e.id], e) for version_id, e in leidas if vistas[e.id].version_id == version_id]
    escribir_filas(con, filas, {a.id: a.texto_huella for a, _ in filas})
    revisar_bajas(con, {e.id for _, e in filas}, alta)
