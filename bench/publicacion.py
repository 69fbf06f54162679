"""From a publication at the source to its row in the list: the real engine, worker and watch over a local player."""

from __future__ import annotations

import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import timedelta
from pathlib import Path

from bench.tabla import Fila, como_mucho
from dominios.licitaciones import registro
from nucleo.bd import conectar
from nucleo.configuracion import Configuracion
from nucleo.reloj import reloj_del_sistema
from tests.motor.servidor import ServidorPrefect, crear_servidor
from tests.reproductor.canal import Canal
from tests.reproductor.paginas import Anotacion
from tests.reproductor.servidor import Reproductor

PUBLICACIONES = 3
INTERVALO_S = 1
OBJETIVO_S = 120.0
"""«About two minutes» from publication to user."""


def medir() -> list[Fila]:
    """One row: the slowest of some publications, with the watch's whole interval added, as if it had just looked."""
    habitual = float(Configuracion().vigilancia_segundos)
    with tempfile.TemporaryDirectory() as carpeta, Reproductor() as placsp:
        servidor = crear_servidor(Path(carpeta))
        with closing(conectar(registro.preparar(servidor.datos))) as con, _en_marcha(servidor, placsp):
            tiempos = [_publicar_y_esperar(con, placsp, n) for n in range(1, PUBLICACIONES + 1)]
    peor = max(tiempos)
    detalle = (
        f"{', '.join(f'{t:.1f}' for t in tiempos)} s mirando cada {INTERVALO_S} s; se suman los"
        f" {habitual:.0f} s entre dos miradas habituales"
    )
    return [como_mucho("publicación → licitación visible", peor + habitual, OBJETIVO_S, "s", detalle)]


@contextmanager
def _en_marcha(servidor: ServidorPrefect, placsp: Reproductor) -> Iterator[None]:
    """Engine, worker and watch, stopped in reverse order."""
    canal = Canal(placsp, nombre="cabecera")
    canal.anotar([Anotacion(1, reloj_del_sistema() - timedelta(hours=1))], reloj_del_sistema())
    servidor.entorno["SOBRE_VIGILANCIA_SEGUNDOS"] = str(INTERVALO_S)
    proceso = servidor.procesos["vigia"]
    mira = (*proceso.orden, "--fuente", "643", "--url", placsp.url(canal.ruta))
    servidor.procesos["vigia"] = proceso.model_copy(update={"orden": mira})
    with ExitStack() as pila:
        for nombre in ("prefect", "preparacion", "worker", "vigia"):
            pila.callback(servidor.lanzar(nombre).parar, threading.Event())
        yield


def _publicar_y_esperar(con: sqlite3.Connection, placsp: Reproductor, numero: int) -> float:
    """Seconds from the moment the head has the tender to the moment a reader of the database sees it."""
    _esperar(con, numero)
    ahora = reloj_del_sistema()
    anotaciones = [Anotacion(n, ahora - timedelta(seconds=60 - n)) for n in range(1, numero + 2)]
    Canal(placsp, nombre="cabecera").anotar(anotaciones, ahora)
    inicio = time.perf_counter()
    _esperar(con, numero + 1)
    return time.perf_counter() - inicio


def _esperar(con: sqlite3.Connection, numero: int) -> None:
    """Until the tender `numero` is in the current view. Raises TimeoutError after three minutes."""
    fin = time.monotonic() + 180
    consulta = "SELECT 1 FROM licitacion WHERE entrada_id = ? AND vigente = 1"
    while con.execute(consulta, (Anotacion(numero, reloj_del_sistema()).id,)).fetchone() is None:
        if time.monotonic() > fin:
            raise TimeoutError(f"la licitación {numero} no ha llegado a la base")
        time.sleep(0.05)
