"""SQL of the misses."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime

from dominios.licitaciones.criba.fallos.modelo import Cambio, Descarte, Donde, Fallo, Quien
from dominios.licitaciones.criba.fallos.reglas import Seguido
from dominios.licitaciones.prefiltro.modelo import Regla
from nucleo.reloj import a_micros, desde_micros

_COLUMNAS = """f.id, f.licitacion_id, l.entrada_id, l.objeto, f.quien, f.ganador, f.donde, f.cambios, f.creado,
    f.atendido, f.persona"""


def por_mirar(con: sqlite3.Connection, perfil_version: int) -> list[tuple[int, int]]:
    """(tender, version) of those judged while open that are awarded now and were not looked at as they are."""
    filas = con.execute(
        """SELECT DISTINCT l.id, l.version_id FROM prefiltro_candidata c JOIN licitacion l ON l.id = c.licitacion_id
            LEFT JOIN criba_mirada m ON m.licitacion_id = l.id
              AND m.version_id = l.version_id AND m.perfil_version = ?
            WHERE l.desenlace IN ('adjudicada', 'adjudicada_parcial', 'formalizada') AND m.licitacion_id IS NULL
            ORDER BY l.id""",
        (perfil_version,),
    )
    return [(int(licitacion), int(version)) for licitacion, version in filas]


def descarte(con: sqlite3.Connection, licitacion_id: int) -> Descarte | None:
    """How it was left out, if it was: by the prefilter whenever it was judged, or by an agent that nobody corrected."""
    fila = con.execute(
        """SELECT max(dentro), (SELECT reglas FROM prefiltro_candidata WHERE licitacion_id = ?1
              ORDER BY evaluada DESC LIMIT 1) FROM prefiltro_candidata WHERE licitacion_id = ?1""",
        (licitacion_id,),
    ).fetchone()
    if fila[0] == 0:
        reglas = tuple(Regla.model_validate(r) for r in json.loads(fila[1]))
        return Descarte(donde=Donde.PREFILTRO, reglas=reglas)
    negada = con.execute(
        """SELECT motivo, lineas FROM criba_elemento e WHERE licitacion_id = ?1 AND situacion = 'no_encaja'
             AND tanda_id = (SELECT max(tanda_id) FROM criba_elemento WHERE licitacion_id = ?1)
             AND NOT EXISTS (SELECT 1 FROM criba_palabra p WHERE p.licitacion_id = ?1)""",
        (licitacion_id,),
    ).fetchone()
    if negada is None:
        return None
    return Descarte(donde=Donde.CRIBA, motivo=negada[0], lineas=tuple(json.loads(negada[1])))


def anotar(  # noqa: PLR0913, PLR0917 - a row
    con: sqlite3.Connection,
    licitacion_id: int,
    ganador: Seguido,
    donde: Donde,
    propuestos: tuple[Cambio, ...],
    ahora: datetime,
) -> bool:
    """Whether it is a new miss; one that is already there is left as it is."""
    cursor = con.execute(
        """INSERT OR IGNORE INTO criba_fallo(licitacion_id, quien, ganador, donde, cambios, creado)
            VALUES (?, ?, ?, ?, ?, ?)""",
        (
            licitacion_id,
            ganador.quien.value,
            ganador.nombre,
            donde.value,
            json.dumps([c.model_dump() for c in propuestos], ensure_ascii=False),
            a_micros(ahora),
        ),
    )
    return cursor.rowcount == 1


def anotar_mirada(con: sqlite3.Connection, licitacion_id: int, version_id: int, perfil_version: int) -> None:
    """It need not be looked at again as it is."""
    con.execute(
        "INSERT OR REPLACE INTO criba_mirada VALUES (?, ?, ?)", (licitacion_id, version_id, perfil_version)
    )


def listar(con: sqlite3.Connection) -> tuple[Fallo, ...]:
    """Every miss, those that nobody has looked at first."""
    filas = con.execute(
        f"""SELECT {_COLUMNAS} FROM criba_fallo f JOIN licitacion l ON l.id = f.licitacion_id
            ORDER BY f.atendido IS NOT NULL, f.id DESC"""
    )
    return tuple(_fallo(f) for f in filas)


def leer(con: sqlite3.Connection, numero: int) -> Fallo | None:
    """That miss."""
    fila = con.execute(
        f"""SELECT {_COLUMNAS} FROM criba_fallo f JOIN licitacion l ON l.id = f.licitacion_id
            WHERE f.id = ?""",
        (numero,),
    ).fetchone()
    return _fallo(fila) if fila else None


def atender(con: sqlite3.Connection, numero: int, persona: str, ahora: datetime) -> None:
    """A person has seen to it."""
    con.execute(
        "UPDATE criba_fallo SET atendido = ?, persona = ? WHERE id = ?", (a_micros(ahora), persona, numero)
    )


def _fallo(fila: tuple[int, int, str, str, str, str, str, str, int, int | None, str | None]) -> Fallo:
    numero, licitacion, entrada, objeto, quien, ganador, donde, propuestos, creado, atendido, persona = fila
    return Fallo(
        id=numero,
        licitacion_id=licitacion,
        entrada_id=entrada,
        objeto=objeto,
        quien=Quien(quien),
        ganador=ganador,
        donde=Donde(donde),
        cambios=tuple(Cambio(**c) for c in json.loads(propuestos)),
        creado=desde_micros(creado),
        atendido=None if atendido is None else desde_micros(atendido),
        persona=persona,
    )
