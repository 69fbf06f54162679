"""The profile's versions: a new one when something changed, any of them to look at."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from nucleo.bd import transaccion
from nucleo.empresa import almacen
from nucleo.empresa.almacen import PerfilGuardado, VersionPerfil
from nucleo.empresa.modelo import Empresa
from nucleo.errores import ErrorEntrada, ErrorSobre, NoEncontrado

AUTOR_MAX, NOTA_MAX = 120, 1000
"""Characters."""


class PerfilCambiado(ErrorSobre):
    """Somebody left another version after the one that was being edited; nothing is written over it."""

    codigo = "perfil_cambiado"


def guardar(  # noqa: PLR0913, PLR0917 - a version and what it was made from
    con: sqlite3.Connection,
    empresa: Empresa,
    autor: str,
    nota: str,
    ahora: datetime,
    sobre: int | None = None,
) -> tuple[PerfilGuardado, bool]:
    """The version in force afterwards, and whether it is new: what says the same as the last one is not kept twice.

    `sobre` is the version that was edited (0 = there was none); raises PerfilCambiado when it is not the last any more.
    None = whatever there is now. Raises ErrorEntrada for an author that is blank or too long, or too long a note.
    """
    if not autor.strip() or len(autor) > AUTOR_MAX:
        raise ErrorEntrada(f"Di quién cambia el perfil, en {AUTOR_MAX} caracteres como mucho.")
    if len(nota) > NOTA_MAX:
        raise ErrorEntrada(f"La nota es demasiado larga: como máximo, {NOTA_MAX} caracteres.")
    with transaccion(con):
        previo = almacen.ultima(con)
        _sobre_la_ultima(previo.cabecera if previo else None, sobre)
        cambia = previo is None or previo.empresa != empresa
        if cambia:
            almacen.anadir(con, empresa, autor, nota, ahora)
        return vigente(con), cambia


def _sobre_la_ultima(ultima: VersionPerfil | None, sobre: int | None) -> None:
    hay = ultima.version if ultima else 0
    if sobre is not None and sobre != hay:
        quien = f", de {ultima.autor}" if ultima else ""
        raise PerfilCambiado(
            f"No se ha guardado: se editaba la versión {sobre} y mientras tanto se ha dejado la {hay}{quien}."
            " Mírala y vuelve a hacer el cambio sobre ella."
        )


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
