"""The criba's batches, formed and put in the queue."""

from __future__ import annotations

import asyncio
from contextlib import closing

from prefect import task
from prefect.cache_policies import NO_CACHE

from dominios.licitaciones.criba.servicio import Lanzamiento, lanzar
from dominios.licitaciones.prefiltro.perfil import leer_perfil
from nucleo import registro
from nucleo.bd import conectar
from nucleo.configuracion import configuracion
from nucleo.reloj import reloj_del_sistema
from tasks.base import base
from tasks.reintentos import reintentable
from tasks.tipos import tipos_de_trabajo


@task(
    name="formar tandas",
    task_run_name="formar tandas de la criba",
    cache_policy=NO_CACHE,
    retries=2,
    retry_delay_seconds=5,
    retry_condition_fn=reintentable,
    timeout_seconds=1800,
)
async def lanzar_criba() -> Lanzamiento:
    """Raises NoEncontrado when this installation lacks the prefilter's profile or the company's."""
    return await asyncio.to_thread(_lanzar)


def _lanzar() -> Lanzamiento:
    conf = configuracion()
    perfil = leer_perfil(conf.fichero_perfil)
    with base() as con, closing(conectar(registro.preparar(conf.datos))) as cola:
        return lanzar(con, cola, tipos_de_trabajo(conf.datos), perfil.huella, reloj_del_sistema)
