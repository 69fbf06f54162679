"""SQL of the criba: batches, verdicts and people's words."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from dominios.licitaciones.criba.modelo import Juicio, Juzgada, Palabra, Situacion, Tanda, Veredicto, Vista
from nucleo.empresa.lineas import Linea
from nucleo.reloj import a_micros, desde_micros


class Elemento(NamedTuple):
    """A tender about to go in a batch; the ids are None in a frozen set."""

    numero: int
    licitacion_id: int | None
    version_id: int | None
    vista: Vista
    huella: str


class Previo(NamedTuple):
    """The last time that a tender went in a batch."""

    version_id: int
    vista_huella: str
    perfil_huella: str
    abierta: bool


class Autoria(NamedTuple):
    """Which attempt answers, under which instructions."""

    intento_id: int
    instrucciones: str | None
    nonce: str
    """Not kept: no text may repeat it."""


def crear_tanda(  # noqa: PLR0913, PLR0917 - the parts of a batch
    con: sqlite3.Connection,
    conjunto: str | None,
    perfil_version: int,
    lineas: Sequence[Linea],
    perfil_huella: str,
    elementos: Iterable[Elemento],
    ahora: datetime,
) -> int:
    """The new batch's number; call inside nucleo.bd.transaccion."""
    cursor = con.execute(
        "INSERT INTO criba_tanda(conjunto, perfil_version, lineas, perfil_huella, creada) VALUES (?, ?, ?, ?, ?)",
        (conjunto, perfil_version, _json([x.model_dump() for x in lineas]), perfil_huella, a_micros(ahora)),
    )
    tanda = int(cursor.lastrowid or 0)
    con.executemany(
        """INSERT INTO criba_elemento(tanda_id, numero, licitacion_id, version_id, vista, vista_huella)
            VALUES (?, ?, ?, ?, ?, ?)""",
        [
            (tanda, e.numero, e.licitacion_id, e.version_id, e.vista.model_dump_json(), e.huella)
            for e in elementos
        ],
    )
    return tanda


def leer_tanda(con: sqlite3.Connection, tanda_id: int) -> Tanda | None:
    """That batch."""
    fila = con.execute(
        """SELECT id, conjunto, perfil_version, lineas, creada, vueltas, cerrada, motivo
            FROM criba_tanda WHERE id = ?""",
        (tanda_id,),
    ).fetchone()
    if fila is None:
        return None
    return Tanda(
        id=fila[0],
        conjunto=fila[1],
        perfil_version=fila[2],
        lineas=tuple(Linea(**x) for x in json.loads(fila[3])),
        creada=desde_micros(fila[4]),
        vueltas=fila[5],
        cerrada=None if fila[6] is None else desde_micros(fila[6]),
        motivo=fila[7],
    )


def abiertas(con: sqlite3.Connection) -> list[int]:
    """Batches that wait for an answer."""
    return [int(t) for (t,) in con.execute("SELECT id FROM criba_tanda WHERE cerrada IS NULL ORDER BY id")]


def vence(con: sqlite3.Connection, tanda_id: int) -> datetime | None:
    """The nearest deadline of its tenders."""
    (plazo,) = con.execute(
        """SELECT min(l.plazo) FROM criba_elemento e JOIN licitacion l ON l.id = e.licitacion_id
            WHERE e.tanda_id = ?""",
        (tanda_id,),
    ).fetchone()
    return None if plazo is None else desde_micros(plazo)


def pendientes(con: sqlite3.Connection, tanda_id: int) -> tuple[Vista, ...]:
    """What is still to be judged of a batch."""
    filas = con.execute(
        "SELECT vista FROM criba_elemento WHERE tanda_id = ? AND situacion = 'pendiente' ORDER BY numero",
        (tanda_id,),
    )
    return tuple(Vista.model_validate_json(vista) for (vista,) in filas)


