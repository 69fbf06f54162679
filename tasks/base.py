"""The tenders' database as tasks open it: once per task, in a thread when the work is long."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from dominios.licitaciones import registro
from nucleo.bd import conectar
from nucleo.configuracion import configuracion


@contextmanager
def base() -> Iterator[sqlite3.Connection]:
    """A connection to the installation's database, created or upgraded if need be."""
    with closing(conectar(registro.preparar(configuracion().datos))) as con:
        yield con


def carpeta_historico() -> Path:
    """Where ZIPs of the past wait between download and import."""
    carpeta = configuracion().datos / "historico"
    carpeta.mkdir(parents=True, exist_ok=True)
    return carpeta
