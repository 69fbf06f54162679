"""The `sobre` command. Exit codes: 0 done, 1 refused or failed (one line on stderr), 2 wrong use."""

from __future__ import annotations

import os
import sqlite3
import sys
from importlib import import_module

import click

from nucleo.configuracion import desconocidas
from nucleo.errores import ErrorSobre

COMANDOS = {
    "init": "app.cli.init:init",
    "radar": "app.cli.radar:radar",
    "licitacion": "app.cli.licitacion:licitacion",
    "prefiltro": "app.cli.prefiltro:prefiltro",
    "perfil": "app.cli.perfil:perfil",
    "criba": "app.cli.criba:criba",
    "cola": "app.cli.cola:cola",
    "agente": "app.cli.agente:agente",
    "salud": "app.cli.salud:salud",
    "demo": "app.cli.demo:demo",
    "arriba": "app.cli.arriba:arriba",
}
"""Name of the command → where it lives; a module is imported only when its command runs (start-up time)."""


class GrupoPerezoso(click.Group):
    """A click group that imports each command's module when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table."""
        return list(COMANDOS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now, or None when there is none of that name."""
        if cmd_name not in COMANDOS:
            return None
        modulo, nombre = COMANDOS[cmd_name].split(":")
        comando: click.Command = getattr(import_module(modulo), nombre)
        return comando


@click.group(cls=GrupoPerezoso, help="Sobre Abierto: del radar de licitaciones a la oferta.")
def sobre() -> None:
    """Root of the commands."""


def principal() -> None:
    """Entry point: our errors become one line on stderr and exit code 1."""
    for variable, parecida in desconocidas(os.environ).items():
        pista = f"; ¿querías decir {parecida}?" if parecida else ""
        click.echo(f"Aviso: nada lee la variable {variable}{pista}", err=True)
    try:
        sobre(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.exceptions.Exit as salida:
        sys.exit(salida.exit_code)
    except click.Abort:
        click.echo("Interrumpido.", err=True)
        sys.exit(1)
    except ErrorSobre as error:
        click.echo(error.mensaje, err=True)
        sys.exit(1)
    except (OSError, sqlite3.Error) as error:
        click.echo(f"No se ha podido terminar: {error}. Comprueba el disco y la carpeta de datos.", err=True)
        sys.exit(1)
