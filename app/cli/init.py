"""`sobre init`: the data folder and its databases, ready to use; doing it again changes nothing."""

from __future__ import annotations

import click

from dominios.licitaciones import registro
from nucleo import registro as registro_nucleo
from nucleo.configuracion import configuracion


@click.command(
    help="Crea la carpeta de datos y sus bases, o las actualiza (antes guarda una copia). "
    "Repetirlo no cambia nada. Todavía no hay cuentas de usuario: no crea ninguna ni pide contraseña."
)
def init() -> None:
    """Raises ErrorBaseDatos when the folder or a database cannot be used."""
    datos = configuracion().datos
    click.echo(f"Listas: {registro.preparar(datos)} y {registro_nucleo.preparar(datos)}")
