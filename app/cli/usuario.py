"""`sobre usuario`: the accounts, from the machine itself; also the way back in for who lost the password."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import click
from pydantic import ValidationError

from app.cli.comun import escribir_json, opcion_json
from app.cli.cuentas import MAQUINA
from nucleo import registro
from nucleo.bd import conectar
from nucleo.configuracion import configuracion
from nucleo.errores import ErrorEntrada
from nucleo.personas import administrar
from nucleo.personas.modelo import AltaUsuario, Rol, normalizar
from nucleo.reloj import reloj_del_sistema

ROLES = click.Choice([rol.value for rol in Rol])


@click.group(help="Las cuentas de las personas que entran en la web.")
def usuario() -> None:
    """The group."""


@contextmanager
def _comun() -> Iterator[sqlite3.Connection]:
    with closing(conectar(registro.preparar(configuracion().datos))) as con:
        yield con


@usuario.command(help="Abre una cuenta y enseña su contraseña de un solo uso.")
@click.argument("nombre")
@click.option("--rol", type=ROLES, default=Rol.LECTOR.value, show_default=True, help="Qué puede hacer.")
@click.option("--como", metavar="NOMBRE", help="Cómo se llama la persona; si no se dice, como la cuenta.")
def crear(nombre: str, rol: str, como: str | None) -> None:
    """Raises ErrorEntrada when the name will not do or is taken."""
    try:
        alta = AltaUsuario(usuario=normalizar(nombre), nombre=como or nombre, rol=Rol(rol))
    except ValidationError as error:
        raise ErrorEntrada(f"El usuario «{nombre}» no vale: {error.errors()[0]['msg']}.") from error
    with _comun() as con:
        clave = administrar.invitar(con, alta, MAQUINA, reloj_del_sistema())
    _decir_clave(alta.usuario, clave)


@usuario.command(help="Lista las cuentas.")
@opcion_json
def listar(en_json: bool) -> None:
    """Every account, disabled ones too."""
    with _comun() as con:
        todos = administrar.listar(con)
    if en_json:
        escribir_json([u.model_dump(mode="json", exclude={"id"}) for u in todos])
        return
    for uno in todos:
        estado = (
            "desactivada" if uno.desactivado else "debe cambiar la contraseña" if uno.cambiar_clave else ""
        )
        click.echo(f"{uno.usuario}  {uno.rol}  {uno.nombre}{f'  ({estado})' if estado else ''}")


@usuario.command(help="Cambia el rol de una cuenta; se cierran sus sesiones.")
@click.argument("nombre")
@click.argument("nuevo", type=ROLES)
def rol(nombre: str, nuevo: str) -> None:
    """Raises NoEncontrado, ErrorEntrada."""
    with _comun() as con:
        administrar.cambiar_rol(con, nombre, Rol(nuevo), MAQUINA, reloj_del_sistema())
    click.echo(f"«{nombre}» es ahora {nuevo}.")


@usuario.command(help="Da a una cuenta otra contraseña de un solo uso; se cierran sus sesiones.")
@click.argument("nombre")
def clave(nombre: str) -> None:
    """Raises NoEncontrado."""
    with _comun() as con:
        nueva = administrar.restablecer(con, nombre, MAQUINA, reloj_del_sistema())
    _decir_clave(normalizar(nombre), nueva)


@usuario.command(help="Desactiva una cuenta: ya no entra, y lo que hizo se conserva.")
@click.argument("nombre")
def desactivar(nombre: str) -> None:
    """Raises NoEncontrado, ErrorEntrada."""
    with _comun() as con:
        administrar.desactivar(con, nombre, MAQUINA, reloj_del_sistema())
    click.echo(f"«{nombre}» ya no puede entrar.")


@usuario.command(help="Vuelve a dejar entrar a una cuenta desactivada.")
@click.argument("nombre")
def activar(nombre: str) -> None:
    """Raises NoEncontrado."""
    with _comun() as con:
        administrar.activar(con, nombre, MAQUINA, reloj_del_sistema())
    click.echo(f"«{nombre}» puede entrar.")


@usuario.command("cerrar-sesiones", help="Cierra todas las sesiones de una cuenta.")
@click.argument("nombre")
def cerrar_sesiones(nombre: str) -> None:
    """Raises NoEncontrado."""
    with _comun() as con:
        cerradas = administrar.revocar_todas(con, nombre, MAQUINA, reloj_del_sistema())
    click.echo(f"{len(cerradas)} sesiones cerradas.")


def _decir_clave(nombre: str, nueva: str) -> None:
    click.echo(
        f"«{nombre}», contraseña de un solo uso: {nueva}\nNo se vuelve a mostrar. Al entrar habrá que cambiarla."
    )
