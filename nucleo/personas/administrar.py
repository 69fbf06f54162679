"""What who administers does with the accounts of others. `por` signs: a person's name, or who runs the command."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from nucleo.bd import transaccion
from nucleo.errores import ErrorEntrada, NoEncontrado
from nucleo.personas import almacen, auditoria, claves
from nucleo.personas.auditoria import Hecho
from nucleo.personas.modelo import AltaUsuario, Guardada, Rol, Usuario, normalizar


def crear(con: sqlite3.Connection, alta: AltaUsuario, clave: str, por: str, ahora: datetime) -> Usuario:
    """An account with a password that its owner keeps. Raises ErrorEntrada usuario_existe, clave_debil."""
    claves.exigir_fuerte(clave, alta.usuario)
    return _crear(con, alta, Guardada(claves.guardar(clave), False), por, ahora)


def invitar(con: sqlite3.Connection, alta: AltaUsuario, por: str, ahora: datetime) -> str:
    """An account with a password to be told once and changed at the first login. Raises ErrorEntrada usuario_existe."""
    clave = claves.de_un_uso()
    _crear(con, alta, Guardada(claves.guardar(clave), True), por, ahora)
    return clave


def restablecer(con: sqlite3.Connection, usuario: str, por: str, ahora: datetime) -> str:
    """A new password to be told once; every session of that account ends. Raises NoEncontrado."""
    clave = claves.de_un_uso()
    guardada = claves.guardar(clave)
    with transaccion(con):
        quien = _existente(con, usuario)
        almacen.poner_clave(con, quien.id, guardada, True)
        almacen.cerrar_sesiones(con, quien.id)
        auditoria.anotar(con, Hecho(quien=por, que="restablecer_clave", objeto=quien.usuario, cuando=ahora))
    return clave


def cambiar_rol(con: sqlite3.Connection, usuario: str, rol: Rol, por: str, ahora: datetime) -> Usuario:
    """Sessions opened with the former role end. Raises NoEncontrado, ErrorEntrada ultimo_admin."""
    with transaccion(con):
        quien = _existente(con, usuario)
        if quien.rol is rol:
            return quien
        if rol is not Rol.ADMIN:
            _exigir_que_quede_uno(con, quien)
        almacen.poner_rol(con, quien.id, rol)
        almacen.cerrar_sesiones(con, quien.id)
        auditoria.anotar(
            con,
            Hecho(
                quien=por,
                que="cambiar_rol",
                objeto=quien.usuario,
                antes=quien.rol.value,
                despues=rol.value,
                cuando=ahora,
            ),
        )
    return quien.model_copy(update={"rol": rol})


def desactivar(con: sqlite3.Connection, usuario: str, por: str, ahora: datetime) -> None:
    """It can no longer come in; what it did stays. Raises NoEncontrado, ErrorEntrada ultimo_admin."""
    with transaccion(con):
        quien = _existente(con, usuario)
        if quien.desactivado is not None:
            return
        _exigir_que_quede_uno(con, quien)
        almacen.poner_desactivado(con, quien.id, ahora)
        almacen.cerrar_sesiones(con, quien.id)
        auditoria.anotar(
            con,
            Hecho(
                quien=por,
                que="desactivar",
                objeto=quien.usuario,
                antes="activo",
                despues="desactivado",
                cuando=ahora,
            ),
        )


def activar(con: sqlite3.Connection, usuario: str, por: str, ahora: datetime) -> None:
    """It can come in again, with the password it had. Raises NoEncontrado."""
    with transaccion(con):
        quien = _existente(con, usuario)
        if quien.desactivado is not None:
            almacen.poner_desactivado(con, quien.id, None)
            auditoria.anotar(
                con,
                Hecho(
                    quien=por,
                    que="activar",
                    objeto=quien.usuario,
                    antes="desactivado",
                    despues="activo",
                    cuando=ahora,
                ),
            )


def revocar_todas(con: sqlite3.Connection, usuario: str, por: str, ahora: datetime) -> list[str]:
    """End every session of an account; the hashes of those there were. Raises NoEncontrado."""
    with transaccion(con):
        quien = _existente(con, usuario)
        huellas = almacen.cerrar_sesiones(con, quien.id)
        auditoria.anotar(
            con,
            Hecho(
                quien=por,
                que="cerrar_sesiones",
                objeto=quien.usuario,
                antes=str(len(huellas)),
                despues="0",
                cuando=ahora,
            ),
        )
    return huellas


def listar(con: sqlite3.Connection) -> tuple[Usuario, ...]:
    """Every account, disabled ones too."""
    return almacen.leer_todos(con)


def hay_cuentas(con: sqlite3.Connection) -> bool:
    """Whether the first account has been opened."""
    return bool(almacen.leer_todos(con))


def _crear(con: sqlite3.Connection, alta: AltaUsuario, clave: Guardada, por: str, ahora: datetime) -> Usuario:
    with transaccion(con):
        if almacen.leer(con, alta.usuario) is not None:
            raise ErrorEntrada(
                f"Ya hay una cuenta «{alta.usuario}»: elige otro nombre o actívala si se desactivó.",
                codigo="usuario_existe",
            )
        almacen.crear(con, alta, clave, ahora)
        auditoria.anotar(
            con, Hecho(quien=por, que="alta", objeto=alta.usuario, despues=alta.rol.value, cuando=ahora)
        )
        return _existente(con, alta.usuario)


def _existente(con: sqlite3.Connection, usuario: str) -> Usuario:
    quien = almacen.leer(con, normalizar(usuario))
    if quien is None:
        raise NoEncontrado(f"No hay ninguna cuenta «{usuario}»: mira las que hay con «sobre usuario listar».")
    return quien


def _exigir_que_quede_uno(con: sqlite3.Connection, quien: Usuario) -> None:
    if quien.rol is Rol.ADMIN and quien.desactivado is None and almacen.admins_activos(con) == 1:
        raise ErrorEntrada(
            f"«{quien.usuario}» es la única cuenta que administra: da antes ese rol a otra.",
            codigo="ultimo_admin",
        )
