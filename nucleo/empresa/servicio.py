"""The profile's versions: a new one when something changed, any of them to look at."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from nucleo.bd import transaccion
from nucleo.empresa import almacen
from nucleo.empresa.almacen import PerfilGuardado, VersionPerfil
from nucleo.empresa.modelo import Empresa
from nucleo.errores import NoEncontrado


def guardar(
    con: sqlite3.Connection, empresa: Empresa, autor: str, nota: str, ahora: datetime
) -> tuple[PerfilGuardado, bool]:
    """The version in force afterwards, and whether it is new: what says the same as the last one is not kept twice."""
    with transaccion(con):
        previo = almacen.ultima(con)
        cambia = previo is None or previo.empresa != empresa
        if cambia:
            almacen.anadir(con, empresa, autor, nota, ahora)
        return vigente(con), cambia


def vigente(con: sqlite3.Connection) -> PerfilGuardado:
    """The version in force. Raises NoEncontrado when there is no profile yet."""
    perfil = almacen.ultima(con)
    if perfil is None:
        raise NoEncontrado("Aún no hay perfil de la empresa: impórtalo con «sobre perfil importar FICHERO».")
    return perfil


def version(con: sqlite3.Connection, numero: int) -> PerfilGuardado:
    """That version. Raises NoEncontrado."""
    perfil = almacen.leer(con, numero)
    if perfil is None:
        raise NoEncontrado(f"No hay versión {numero} del perfil: míralas con «sobre perfil versiones».")
    return perfil


def versiones(con: sqlite3.Connection) -> tuple[VersionPerfil, ...]:
    """Every version, newest first."""
    return almacen.listar(con)
