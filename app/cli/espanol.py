"""Click in Spanish: one sentence for an order that is wrong, and the headings of its help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import click
from click.exceptions import NoSuchCommand


class Ayuda(click.HelpFormatter):
    """The help of every command, with click's own words in Spanish."""

    PALABRAS: ClassVar[dict[str, str]] = {
        "Commands": "Órdenes",
        "Options": "Opciones",
        "Show this message and exit.": "Muestra esta ayuda.",
    }

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """The first line: how the command is written."""
        propios = args.replace("[OPTIONS]", "[OPCIONES]").replace("COMMAND [ARGS]...", "ORDEN …")
        super().write_usage(prog, propios, prefix or "Uso: ")

    def write_heading(self, heading: str) -> None:
        """The title of a section."""
        super().write_heading(self.PALABRAS.get(heading, heading))

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Options or commands with what each is for."""
        super().write_dl([(nombre, self._texto(texto)) for nombre, texto in rows], col_max, col_spacing)

    def _texto(self, texto: str) -> str:
        return self.PALABRAS.get(texto, texto).replace("[default: ", "[si no se dice: ")


def explicar(error: click.UsageError) -> str:
    """What is wrong with the order and where its help is, in one line."""
    ayuda = f" Ayuda: {error.ctx.command_path} --help" if error.ctx else ""
    return f"{_motivo(error)}{ayuda}"


def _motivo(error: click.UsageError) -> str:
    match error:
        case NoSuchCommand():
            return f"No existe la orden «{error.command_name}».{_parecidas(error.possibilities)}"
        case click.NoSuchOption():
            return f"No existe la opción {error.option_name}.{_parecidas(error.possibilities)}"
        case click.BadOptionUsage():
            return f"La opción {error.option_name} está mal escrita: le falta o le sobra un valor."
        case click.BadParameter() if error.param is not None:
            return _motivo_de_valor(error, error.param)
    return "Sobra algo en la orden." if error.message.startswith("Got unexpected extra") else error.message


def _motivo_de_valor(error: click.BadParameter, parametro: click.Parameter) -> str:
    if isinstance(error, click.MissingParameter):
        return f"Falta {_nombre(parametro)}."
    return f"El valor de {_nombre(parametro)} no vale{_condicion(parametro.type)}."


def _nombre(parametro: click.Parameter) -> str:
    return parametro.opts[-1] if isinstance(parametro, click.Option) else (parametro.name or "").upper()


def _condicion(tipo: click.ParamType) -> str:
    if isinstance(tipo, click.Choice):
        return f": tiene que ser {', '.join(map(str, tipo.choices))}"
    if isinstance(tipo, click.IntRange):
        return f": tiene que ser un número entero de {tipo.min} a {tipo.max}"
    if isinstance(tipo, click.DateTime):
        return ": tiene que ser una fecha AAAA-MM-DD"
    return ""


def _parecidas(nombres: list[str] | None) -> str:
    return f" ¿Querías decir {' o '.join(nombres)}?" if nombres else ""
