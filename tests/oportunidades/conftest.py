"""Two stores: the bundled sample through the importer, and a few hundred made-up rows of every kind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bench import _sintetica
from dominios.licitaciones import registro
from dominios.licitaciones.radar.almacen import guardar_pagina
from dominios.licitaciones.radar.muestra.servir import paginas
from dominios.licitaciones.radar.procesar import procesar_pagina
from nucleo.bd import conectar, conectar_lectura, transaccion
from tests.conftest import AHORA


@pytest.fixture(scope="module")
def muestra(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """The bundled sample, stored as the radar stores it."""
    fichero = registro.preparar(tmp_path_factory.mktemp("muestra"))
    with closing(conectar(fichero)) as con:
        for origen, cuerpo in paginas(AHORA).items():
            with transaccion(con):
                guardar_pagina(con, procesar_pagina(cuerpo, origen), AHORA)
        yield con


@pytest.fixture(scope="module")
def fichero_sintetico(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with 600 made-up tenders."""
    return _sintetica.construir(tmp_path_factory.mktemp("sintetica"), 600)


@pytest.fixture(scope="module")
def sintetica(fichero_sintetico: Path) -> Iterator[sqlite3.Connection]:
    """It, opened for reading."""
    with closing(conectar_lectura(fichero_sintetico)) as con:
        yield con
