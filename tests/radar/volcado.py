"""The whole state of the radar as plain values, without what depends on the order of arrival."""

from __future__ import annotations

import hashlib
import sqlite3

from dominios.licitaciones.radar.compresion import descomprimir

Volcado = dict[str, list[tuple[object, ...]]]

FUERA = {"id", "version_id"}
"""Columns of `licitacion` that number rows as they arrive."""


def volcar(con: sqlite3.Connection) -> Volcado:
    """Tables by name → sorted rows. Ids, dictionaries, events, incidents and dates of reading are left out."""
    return {
        "version": sorted(_versiones(con)),
        "lapida": sorted(con.execute("SELECT * FROM lapida").fetchall()),
        "licitacion": sorted(_licitaciones(con), key=repr),
        "cpv": sorted(_de_codigos(con, "cpv")),
        "nuts": sorted(_de_codigos(con, "nuts")),
        "texto": sorted(_textos(con)),
        "pagina": sorted(
            con.execute("SELECT huella, fuente, instante, entradas, lapidas FROM pagina").fetchall()
        ),
        "cuarentena": sorted(
            con.execute("SELECT huella, nivel, codigo, motivo, entrada_id, xml FROM cuarentena").fetchall(),
            key=repr,
        ),
    }


def _versiones(con: sqlite3.Connection) -> list[tuple[object, ...]]:
    """With the hash of the XML itself: how it was compressed depends on when it came."""
    diccionarios = dict(con.execute("SELECT id, bytes FROM diccionario").fetchall())
    filas = con.execute(
        "SELECT l.entrada_id, v.instante, v.huella, v.updated, v.pagina_instante, v.estado, v.material,"
        " v.dic_id, v.xml FROM version AS v JOIN licitacion AS l ON l.id = v.licitacion_id"
    )
    return [
        (*resto, hashlib.sha256(descomprimir(xml, diccionarios.get(dic))).digest())
        for *resto, dic, xml in filas
    ]


def _licitaciones(con: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Every derived column, and the instant and hash of the version that the view points to."""
    columnas = [
        nombre for _, nombre, *_ in con.execute("PRAGMA table_info(licitacion)") if nombre not in FUERA
    ]
    return con.execute(
        f"SELECT {', '.join(f'l.{c}' for c in columnas)}, v.instante, v.huella"
        " FROM licitacion AS l JOIN version AS v ON v.id = l.version_id AND v.licitacion_id = l.id"
    ).fetchall()


def _de_codigos(con: sqlite3.Connection, clase: str) -> list[tuple[object, ...]]:
    return con.execute(
        f"SELECT l.entrada_id, c.{clase} FROM licitacion_{clase} AS c"
        " LEFT JOIN licitacion AS l ON l.id = c.licitacion_id"
    ).fetchall()


def _textos(con: sqlite3.Connection) -> list[tuple[object, ...]]:
    return con.execute(
        "SELECT l.entrada_id, t.objeto, t.lotes, t.organo, t.expediente FROM licitacion_texto AS t"
        " LEFT JOIN licitacion AS l ON l.id = t.rowid"
    ).fetchall()
