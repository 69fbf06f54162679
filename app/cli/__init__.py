"""The `sobre` command. Exit codes: 0 done, 1 refused or failed (one line on stderr), 2 wrong use."""

from __future__ import annotations

import os
import sqlite3
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click
from click.exceptions import NoArgsIsHelpError

from app.cli.espanol import Ayuda, explicar
from nucleo.errores import ErrorSobre
from nucleo.visible import visible

COMANDOS = {
    "init": "app.cli.init:init",
    "radar": "app.cli.radar:radar",
    "licitacion": "app.cli.licitacion:licitacion",
    "prefiltro": "app.cli.prefiltro:prefiltro",
    "perfil": "app.cli.perfil:perfil",
    "criba": "app.cli.criba:criba",
    "evaluar": "app.cli.evaluar:evaluar",
    "cola": "app.cli.cola:cola",
    "recorrido": "app.cli.recorrido:recorrido",
    "usuario": "app.cli.usuario:usuario",
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
    """Entry point: whatever goes wrong becomes one line on stderr and an exit code."""
    click.Context.formatter_class = Ayuda
    try:
        _avisar_de_desconocidas()
        sobre(standalone_mode=False)
    except click.exceptions.Exit as salida:
        sys.exit(salida.exit_code)
    except NoArgsIsHelpError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.UsageError as error:
        _terminar(explicar(error), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _terminar("Interrumpido.")
    except ErrorSobre as error:
        _terminar(error.mensaje)
    except UnicodeEncodeError:
        _terminar("La orden lleva caracteres que no son texto en UTF-8: escríbelos de otra forma.")
    except (OSError, sqlite3.Error) as error:
        _terminar(f"No se ha podido terminar: {_de_disco(error)}")
    except Exception as error:  # noqa: BLE001 - a traceback is no answer; where it broke is kept for who must mend it
        _terminar(f"Fallo del programa, no tuyo: {type(error).__name__} en {_lugar(error)}: {error}")


def _avisar_de_desconocidas() -> None:
    from nucleo.configuracion import desconocidas  # noqa: PLC0415 - slow: here, Ctrl-C meanwhile is answered too

    for variable, parecida in desconocidas(os.environ).items():
        pista = f"; ¿querías decir {parecida}?" if parecida else ""
        click.echo(f"Aviso: nada lee la variable {variable}{pista}", err=True)


def _terminar(motivo: str, codigo: int = 1) -> NoReturn:
    click.echo(visible(motivo.encode("utf-8", "backslashreplace").decode()), err=True)
    sys.exit(codigo)


def _de_disco(error: OSError | sqlite3.Error) -> str:
    """What the system said, in words for people when it is about one file."""
    fichero = getattr(error, "filename", None)
    for clase, frase in _DE_FICHERO.items():
        if isinstance(error, clase) and fichero:
            return f"{fichero}: {frase}."
    return f"{error}. Comprueba el disco y la carpeta de datos."


_DE_FICHERO: dict[type[OSError], str] = {
    FileNotFoundError: "no existe, o no existe la carpeta donde tendría que estar",
    PermissionError: "no hay permiso para leerlo o escribirlo",
    IsADirectoryError: "es una carpeta y hacía falta un fichero",
    NotADirectoryError: "pasa por un fichero como si fuera una carpeta",
}


def _lugar(error: Exception) -> str:
    """File and line of ours where it broke, nearest to the failure."""
    raiz = Path(__file__).resolve().parents[2]
    propios = [
        f"{Path(t.filename).relative_to(raiz)}:{t.lineno}"
        for t in traceback.extract_tb(error.__traceback__)
        if Path(t.filename).is_relative_to(raiz) and "site-packages" not in t.filename
    ]
    return propios[-1] if propios else "una biblioteca"
