"""SQL of the company's profile."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from nucleo.empresa.modelo import Empresa
from nucleo.modelo import Modelo
from nucleo.reloj import a_micros, desde_micros


class VersionPerfil(Modelo):
    """A version: who left it, when (UTC) and why."""

    version: int
    creado: datetime
    autor: str
    nota: str


class PerfilGuardado(Modelo):
    """A version with what it says."""

    cabecera: VersionPerfil
    empresa: Empresa


def anadir(con: sqlite3.Connection, empresa: Empresa, autor: str, nota: str, ahora: datetime) -> None:
    """A new version after the others; call inside nucleo.bd.transaccion."""
    con.execute(
        "INSERT INTO empresa_perfil(datos, creado, autor, nota) VALUES (?, ?, ?, ?)",
        (empresa.model_dump_json(), a_micros(ahora), autor, nota),
    )


def ultima(con: sqlite3.Connection) -> PerfilGuardado | None:
    """The version in force."""
    return _perfil(
        con.execute(
            "SELECT version, creado, autor, nota, datos FROM empresa_perfil ORDER BY version DESC LIMIT 1"
        ).fetchone()
    )


def leer(con: sqlite3.Connection, version: int) -> PerfilGuardado | None:
    """That version."""
    return _perfil(
        con.execute(
            "SELECT version, creado, autor, nota, datos FROM empresa_perfil WHERE version = ?", (version,)
        ).fetchone()
    )


def listar(con: sqlite3.Connection) -> tuple[VersionPerfil, ...]:
    """Newest first."""
    filas = con.execute("SELECT version, creado, autor, nota FROM empresa_perfil ORDER BY version DESC")
    return tuple(_cabecera(*fila) for fila in filas)


def _perfil(fila: tuple[int, int, str, str, str] | None) -> PerfilGuardado | None:
    if fila is None:
        return None
    return PerfilGuardado(cabecera=_cabecera(*fila[:4]), empresa=Empresa.model_validate_json(fila[4]))


def _cabecera(version: int, creado: int, autor: str, nota: str) -> VersionPerfil:
    return VersionPerfil(version=version, creado=desde_micros(creado), autor=autor, nota=nota)
