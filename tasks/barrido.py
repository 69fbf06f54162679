"""The sweep of the runs as tasks of the engine."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing

from prefect import task
from prefect.cache_policies import NO_CACHE

from nucleo import registro
from nucleo.bd import conectar
from nucleo.configuracion import configuracion
from nucleo.recorridos import plazos
from nucleo.recorridos.artefactos import servicio as artefactos
from nucleo.recorridos.casa import Casa
from nucleo.reloj import reloj_del_sistema
from tasks import repaso
from tasks.casa import casa
from tasks.reintentos import reintentable


@task(
    name="vencer arriendos",
    task_run_name="vencer arriendos de pasos",
    cache_policy=NO_CACHE,
    retries=2,
    retry_condition_fn=reintentable,
    timeout_seconds=300,
)
async def vencer_arriendos() -> int:
    """Attempts without a sign of life become doubtful; how many."""
    return await asyncio.to_thread(_con, repaso.vencer_arriendos)


@task(
    name="conciliar intentos",
    task_run_name="conciliar intentos de pasos",
    cache_policy=NO_CACHE,
    retries=2,
    retry_condition_fn=reintentable,
    timeout_seconds=300,
)
async def conciliar_intentos() -> int:
    """Agents' steps follow their job; a repeatable step whose worker died is ready again. How many changed."""
    return await asyncio.to_thread(_con, repaso.conciliar_intentos)


@task(
    name="refrescar plazos",
    task_run_name="refrescar plazos de los recorridos",
    cache_policy=NO_CACHE,
    retries=2,
    retry_condition_fn=reintentable,
    timeout_seconds=300,
)
async def refrescar_plazos() -> int:
    """Deadlines that the domains moved reach the open runs; how many."""
    return await asyncio.to_thread(_con, plazos.refrescar)


@task(
    name="barrer ficheros",
    task_run_name="barrer ficheros sueltos",
    cache_policy=NO_CACHE,
    retries=2,
    retry_condition_fn=reintentable,
    timeout_seconds=300,
)
async def barrer_ficheros() -> int:
    """Files of artefacts that no row has named for a day are deleted; how many."""
    return await asyncio.to_thread(_con, _ficheros)


def _ficheros(con: sqlite3.Connection, _: Casa) -> int:
    return artefactos.barrer(con, configuracion().datos, reloj_del_sistema())


def _con(hacer: Callable[[sqlite3.Connection, Casa], int]) -> int:
    datos = configuracion().datos
    with closing(conectar(registro.preparar(datos))) as con:
        return hacer(con, casa(datos))
