"""What every command shares: the opened databases and the one JSON document on stdout."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import click

from dominios.licitaciones import registro
from nucleo import registro as registro_nucleo
from nucleo.bd import conectar
from nucleo.configuracion import configuracion

NUMERO = click.IntRange(1, 2**62)
"""Number of something kept: SQLite holds no larger one."""
CUENTA = click.IntRange(0, 2**62)
opcion_json = click.option("--json", "en_json", is_flag=True, help="Un único documento JSON en la salida.")


@contextmanager
def base_licitaciones() -> Iterator[sqlite3.Connection]:
    """The tenders' database of this installation, created or upgraded if need be."""
    with closing(conectar(registro.preparar(configuracion().datos))) as con:
        yield con


@contextmanager
def base_nucleo() -> Iterator[sqlite3.Connection]:
    """The shared database (agents, queue, company), created or upgraded if need be."""
    with closing(conectar(registro_nucleo.preparar(configuracion().datos))) as con:
        yield con


def escribir_json(documento: object) -> None:
    """One JSON document on stdout, UTF-8, keys in the order given."""
    click.echo(json.dumps(documento, ensure_ascii=False, indent=2))
