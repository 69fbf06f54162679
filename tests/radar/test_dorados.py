"""The literal part of real entries equals what an independent reader saw in them."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

from dominios.licitaciones.radar.atom import recorrer_pagina
from dominios.licitaciones.radar.codice import mapear
from dominios.licitaciones.radar.literal import Entrada, literal

CUANTOS = 19


def test_los_documentos_dorados_coinciden(datos_reales: Path) -> None:
    carpeta = datos_reales / "placsp"
    dorados = sorted((carpeta / "golden").glob("*.json"))
    assert len(dorados) == CUANTOS
    for dorado in dorados:
        esperado = json.loads(dorado.read_text("utf-8"))
        origen, _, posicion = esperado["fuente"].rpartition("#")
        leidas = _entradas(_cuerpo(carpeta, origen))
        visto = json.loads(json.dumps(leidas[int(posicion)]))
        assert visto == esperado["entrada"], dorado.name


def _entradas(cuerpo: bytes) -> list[Entrada]:
    entradas: list[Entrada] = []
    recorrer_pagina(cuerpo, lambda e: entradas.append(literal(mapear(e))), lambda _: None)
    return entradas


def _cuerpo(carpeta: Path, origen: str) -> bytes:
    fichero, _, miembro = origen.partition("!")
    if "…" in fichero:  # the golden files abbreviate that one name
        antes, _, despues = fichero.partition("…")
        (ruta,) = (carpeta / antes).glob(f"*{despues}")
    else:
        ruta = carpeta / fichero
    if miembro:
        with zipfile.ZipFile(ruta) as archivo:
            return archivo.read(miembro)
    return gzip.decompress(ruta.read_bytes()) if ruta.suffix == ".gz" else ruta.read_bytes()
