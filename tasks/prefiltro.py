"""The company's profile applied to the open tenders that changed."""

from __future__ import annotations

import asyncio

from prefect import task
from prefect.cache_policies import NO_CACHE

from dominios.licitaciones.prefiltro.perfil import leer_perfil
from dominios.licitaciones.prefiltro.servicio import ResumenPrefiltro, prefiltrar
from nucleo.configuracion import configuracion
from nucleo.reloj import reloj_del_sistema
from tasks.base import base
from tasks.reintentos import reintentable


@task(
    name="prefiltrar",
    task_run_name="pasar el prefiltro",
    cache_policy=NO_CACHE,
    retries=2,
    retry_delay_seconds=5,
    retry_condition_fn=reintentable,
    timeout_seconds=1800,
)
async def pasar_prefiltro() -> ResumenPrefiltro | None:
    """None when this installation has no profile yet. Raises PerfilNoValido when it has a wrong one."""
    return await asyncio.to_thread(_prefiltrar)


def _prefiltrar() -> ResumenPrefiltro | None:
    fichero = configuracion().fichero_perfil
    if not fichero.exists():
        return None
    perfil = leer_perfil(fichero)
    with base() as con:
        return prefiltrar(con, perfil, reloj_del_sistema)
