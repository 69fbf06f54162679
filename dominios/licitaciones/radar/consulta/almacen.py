"""SQL of the radar, reading: one tender with its versions and tombstone."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from dominios.licitaciones.radar.compresion import descomprimir


class EstadoActual(NamedTuple):
    """What the store knows of a tender besides its versions. Instants in microseconds UTC."""

    id: int
    entrada_id: str
    version_id: int
    n_versiones: int
    vigente: bool
    baja: str | None
    tipo_baja: str | None
    cierre: int | None
    avisos: str


class VersionGuardada(NamedTuple):
    """One stored version; `xml` decompressed."""

    id: int
    updated: str
    instante: int
    estado: str | None
    leida: int
    xml: bytes


def identificadores(con: sqlite3.Connection, texto: str) -> list[tuple[int, str]]:
    """(id, full Atom id) of the tenders whose full id, or whose tail, is `texto`."""
    exacta = con.execute("SELECT id, entrada_id FROM licitacion WHERE entrada_id = ?", (texto,)).fetchall()
    return (
        exacta
        or con.execute(
            "SELECT id, entrada_id FROM licitacion WHERE cola = ? ORDER BY entrada_id", (texto,)
        ).fetchall()
    )


def leer_estado(con: sqlite3.Connection, licitacion_id: int) -> EstadoActual | None:
    """The current state; `baja` is the instant of the tombstone as published."""
    fila = con.execute(
        "SELECT l.id, l.entrada_id, l.version_id, l.n_versiones, l.vigente,"
        "  (SELECT cuando FROM lapida WHERE entrada_id = l.entrada_id AND instante = l.baja"
        "   ORDER BY tipo DESC LIMIT 1),"
        "  l.tipo_baja, l.cierre, l.avisos FROM licitacion AS l WHERE l.id = ?",
        (licitacion_id,),
    ).fetchone()
    return None if fila is None else EstadoActual._make((*fila[:4], bool(fila[4]), *fila[5:]))


def leer_versiones(con: sqlite3.Connection, licitacion_id: int) -> list[VersionGuardada]:
    """All versions, oldest first; of those with the same `updated`, the one that counts comes last."""
    filas = con.execute(
        "SELECT id, updated, instante, estado, pagina_instante, dic_id, xml FROM version"
        " WHERE licitacion_id = ? ORDER BY instante, pagina_instante, huella",
        (licitacion_id,),
    )
    return [VersionGuardada._make((*f[:5], _descomprimir(con, f[5], f[6]))) for f in filas]


def leer_version(con: sqlite3.Connection, version_id: int) -> VersionGuardada:
    """One version by its local id."""
    f = con.execute(
        "SELECT id, updated, instante, estado, pagina_instante, dic_id, xml FROM version WHERE id = ?",
        (version_id,),
    ).fetchone()
    return VersionGuardada._make((*f[:5], _descomprimir(con, f[5], f[6])))


def correcciones_silenciosas(con: sqlite3.Connection, licitacion_id: int) -> bool:
    """Whether two different contents carry the same `updated`."""
    fila = con.execute(
        "SELECT 1 FROM version WHERE licitacion_id = ? GROUP BY instante HAVING count(*) > 1 LIMIT 1",
        (licitacion_id,),
    ).fetchone()
    return fila is not None


def _descomprimir(con: sqlite3.Connection, dic_id: int | None, xml: bytes) -> bytes:
    if dic_id is None:
        return descomprimir(xml, None)
    fila = con.execute("SELECT bytes FROM diccionario WHERE id = ?", (dic_id,)).fetchone()
    return descomprimir(xml, fila[0])
