"""Importing from threads that come and go, as tasks do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from dominios.licitaciones.radar.importar import importar_ficheros
from dominios.licitaciones.radar.muestra.servir import paginas
from nucleo.bd import conectar
from nucleo.reloj import Reloj
from tests.conftest import AHORA


def test_cada_hilo_importa_con_su_propia_conexion(fichero_bd: Path, tmp_path: Path, reloj: Reloj) -> None:
    def importar(cuerpo: bytes) -> int:
        pagina = tmp_path / "pagina.atom"
        pagina.write_bytes(cuerpo)
        with closing(conectar(fichero_bd)) as con:
            return importar_ficheros(con, [pagina], None, reloj, lambda _: None).entradas

    entradas = 0
    for cuerpo in paginas(AHORA).values():
        # Two alive at once, so that no identifier of a thread is used again by the next one.
        with ThreadPoolExecutor(2) as hilos:
            entradas += sum(hilos.map(importar, [cuerpo]))
            entradas += sum(hilos.map(importar, [cuerpo]))
    assert entradas > 0
