"""A shared database with the runs of the test house."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nucleo import registro
from nucleo.bd import conectar


@pytest.fixture
def con(datos: Path) -> Iterator[sqlite3.Connection]:
    with closing(conectar(registro.preparar(datos))) as abierta:
        yield abierta
