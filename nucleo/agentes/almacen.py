"""SQL of agents and of their calls."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime

from nucleo.agentes.modelo import Agente, Desenlace, FiltroLlamadas, Llamada
from nucleo.reloj import a_micros, desde_micros

_COLUMNAS = "nombre, permisos, creado, rotado, revocado, visto"


def guardar(con: sqlite3.Connection, agente: Agente, huella: bytes | None) -> None:
    """Write the agent as it is now, whatever it was before."""
    con.execute(
        f"""INSERT INTO agente({_COLUMNAS}, huella) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT(nombre) DO UPDATE SET permisos = excluded.permisos, creado = excluded.creado,
                rotado = excluded.rotado, revocado = excluded.revocado, visto = excluded.visto,
                huella = excluded.huella""",
        (
            agente.nombre,
            json.dumps(sorted(agente.permisos)),
            a_micros(agente.creado),
            _micros(agente.rotado),
            _micros(agente.revocado),
            _micros(agente.visto),
            huella,
        ),
    )


def leer(con: sqlite3.Connection, nombre: str) -> Agente | None:
    """The agent of that name, revoked or not."""
    fila = con.execute(f"SELECT {_COLUMNAS} FROM agente WHERE nombre = ?", (nombre,)).fetchone()
    return _agente(fila) if fila else None


def leer_todos(con: sqlite3.Connection) -> tuple[Agente, ...]:
    """Every agent, by name."""
    return tuple(_agente(f) for f in con.execute(f"SELECT {_COLUMNAS} FROM agente ORDER BY nombre"))


def leer_por_huella(con: sqlite3.Connection, huella: bytes) -> tuple[Agente, bytes] | None:
    """The agent whose token has that hash, with the hash that is kept."""
    fila = con.execute(f"SELECT {_COLUMNAS}, huella FROM agente WHERE huella = ?", (huella,)).fetchone()
    return (_agente(fila[:-1]), bytes(fila[-1])) if fila else None


def anotar_visto(con: sqlite3.Connection, nombre: str, instante: datetime) -> None:
    """It came now; an instant that arrives late never takes the place of a later one."""
    con.execute(
        "UPDATE agente SET visto = max(coalesce(visto, 0), ?) WHERE nombre = ?", (a_micros(instante), nombre)
    )


def anotar_llamada(con: sqlite3.Connection, llamada: Llamada) -> None:
    """Add it to the record: nothing here changes or deletes what was recorded."""
    con.execute(
        """INSERT INTO agente_llamada(instante, agente, herramienta, nonce, argumentos, desenlace, codigo, ms, octetos)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            a_micros(llamada.instante),
            llamada.agente,
            llamada.herramienta,
            llamada.nonce,
            llamada.argumentos,
            llamada.desenlace.value,
            llamada.codigo,
            llamada.ms,
            llamada.octetos,
        ),
    )


def buscar_llamadas(con: sqlite3.Connection, filtro: FiltroLlamadas) -> list[tuple[int, Llamada]]:
    """(number, call), newest first."""
    condiciones = {
        "agente = :agente": filtro.agente,
        "herramienta = :herramienta": filtro.herramienta,
        "desenlace = :desenlace": filtro.desenlace.value if filtro.desenlace else None,
        "instr(lower(herramienta || ' ' || argumentos), :texto) > 0": filtro.texto
        and _como_guardado(filtro.texto),
        "instante >= :desde": _micros(filtro.desde),
        "instante < :hasta": _micros(filtro.hasta),
        "id <= :hasta_id": filtro.hasta_id,
    }
    usadas = [condicion for condicion, valor in condiciones.items() if valor is not None]
    nombres = ("agente", "herramienta", "desenlace", "texto", "desde", "hasta", "hasta_id")
    filas = con.execute(
        f"""SELECT id, instante, agente, herramienta, argumentos, desenlace, ms, octetos, codigo, nonce
            FROM agente_llamada {"WHERE" if usadas else ""} {" AND ".join(usadas)}
            ORDER BY id DESC LIMIT :limite""",
        dict(zip(nombres, condiciones.values(), strict=True)) | {"limite": filtro.limite},
    )
    return [(int(fila[0]), _llamada(fila[1:])) for fila in filas]


def _como_guardado(texto: str) -> str:
    """Arguments are kept as ASCII JSON: what is looked for is written the same way."""
    return json.dumps(texto.lower())[1:-1]


def ultima_de_intento(con: sqlite3.Connection, nonce: str) -> datetime | None:
    """When a call with that attempt's nonce last came."""
    fila = con.execute("SELECT max(instante) FROM agente_llamada WHERE nonce = ?", (nonce,)).fetchone()
    return _instante(fila[0])


def ultima_de_agente(con: sqlite3.Connection, nombre: str) -> datetime | None:
    """When that agent last called a tool."""
    fila = con.execute(
        "SELECT instante FROM agente_llamada WHERE agente = ? ORDER BY id DESC LIMIT 1", (nombre,)
    ).fetchone()
    return _instante(fila[0]) if fila else None


def _agente(fila: tuple[str, str, int, int | None, int | None, int | None]) -> Agente:
    nombre, permisos, creado, rotado, revocado, visto = fila
    return Agente(
        nombre=nombre,
        permisos=frozenset(json.loads(permisos)),
        creado=desde_micros(creado),
        rotado=_instante(rotado),
        revocado=_instante(revocado),
        visto=_instante(visto),
    )


def _llamada(fila: tuple[int, str, str, str, str, float, int, str | None, str | None]) -> Llamada:
    instante, agente, herramienta, argumentos, desenlace, ms, octetos, codigo, nonce = fila
    return Llamada(
        instante=desde_micros(instante),
        agente=agente,
        herramienta=herramienta,
        argumentos=argumentos,
        desenlace=Desenlace(desenlace),
        ms=ms,
        octetos=octetos,
        codigo=codigo,
        nonce=nonce,
    )


def _micros(instante: datetime | None) -> int | None:
    return None if instante is None else a_micros(instante)


def _instante(micros: int | None) -> datetime | None:
    return None if micros is None else desde_micros(micros)
