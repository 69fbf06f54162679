"""SQL of the current view: one row per tender, following from its newest version and its tombstones."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime
from typing import NamedTuple

from dominios.licitaciones.radar.apartado.almacen import abrir_incidencia, resolver_incidencia
from dominios.licitaciones.radar.conjuntos import cola_de
from dominios.licitaciones.radar.fila import COLUMNAS
from dominios.licitaciones.radar.procesar import EntradaLeida

AVISO_EMPATE = "lapida_en_el_mismo_instante"


class Actual(NamedTuple):
    """The current version of a tender, as far as storing another needs to know."""

    id: int
    version_id: int
    instante: int
    pagina_instante: int
    huella: bytes
    n_versiones: int
    texto_huella: bytes
    vigente: int

    @property
    def rango(self) -> tuple[int, int, bytes]:
        """What makes one version the current one: greatest instant; of two contents with the same `updated`, the
        one published later; and, to leave nothing to chance, the greater hash.
        """
        return (self.instante, self.pagina_instante, self.huella)


def actuales(con: sqlite3.Connection, ids: set[str]) -> dict[str, Actual]:
    """The current versions of these entries, by entry id; those unknown are left out."""
    filas = con.execute(
        "SELECT entrada_id, id, version_id, instante, pagina_instante, huella, n_versiones, texto_huella, vigente"
        " FROM licitacion WHERE entrada_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    return {fila[0]: Actual(*fila[1:]) for fila in filas}


_FIJAS = ("id", "entrada_id", "cola", "fuente", "version_id", "instante", "pagina_instante", "huella")
_TODAS = (*_FIJAS, "n_versiones", "vigente", *COLUMNAS)
_GUARDAR_FILA = (
    f"INSERT INTO licitacion({', '.join(_TODAS)}) VALUES ({', '.join('?' * len(_TODAS))})"
    f" ON CONFLICT(id) DO UPDATE SET "
    + ", ".join(
        f"{c} = excluded.{c}" for c in _TODAS if c not in {"id", "entrada_id", "cola", "fuente", "vigente"}
    )
)


def escribir_filas(
    con: sqlite3.Connection, filas: list[tuple[Actual, EntradaLeida]], con_texto: dict[int, bytes]
) -> None:
    """Write rows of the current view with their codes and words; `con_texto` = text hash of those that exist."""
    con.executemany(
        _GUARDAR_FILA,
        [
            (
                a.id,
                e.id,
                cola_de(e.id),
                e.fuente,
                a.version_id,
                a.instante,
                a.pagina_instante,
                a.huella,
                a.n_versiones,
                a.vigente,
                *e.fila.valores,
            )
            for a, e in filas
        ],
    )
    viejas = [(a.id,) for a, _ in filas if a.id in con_texto]
    con.executemany("DELETE FROM licitacion_cpv WHERE licitacion_id = ?", viejas)
    con.executemany("DELETE FROM licitacion_nuts WHERE licitacion_id = ?", viejas)
    con.executemany(
        "INSERT INTO licitacion_cpv VALUES (?,?)", [(c, a.id) for a, e in filas for c in e.fila.cpvs]
    )
    con.executemany(
        "INSERT INTO licitacion_nuts VALUES (?,?)", [(n, a.id) for a, e in filas for n in e.fila.nuts]
    )
    cambian = [(a, e) for a, e in filas if con_texto.get(a.id) != e.fila.valores[-1]]
    con.executemany(
        "DELETE FROM licitacion_texto WHERE rowid = ?", [(a.id,) for a, _ in cambian if a.id in con_texto]
    )
    con.executemany(
        "INSERT INTO licitacion_texto(rowid, objeto, lotes, organo, expediente) VALUES (?,?,?,?,?)",
        [(a.id, *e.fila.texto) for a, e in cambian],
    )


def revisar_bajas(con: sqlite3.Connection, ids: set[str], alta: datetime) -> None:
    """A tender is hidden when its newest tombstone is later than its newest version; a tie keeps it in sight."""
    filas = con.execute(
        "SELECT l.id, l.entrada_id, l.instante, l.vigente, l.baja, l.tipo_baja, l.version_id, l.avisos,"
        "  b.instante, b.tipo"
        " FROM json_each(?) AS j JOIN licitacion AS l ON l.entrada_id = j.value"
        " JOIN lapida AS b ON b.entrada_id = l.entrada_id"
        " WHERE NOT EXISTS (SELECT 1 FROM lapida AS c WHERE c.entrada_id = b.entrada_id"
        "  AND (c.instante, c.tipo) > (b.instante, b.tipo))"
        " GROUP BY l.id",
        (json.dumps(list(ids)),),
    ).fetchall()
    for licitacion_id, entrada_id, instante, era, baja, tipo, version_id, avisos, cuando, clase in filas:
        vigente = int(instante >= cuando)
        nuevos = _con_empate(avisos, instante == cuando)
        nueva_baja = (None, None) if vigente else (cuando, clase or None)
        if (vigente, *nueva_baja, nuevos) != (era, baja, tipo, avisos):
            con.execute(
                "UPDATE licitacion SET vigente = ?, baja = ?, tipo_baja = ?, avisos = ? WHERE id = ?",
                (vigente, *nueva_baja, nuevos, licitacion_id),
            )
        if instante == cuando:
            _abrir_empate(con, entrada_id, alta)
        else:
            resolver_incidencia(con, AVISO_EMPATE, entrada_id, alta)
        if vigente != era:
            con.execute(
                "INSERT INTO evento(licitacion_id, tipo, version_id, campos, instante, alta)"
                " VALUES (?,?,?,'[]',?,?)",
                (
                    licitacion_id,
                    "republicada" if vigente else "baja",
                    version_id,
                    instante if vigente else cuando,
                    alta.isoformat(),
                ),
            )


def _con_empate(avisos: str, empate: bool) -> str:
    lista = [a for a in json.loads(avisos) if a != AVISO_EMPATE]
    return json.dumps(sorted([*lista, AVISO_EMPATE] if empate else lista))


def _abrir_empate(con: sqlite3.Connection, entrada_id: str, alta: datetime) -> None:
    abrir_incidencia(
        con,
        AVISO_EMPATE,
        entrada_id,
        f"La retirada y la última versión de {entrada_id} llevan el mismo instante: se mantiene visible.",
        alta,
    )


def vigentes(con: sqlite3.Connection) -> int:
    """How many tenders no tombstone hides."""
    total: int = con.execute("SELECT count(*) FROM licitacion WHERE vigente = 1").fetchone()[0]
    return total
