"""Reading and importing against the cheapest thing one can do with the same bytes: `lxml.etree.fromstring`."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from lxml import etree

from bench._paginas import en_zip, origen, paginas_643, paginas_1044
from bench.tabla import Fila, al_menos, como_mucho
from dominios.licitaciones.radar.atom import recorrer_pagina
from dominios.licitaciones.radar.codice import ATOM, mapear

REPETICIONES = 7


def medir() -> list[Fila]:
    """Ratios within one run, each against its own base measured in turn with it."""
    conjuntos = (("1044", paginas_1044(3), 4000), ("643", paginas_643(12), 1000))
    filas = []
    for nombre, paginas, _ in conjuntos:
        filas.append(_lectura(nombre, paginas[:6]))
    with tempfile.TemporaryDirectory() as temporal:
        for nombre, paginas, objetivo in conjuntos:
            filas += _importacion(nombre, paginas, objetivo, Path(temporal))
    return filas


def _cpu(hacer: Callable[[], object]) -> float:
    antes = time.process_time()
    hacer()
    return time.process_time() - antes


def _arbol(paginas: list[bytes]) -> None:
    for pagina in paginas:
        etree.fromstring(pagina)


def _lectura(nombre: str, paginas: list[bytes]) -> Fila:
    def leer() -> None:
        for pagina in paginas:
            recorrer_pagina(pagina, mapear, lambda _: None)

    razones = []
    for _ in range(REPETICIONES):
        base = _cpu(lambda: _arbol(paginas))
        razones.append(_cpu(leer) / ((base + _cpu(lambda: _arbol(paginas))) / 2))
    return como_mucho(
        f"leer, mapear y validar {nombre}, CPU", statistics.median(razones), 3, "× lxml", origen()
    )


def _importacion(nombre: str, paginas: list[bytes], objetivo: int, carpeta: Path) -> list[Fila]:
    archivo = en_zip(carpeta / f"{nombre}.zip", paginas)
    entradas = sum(len(etree.fromstring(p).findall(f"{ATOM}entry")) for p in paginas)
    nuevas, otra_vez, bases = [], [], []
    for vuelta in range(3):
        datos = carpeta / f"{nombre}-{vuelta}"
        inicio = time.perf_counter()
        _arbol(paginas)
        bases.append(time.perf_counter() - inicio)
        nuevas.append(_importar(archivo, datos))
        otra_vez.append(_importar(archivo, datos))
    base, primera, segunda = map(statistics.median, (bases, nuevas, otra_vez))
    memoria = _memoria(archivo, carpeta / f"{nombre}-memoria")
    detalle = f"{entradas} entradas, {sum(map(len, paginas)) / 1e6:.0f} MB, {origen()}"
    return [
        como_mucho(f"importar {nombre} en una base nueva, 2 núcleos", primera / base, 5, "× lxml", detalle),
        al_menos(f"importar {nombre}", entradas / primera, objetivo, "entradas/s", detalle),
        como_mucho(f"importar {nombre} otra vez", segunda / base, 1.5, "× lxml", detalle),
        como_mucho(f"memoria al importar un ZIP de {nombre}", memoria, 200, "MB", "el mayor de los procesos"),
    ]


def _orden(archivo: Path) -> list[str]:
    return [str(Path(sys.executable).with_name("sobre")), "radar", "importar", "--json", str(archivo)]


def _importar(archivo: Path, datos: Path) -> float:
    """Seconds that the command itself says it took (its start-up, some 0.4 s, left out)."""
    entorno = os.environ | {"SOBRE_DATOS": str(datos)}
    hecho = subprocess.run(_orden(archivo), env=entorno, check=True, capture_output=True)
    segundos: float = json.loads(hecho.stdout)["segundos"]
    return segundos


def _memoria(archivo: Path, datos: Path) -> float:
    """Peak of the largest process of an import into a new database, in MB."""
    entorno = os.environ | {"SOBRE_DATOS": str(datos)}
    orden = [sys.executable, "-m", "bench._memoria", *_orden(archivo)]
    hecho = subprocess.run(orden, env=entorno, check=True, capture_output=True, text=True)
    return int(hecho.stdout) / 1024
