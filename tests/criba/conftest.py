"""The installation of the criba's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.criba.taller import Taller, abrir, cerrar


@pytest.fixture
def taller(datos: Path) -> Iterator[Taller]:
    """Databases with a company profile and without tenders."""
    abierto = abrir(datos)
    abierto.perfilar()
    yield abierto
    cerrar(abierto)
