"""The brakes' rows, the version that last served the queue and the process last seen behind each profile."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from nucleo.cola.modelo import Ambito, Autor, Freno
from nucleo.hermes.vigia import Proceso
from nucleo.reloj import EPOCA, a_micros, desde_micros


def poner(con: sqlite3.Connection, freno: Freno) -> None:
    """Put it in place of the one by the same author on the same thing; one that a rule puts never ends sooner."""
    con.execute(
        """INSERT INTO cola_freno(ambito, nombre, autor, desde, hasta, motivo) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET desde = excluded.desde, hasta = excluded.hasta, motivo = excluded.motivo
           WHERE excluded.hasta IS NULL OR hasta IS NULL OR excluded.hasta >= hasta""",
        (
            *(freno.ambito, freno.nombre, freno.autor, a_micros(freno.desde)),
            *(None if freno.hasta is None else a_micros(freno.hasta), freno.motivo),
        ),
    )


def todos(con: sqlite3.Connection) -> tuple[Freno, ...]:
    """Every brake, also those that ended."""
    filas = con.execute("SELECT ambito, nombre, autor, desde, hasta, motivo FROM cola_freno")
    return tuple(
        Freno(
            ambito=Ambito(ambito),
            nombre=nombre,
            autor=Autor(autor),
            desde=desde_micros(desde),
            hasta=None if hasta is None else desde_micros(hasta),
            motivo=motivo,
        )
        for ambito, nombre, autor, desde, hasta, motivo in filas
    )


def levantar(con: sqlite3.Connection, ambito: Ambito, nombre: str, ahora: datetime) -> int:
    """End every brake in force on that; how many. They stay as the moment since which failures count anew."""
    cursor = con.execute(
        """UPDATE cola_freno SET hasta = :ahora
           WHERE ambito = :ambito AND nombre = :nombre AND (hasta IS NULL OR hasta > :ahora)""",
        {"ahora": a_micros(ahora), "ambito": ambito, "nombre": nombre},
    )
    return cursor.rowcount


def levantar_automaticos(con: sqlite3.Connection, ahora: datetime) -> int:
    """End every brake that a rule put."""
    cursor = con.execute(
        "UPDATE cola_freno SET hasta = :ahora WHERE autor = :regla AND hasta > :ahora",
        {"ahora": a_micros(ahora), "regla": Autor.REGLA},
    )
    return cursor.rowcount


def cuenta_desde(con: sqlite3.Connection, tipo: str) -> datetime:
    """Since when failures of a type count: the end of its last brake."""
    (hasta,) = con.execute(
        "SELECT max(hasta) FROM cola_freno WHERE ambito = ? AND nombre = ?", (Ambito.TIPO, tipo)
    ).fetchone()
    return EPOCA if hasta is None else desde_micros(hasta)


def anotar_version(con: sqlite3.Connection, version: str) -> bool:
    """Keep it; whether it is another one than before (the first ever is not)."""
    antes = con.execute("SELECT version FROM cola_version").fetchone()
    con.execute(
        "INSERT INTO cola_version(unica, version) VALUES (1, ?) ON CONFLICT DO UPDATE SET version = excluded.version",
        (version,),
    )
    return antes is not None and antes[0] != version


def proceso(con: sqlite3.Connection, perfil: str) -> Proceso | None:
    """What is known of the process behind that profile's port."""
    fila = con.execute("SELECT pid, desde, visto FROM cola_proceso WHERE perfil = ?", (perfil,)).fetchone()
    if fila is None:
        return None
    pid, desde, visto = fila
    return Proceso(pid=pid, desde=None if desde is None else desde_micros(desde), visto=desde_micros(visto))


def anotar_proceso(con: sqlite3.Connection, perfil: str, actual: Proceso) -> None:
    """Keep what is known now."""
    con.execute(
        """INSERT INTO cola_proceso(perfil, pid, desde, visto) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET pid = excluded.pid, desde = excluded.desde, visto = excluded.visto""",
        (
            *(perfil, actual.pid, None if actual.desde is None else a_micros(actual.desde)),
            a_micros(actual.visto),
        ),
    )
