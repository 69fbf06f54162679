"""Everything in the store that must not depend on how it was read: for comparing two of them whole."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple


class AlmacenVisto(NamedTuple):
    """Versions, tombstones, current rows, known pages and the mark; sorted, without serial numbers or times of ours."""

    versiones: list[tuple[str, str, int, bytes, bytes]]
    lapidas: list[tuple[object, ...]]
    vigentes: list[tuple[object, ...]]
    textos: list[tuple[object, ...]]
    marcas: list[tuple[object, ...]]
    ventanas: int


def ver_almacen(con: sqlite3.Connection) -> AlmacenVisto:
    """Read it all."""
    consultas = (
        "SELECT l.entrada_id, v.updated, v.instante, v.huella, v.xml FROM version v"
        " JOIN licitacion l ON l.id = v.licitacion_id ORDER BY 1, 3, 4",
        "SELECT * FROM lapida ORDER BY 1, 2, 3, 4",
        "SELECT entrada_id, instante, huella, n_versiones, vigente, baja, tipo_baja, estado, importe, cierre, avisos"
        " FROM licitacion ORDER BY 1",
        "SELECT l.entrada_id, t.objeto, t.organo FROM licitacion_texto t JOIN licitacion l ON l.id = t.rowid"
        " ORDER BY 1",
        "SELECT fuente, marca FROM sincronizar_canal ORDER BY 1, 2",
    )
    (ventanas,) = con.execute("SELECT count(*) FROM sincronizar_ventana").fetchone()
    return AlmacenVisto(*(con.execute(c).fetchall() for c in consultas), ventanas)
