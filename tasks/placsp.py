"""One request to PLACSP: a page, or a ZIP of the past."""

from __future__ import annotations

import time
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, cast

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.concurrency.asyncio import concurrency
from prefect.tasks import TaskRunNameCallbackWithParameters

from dominios.licitaciones.radar.historico.plan import Zip
from nucleo.configuracion import configuracion
from nucleo.errores import FuenteIlegible
from nucleo.red.cliente import ClienteSeguro, Condicion, Entorno, Limites, Respuesta
from nucleo.red.destinos import Politica
from tasks.base import carpeta_historico
from tasks.reintentos import ESPERAS_S, JITTER, reintentable

LIMITE_ZIP = "placsp-zip"
"""Global concurrency limit of the engine: also two flows download one at a time. Pages need none: only the radar asks
for them, one run at a time, and it must not wait an hour for somebody's ZIP."""

TURNO_S = 60
"""A killed run's turn is taken back after this; a live one renews it."""

REPOSO_S = 24 * 3600.0
"""A ZIP left on disk by a cut import is good for this long: those of running periods are made anew each day."""

ANUAL = Limites(total_s=4 * 3600.0, bytes_maximos=4 * 2**30)
"""The largest yearly ZIP seen has 2.2 GB, at some 0.6 MB/s."""

_cliente: ContextVar[ClienteSeguro] = ContextVar("cliente")


@asynccontextmanager
async def conexion_placsp(politica: Politica) -> AsyncIterator[None]:
    """The tasks inside use one client, and its connections; retries are the tasks', not the client's."""
    pausa = configuracion().red_pausa_segundos
    async with ClienteSeguro(politica, pausa, Entorno(esperas_s=())) as cliente:
        ficha = _cliente.set(cliente)
        try:
            yield
        finally:
            _cliente.reset(ficha)


def _nombre_de_pagina(parameters: dict[str, Any]) -> str:
    return f"pedir {str(parameters['url']).split('?')[0].rsplit('/', 1)[-1]}"


@task(
    name="pedir página",
    task_run_name=cast(TaskRunNameCallbackWithParameters, _nombre_de_pagina),
    cache_policy=NO_CACHE,
    retries=len(ESPERAS_S),
    retry_delay_seconds=ESPERAS_S,
    retry_jitter_factor=JITTER,
    retry_condition_fn=reintentable,
    timeout_seconds=15 * 60,
)
async def pedir_pagina(url: str, condicion: Condicion | None = None) -> Respuesta:
    """200, 304, 404 or 410. Raises ErrorRed when the source cannot be read, DestinoProhibido when it must not be."""
    return await _cliente.get().obtener(url, condicion)


@task(
    name="descargar ZIP",
    task_run_name="descargar {fichero.nombre}",
    cache_policy=NO_CACHE,
    retries=len(ESPERAS_S),
    retry_delay_seconds=[60.0, 300.0, 900.0],
    retry_jitter_factor=JITTER,
    retry_condition_fn=reintentable,
    timeout_seconds=5 * 3600,
)
async def descargar_zip(fichero: Zip) -> Path | None:
    """The whole file on disk, or None when PLACSP has none. One just left by a cut import is not asked for again.

    Raises FuenteIlegible when what came is no ZIP (an error page with status 200).
    """
    ruta = carpeta_historico() / fichero.nombre
    if ruta.exists() and time.time() - ruta.stat().st_mtime < REPOSO_S:
        return ruta
    async with concurrency(LIMITE_ZIP, occupy=1, lease_duration=TURNO_S):
        respuesta = await _cliente.get().descargar(fichero.url, ruta, ANUAL)
    if respuesta.estado != 200:
        return None
    if not zipfile.is_zipfile(ruta):
        ruta.unlink()
        raise FuenteIlegible(f"{fichero.url} no es un ZIP.", reintentable=True)
    return ruta