def anotar_juicios(
    con: sqlite3.Connection, tanda_id: int, juicios: Iterable[Juicio], autoria: Autoria, ahora: datetime
) -> None:
    """The verdicts of an answer, over what was pending."""
    firma = (autoria.intento_id, autoria.instrucciones)
    con.executemany(
        """UPDATE criba_elemento SET situacion = ?, motivo = ?, lineas = ?, intento_id = ?, instrucciones = ?,
             instante = ? WHERE tanda_id = ? AND numero = ? AND situacion = 'pendiente'""",
        [
            (j.veredicto.value, j.motivo, _json(j.lineas), *firma, a_micros(ahora), tanda_id, j.numero)
            for j in juicios
        ],
    )


def cerrar(
    con: sqlite3.Connection, tanda_id: int, autoria: Autoria | None, motivo: str, ahora: datetime
) -> int:
    """End the batch: what is still pending stays without verdict, for that reason; how many those are."""
    firma = (autoria.intento_id, autoria.instrucciones) if autoria else (None, None)
    cursor = con.execute(
        """UPDATE criba_elemento SET situacion = 'sin_veredicto', motivo = ?, intento_id = ?, instrucciones = ?,
             instante = ? WHERE tanda_id = ? AND situacion = 'pendiente'""",
        (motivo, *firma, a_micros(ahora), tanda_id),
    )
    con.execute(
        "UPDATE criba_tanda SET cerrada = ?, motivo = ? WHERE id = ?",
        (a_micros(ahora), motivo if cursor.rowcount else "", tanda_id),
    )
    return cursor.rowcount


def contar_vuelta(con: sqlite3.Connection, tanda_id: int) -> None:
    """One more answer taken."""
    con.execute("UPDATE criba_tanda SET vueltas = vueltas + 1 WHERE id = ?", (tanda_id,))


def respuesta_dada(con: sqlite3.Connection, tanda_id: int, intento_id: int, huella: str) -> str | None:
    """What the same attempt was told when it left the same answer before."""
    fila = con.execute(
        "SELECT respuesta FROM criba_propuesta WHERE tanda_id = ? AND intento_id = ? AND huella = ?",
        (tanda_id, intento_id, huella),
    ).fetchone()
    return fila[0] if fila else None


def anotar_respuesta(  # noqa: PLR0913, PLR0917 - a row
    con: sqlite3.Connection, tanda_id: int, intento_id: int, huella: str, respuesta: str, ahora: datetime
) -> None:
    """Remember what an answer was told."""
    con.execute(
        "INSERT INTO criba_propuesta VALUES (?, ?, ?, ?, ?)",
        (tanda_id, intento_id, huella, respuesta, a_micros(ahora)),
    )


def versiones(con: sqlite3.Connection, licitaciones: Sequence[int]) -> dict[int, int]:
    """Tender → its current version."""
    filas = con.execute(
        "SELECT id, version_id FROM licitacion WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(licitaciones),),
    )
    return {int(l_id): int(v_id) for l_id, v_id in filas}


def previos(con: sqlite3.Connection, licitaciones: Sequence[int]) -> dict[int, Previo]:
    """Tender → the last live batch that it was in."""
    filas = con.execute(
        """SELECT e.licitacion_id, e.version_id, e.vista_huella, t.perfil_huella, t.cerrada IS NULL, max(t.id)
            FROM json_each(?) j JOIN criba_elemento e ON e.licitacion_id = j.value
            JOIN criba_tanda t ON t.id = e.tanda_id GROUP BY e.licitacion_id""",
        (json.dumps(licitaciones),),
    )
    return {int(f[0]): Previo(f[1], f[2], f[3], bool(f[4])) for f in filas}


def anotar_version(con: sqlite3.Connection, licitacion_id: int, version_id: int) -> None:
    """Its last verdict also holds for that version: nothing that the agent read has changed."""
    con.execute(
        """UPDATE criba_elemento SET version_id = ? WHERE licitacion_id = ? AND tanda_id =
            (SELECT max(tanda_id) FROM criba_elemento WHERE licitacion_id = ?)""",
        (version_id, licitacion_id, licitacion_id),
    )


