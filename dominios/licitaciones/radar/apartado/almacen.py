"""SQL of the quarantine and of the incidents: nothing that came is lost, and nothing odd goes unsaid."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from dominios.licitaciones.radar.modelo import Modelo
from dominios.licitaciones.radar.procesar import EntradaApartada
from nucleo.errores import ErrorSobre


class Apartada(Modelo):
    """A row of the quarantine, without its bytes. `nivel`: entrada | pagina | miembro."""

    id: int
    nivel: str
    origen: str
    codigo: str
    motivo: str
    entrada_id: str | None
    octetos: int
    alta: str


class Procedencia(NamedTuple):
    """Where something set apart came from. `nivel`: entrada | pagina | miembro; the instant is feed/updated."""

    nivel: str
    origen: str
    pagina_instante: int | None = None


class Incidencia(Modelo):
    """Something a person should look at."""

    tipo: str
    clave: str
    detalle: str
    alta: str
    resuelta: str | None


def guardar_apartadas(
    con: sqlite3.Connection, procedencia: Procedencia, apartadas: Iterable[EntradaApartada], alta: datetime
) -> int:
    """Set entries apart; what is already there is not doubled. Returns how many were given."""
    nivel, origen, pagina_instante = procedencia
    filas = [
        (p.huella, nivel, origen, p.codigo, p.motivo, p.entrada_id, p.xml, pagina_instante, alta.isoformat())
        for p in apartadas
    ]
    con.executemany(
        "INSERT OR IGNORE INTO cuarentena(huella, nivel, origen, codigo, motivo, entrada_id, xml,"
        " pagina_instante, alta) VALUES (?,?,?,?,?,?,?,?,?)",
        filas,
    )
    return len(filas)


def abrir_incidencia(con: sqlite3.Connection, tipo: str, clave: str, detalle: str, alta: datetime) -> None:
    """Something a person should look at: one that is open is not opened twice, one that was closed opens again."""
    con.execute(
        "INSERT INTO incidencia(tipo, clave, detalle, alta) VALUES (?,?,?,?)"
        " ON CONFLICT(tipo, clave) DO UPDATE"
        " SET resuelta = NULL, detalle = excluded.detalle, alta = excluded.alta WHERE resuelta IS NOT NULL",
        (tipo, clave, detalle, alta.isoformat()),
    )


def resolver_incidencia(con: sqlite3.Connection, tipo: str, clave: str, cuando: datetime) -> None:
    """Close an incident whose cause is gone."""
    con.execute(
        "UPDATE incidencia SET resuelta = ? WHERE tipo = ? AND clave = ? AND resuelta IS NULL",
        (cuando.isoformat(), tipo, clave),
    )


def listar_incidencias(con: sqlite3.Connection) -> tuple[Incidencia, ...]:
    """The open incidents, newest first."""
    filas = con.execute(
        "SELECT tipo, clave, detalle, alta, resuelta FROM incidencia WHERE resuelta IS NULL ORDER BY id DESC"
    )
    return tuple(Incidencia(tipo=f[0], clave=f[1], detalle=f[2], alta=f[3], resuelta=f[4]) for f in filas)


def guardar_cuarentena(
    con: sqlite3.Connection, procedencia: Procedencia, cuerpo: bytes, error: ErrorSobre, alta: datetime
) -> None:
    """Set apart a whole page or ZIP member, as it came, with the reason it could not be read."""
    apartada = EntradaApartada(sha256(cuerpo).digest(), error.codigo, error.mensaje, None, cuerpo)
    guardar_apartadas(con, procedencia, [apartada], alta)


def listar_cuarentena(con: sqlite3.Connection) -> tuple[Apartada, ...]:
    """What is set apart and not yet solved, oldest first."""
    filas = con.execute(
        "SELECT id, nivel, origen, codigo, motivo, entrada_id, length(xml), alta FROM cuarentena"
        " WHERE resuelta IS NULL ORDER BY id"
    )
    return tuple(
        Apartada(
            id=f[0],
            nivel=f[1],
            origen=f[2],
            codigo=f[3],
            motivo=f[4],
            entrada_id=f[5],
            octetos=f[6],
            alta=f[7],
        )
        for f in filas
    )


def contenido(con: sqlite3.Connection, cuarentena_id: int) -> tuple[bytes, int | None]:
    """The bytes set apart and the instant of the page they came in."""
    fila = con.execute(
        "SELECT xml, pagina_instante FROM cuarentena WHERE id = ?", (cuarentena_id,)
    ).fetchone()
    return fila[0], fila[1]


def resolver_cuarentena(con: sqlite3.Connection, cuarentena_id: int, cuando: datetime) -> None:
    """What was set apart went in."""
    con.execute("UPDATE cuarentena SET resuelta = ? WHERE id = ?", (cuando.isoformat(), cuarentena_id))
