"""Giving agents their token, changing it, taking it away, and letting in those who bring one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import NamedTuple

from pydantic import ValidationError

from nucleo.agentes import almacen, tokens
from nucleo.agentes.modelo import Agente
from nucleo.bd import transaccion
from nucleo.errores import ErrorEntrada, NoEncontrado

SIN_REPETIR = timedelta(seconds=1)
"""How often at most a visit is written down."""

_NADIE = bytes(32)
_NO_PUEDE = frozenset((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL))


class Credencial(NamedTuple):
    """An agent and its token: the only time that it can be read."""

    agente: Agente
    token: str


def crear(con: sqlite3.Connection, nombre: str, permisos: Iterable[str], ahora: datetime) -> Credencial:
    """A new agent, or one that was revoked and comes back. Raises ErrorEntrada (name taken, wrong permission)."""
    try:
        agente = Agente(nombre=nombre, permisos=frozenset(permisos), creado=ahora)
    except ValidationError as error:
        raise _forma_incorrecta(error) from error
    if not agente.permisos:
        raise ErrorEntrada("Un agente sin permisos no puede nada: di al menos uno, como «leer:licitaciones».")
    token = tokens.nuevo()
    with transaccion(con):
        previo = almacen.leer(con, nombre)
        if previo is not None and previo.revocado is None:
            raise ErrorEntrada(f"Ya hay un agente «{nombre}»: cámbiale el token con «sobre agente rotar».")
        almacen.guardar(con, agente, tokens.huella(token))
    return Credencial(agente, token)


def rotar(con: sqlite3.Connection, nombre: str, ahora: datetime) -> Credencial:
    """A new token under the same name; the old one stops at once. Raises NoEncontrado, ErrorEntrada when revoked."""
    token = tokens.nuevo()
    with transaccion(con):
        agente = _existente(con, nombre)
        if agente.revocado is not None:
            raise ErrorEntrada(
                f"El agente «{nombre}» está revocado: vuelve a crearlo con «sobre agente crear»."
            )
        agente = agente.model_copy(update={"rotado": ahora})
        almacen.guardar(con, agente, tokens.huella(token))
    return Credencial(agente, token)


def revocar(con: sqlite3.Connection, nombre: str, ahora: datetime) -> Agente:
    """It can no longer come in; revoking it twice changes nothing. Raises NoEncontrado."""
    with transaccion(con):
        agente = _existente(con, nombre)
        if agente.revocado is None:
            agente = agente.model_copy(update={"revocado": ahora})
            almacen.guardar(con, agente, None)
    return agente


def listar(con: sqlite3.Connection) -> tuple[Agente, ...]:
    """Every agent, revoked ones too."""
    return almacen.leer_todos(con)


def visto(con: sqlite3.Connection, nombre: str) -> datetime | None:
    """When the agent last reached the server with its token, whatever it asked; None if never."""
    agente = almacen.leer(con, nombre)
    return agente.visto if agente else None


def autenticar(con: sqlite3.Connection, token: str | None, ahora: datetime) -> Agente | None:
    """Whose token it is, or None. The database is asked every time, so that a revoked one stops at once.

    No token, a wrong one and a monstrous one cost the same: one hash, one search by hash, one comparison.
    """
    dado = token if token is not None and len(token) <= tokens.LARGO_MAX else ""
    huella = tokens.huella(dado)
    agente, guardada = almacen.leer_por_huella(con, huella) or (None, _NADIE)
    if not compare_digest(huella, guardada) or agente is None or agente.revocado is not None:
        return None
    if agente.visto is None or ahora - agente.visto >= SIN_REPETIR:
        _anotar_visita(con, agente.nombre, ahora)
    return agente


def _anotar_visita(con: sqlite3.Connection, nombre: str, ahora: datetime) -> None:
    """Now or never: nobody waits to come in, nor is left out, because somebody else writes or the disk is full."""
    (espera,) = con.execute("PRAGMA busy_timeout").fetchone()
    con.execute("PRAGMA busy_timeout=0")
    try:
        with transaccion(con):
            almacen.anotar_visto(con, nombre, ahora)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in _NO_PUEDE:
            raise
    finally:
        con.execute(f"PRAGMA busy_timeout={espera}")


def _existente(con: sqlite3.Connection, nombre: str) -> Agente:
    agente = almacen.leer(con, nombre)
    if agente is None:
        raise NoEncontrado(f"No hay ningún agente «{nombre}»: míralos con «sobre agente listar».")
    return agente


def _forma_incorrecta(error: ValidationError) -> ErrorEntrada:
    if error.errors()[0]["loc"][0] == "nombre":
        return ErrorEntrada(
            "El nombre de un agente va en minúsculas, cifras y guiones, de 2 a 40 caracteres."
        )
    return ErrorEntrada("Los permisos son «leer:DOMINIO», «proponer:DOMINIO» o «personal».")
