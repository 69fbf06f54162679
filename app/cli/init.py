"""`sobre init`: the data folder and its databases, ready to use; doing it again changes nothing."""

from __future__ import annotations

import click

from app.cli.cuentas import primera_cuenta
from dominios.licitaciones import registro
from nucleo import registro as registro_nucleo
from nucleo.configuracion import configuracion


@click.command(
    help="Crea la carpeta de datos y sus bases, o las actualiza (antes guarda una copia). "
    "La primera vez abre la cuenta de quien administra y enseña su contraseña. Repetirlo no cambia nada."
)
def init() -> None:
    """Raises ErrorBaseDatos when the folder or a database cannot be used, and as `primera_cuenta`."""
    datos = configuracion().datos
    click.echo(f"Listas: {registro.preparar(datos)} y {registro_nucleo.preparar(datos)}")
    if (cuenta := primera_cuenta(datos)) is not None:
        click.echo(cuenta)
