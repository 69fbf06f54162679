"""What the tests of the runs' store may ask for."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nucleo.bd import conectar
from tests.recorridos.almacen.base import base_nueva


@pytest.fixture
def fichero(tmp_path: Path) -> Path:
    """An empty database with the runs' schema."""
    return base_nueva(tmp_path)


@pytest.fixture
def con(fichero: Path) -> Iterator[sqlite3.Connection]:
    """A connection to it."""
    with closing(conectar(fichero)) as abierta:
        yield abierta