def olvidar_sin_veredicto(con: sqlite3.Connection) -> int:
    """Tenders whose last closed live batch left them without verdict, and no person decided, count as never read."""
    cursor = con.execute(
        """UPDATE criba_elemento SET version_id = 0, vista_huella = '' WHERE situacion = 'sin_veredicto'
            AND licitacion_id IS NOT NULL AND vista_huella <> '' AND tanda_id =
              (SELECT max(tanda_id) FROM criba_elemento e WHERE e.licitacion_id = criba_elemento.licitacion_id)
            AND NOT EXISTS (SELECT 1 FROM criba_palabra p WHERE p.licitacion_id = criba_elemento.licitacion_id)"""
    )
    return cursor.rowcount


def juzgadas(con: sqlite3.Connection, licitaciones: Sequence[int]) -> dict[int, Juzgada]:
    """Tender → the last answer about it; while it is asked again, the one before still stands."""
    filas = con.execute(
        """SELECT e.licitacion_id, e.situacion, e.motivo, e.lineas, e.tanda_id, e.instrucciones, e.instante,
              max(e.tanda_id + CASE e.situacion WHEN 'pendiente' THEN 0 ELSE 1000000000000 END)
            FROM json_each(?) j JOIN criba_elemento e ON e.licitacion_id = j.value GROUP BY e.licitacion_id""",
        (json.dumps(licitaciones),),
    )
    return {
        int(f[0]): Juzgada(
            situacion=Situacion(f[1]),
            motivo=f[2],
            lineas=tuple(json.loads(f[3])),
            tanda=f[4],
            instrucciones=f[5],
            instante=None if f[6] is None else desde_micros(f[6]),
        )
        for f in filas
    }


def intento_de(con: sqlite3.Connection, tanda_id: int, licitacion_id: int) -> int | None:
    """The queue's attempt that answered about that tender in that batch."""
    fila = con.execute(
        "SELECT intento_id FROM criba_elemento WHERE licitacion_id = ? AND tanda_id = ?",
        (licitacion_id, tanda_id),
    ).fetchone()
    return fila[0] if fila else None


def decir(con: sqlite3.Connection, licitacion_id: int, palabra: Palabra) -> None:
    """Add a person's word."""
    con.execute(
        "INSERT INTO criba_palabra(licitacion_id, veredicto, motivo, persona, creada) VALUES (?, ?, ?, ?, ?)",
        (licitacion_id, palabra.veredicto.value, palabra.motivo, palabra.persona, a_micros(palabra.creada)),
    )


def palabras(con: sqlite3.Connection, licitacion_id: int) -> tuple[Palabra, ...]:
    """Everything that people said of a tender, newest first."""
    filas = con.execute(
        """SELECT licitacion_id, veredicto, motivo, persona, creada FROM criba_palabra
            WHERE licitacion_id = ? ORDER BY id DESC""",
        (licitacion_id,),
    )
    return tuple(_palabra(f) for f in filas)


def ultimas_palabras(con: sqlite3.Connection, licitaciones: Sequence[int]) -> dict[int, Palabra]:
    """Tender → what a person said last."""
    filas = con.execute(
        """SELECT p.licitacion_id, p.veredicto, p.motivo, p.persona, p.creada, max(p.id)
            FROM json_each(?) j JOIN criba_palabra p ON p.licitacion_id = j.value GROUP BY p.licitacion_id""",
        (json.dumps(licitaciones),),
    )
    return {int(f[0]): _palabra(f) for f in filas}


def tratadas(con: sqlite3.Connection) -> list[int]:
    """Every tender that an agent was asked about, or that a person spoke of."""
    filas = con.execute(
        """SELECT licitacion_id FROM criba_elemento WHERE licitacion_id IS NOT NULL
            UNION SELECT licitacion_id FROM criba_palabra ORDER BY 1"""
    )
    return [int(licitacion) for (licitacion,) in filas]


def _palabra(fila: Sequence[object]) -> Palabra:
    creada = fila[4]
    if not isinstance(creada, int):
        raise TypeError("el instante de una palabra es un entero")
    return Palabra(
        veredicto=Veredicto(str(fila[1])),
        motivo=str(fila[2]),
        persona=str(fila[3]),
        creada=desde_micros(creada),
    )


def _json(valor: object) -> str:
    return json.dumps(valor, ensure_ascii=False, separators=(",", ":"))
