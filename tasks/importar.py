"""Pages and ZIPs from disk into the store, read by processes of this machine."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from dominios.licitaciones.radar.historico import almacen
from dominios.licitaciones.radar.historico.plan import Zip
from dominios.licitaciones.radar.importar import (
    ResumenImportacion,
    Taller,
    importar_archivo,
    importar_ficheros,
    preparar_lector,
)
from nucleo.bd import transaccion
from nucleo.errores import ErrorEntrada
from nucleo.reloj import reloj_del_sistema
from tasks.base import base
from tasks.reintentos import reintentable

PROCESOS = 2
PARA_UN_PROCESO = 8 * 2**20
"""Bytes under which starting other processes costs more than it saves."""

HORAS = 3600


@task(
    name="importar",
    task_run_name="importar {nombre}",
    cache_policy=NO_CACHE,
    retries=2,
    retry_delay_seconds=10,
    retry_condition_fn=reintentable,
    timeout_seconds=12 * HORAS,
)
async def importar(nombre: str, ficheros: Sequence[Path]) -> ResumenImportacion:
    """Each page whole or not at all; pages already stored are known by their hash, so a cut import goes on."""
    # The engine's logger needs the run's context, which the thread does not have: take it here.
    decir = get_run_logger().info
    return await asyncio.to_thread(_importar, tuple(ficheros), decir)


def _importar(ficheros: Sequence[Path], decir: Callable[[str], None]) -> ResumenImportacion:
    with base() as con, _ejecutor(ficheros) as ejecutor:
        return importar_ficheros(con, ficheros, ejecutor, reloj_del_sistema, decir)


def _importar_entero(ruta: Path, decir: Callable[[str], None]) -> ResumenImportacion:
    with base() as con, _ejecutor((ruta,)) as ejecutor:
        return importar_archivo(Taller(con, ejecutor, reloj_del_sistema, decir), ruta)


@contextmanager
def _ejecutor(ficheros: Sequence[Path]) -> Iterator[Executor | None]:
    if sum(f.stat().st_size for f in ficheros) < PARA_UN_PROCESO:
        yield None
        return
    # spawn: forking a process that has threads (the engine's) may deadlock.
    with ProcessPoolExecutor(
        min(PROCESOS, os.cpu_count() or 1), mp_context=get_context("spawn"), initializer=preparar_lector
    ) as ejecutor:
        yield ejecutor


@task(name="mirar si está cargado", task_run_name="¿está {fichero.nombre}?", cache_policy=NO_CACHE)
async def esta_cargado(fichero: Zip) -> bool:
    """Whether that ZIP was wholly imported some time."""
    with base() as con:
        return almacen.esta_terminado(con, fichero)


@task(
    name="importar ZIP",
    task_run_name="importar {fichero.nombre}",
    cache_policy=NO_CACHE,
    retries=2,
    retry_delay_seconds=10,
    retry_condition_fn=reintentable,
    timeout_seconds=12 * HORAS,
)
async def importar_zip(fichero: Zip, ruta: Path) -> ResumenImportacion:
    """Import a downloaded ZIP, note it as done, and only then let its file go; a file that is no ZIP goes at once."""
    decir = get_run_logger().info
    try:
        resumen = await asyncio.to_thread(_importar_entero, ruta, decir)
    except ErrorEntrada:
        ruta.unlink(missing_ok=True)
        raise
    await asyncio.to_thread(_anotar, fichero, resumen)
    ruta.unlink(missing_ok=True)
    return resumen


def _anotar(fichero: Zip, resumen: ResumenImportacion) -> None:
    with base() as con, transaccion(con):
        almacen.anotar_terminado(
            con, fichero, resumen.entradas, resumen.versiones_nuevas, reloj_del_sistema()
        )
