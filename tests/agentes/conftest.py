"""The shared database and a served /mcp."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nucleo import registro
from nucleo.bd import conectar
from tests.agentes.casa import Casa, abrir_casa


@pytest.fixture
def con(datos: Path) -> Iterator[sqlite3.Connection]:
    """The shared database, empty."""
    with closing(conectar(registro.preparar(datos))) as abierta:
        yield abierta


@pytest.fixture
def casa(datos: Path) -> Iterator[Casa]:
    """/mcp with the tools of `casa.py`."""
    with abrir_casa(datos) as abierta:
        yield abierta
