"""What the radar's tests share: a store to feed and read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dominios.licitaciones import registro
from tests.radar.caja import Caja


@pytest.fixture
def caja(tmp_path: Path) -> Iterator[Caja]:
    """An empty store of tenders."""
    vacia = Caja(registro.preparar(tmp_path))
    with closing(vacia.con):
        yield vacia
