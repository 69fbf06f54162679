"""The criba's batches, formed and put in the queue; and its misses, looked for among the awards."""

from __future__ import annotations

import asyncio
from contextlib import closing

from prefect import task
from prefect.cache_policies import NO_CACHE

from dominios.licitaciones.criba.fallos.servicio import Busqueda, buscar_fallos
from dominios.licitaciones.criba.servicio import Lanzamiento, lanzar
from dominios.licitaciones.prefiltro.perfil import leer_perfil
from nucleo import registro
from nucleo.bd import conectar
from nucleo.configuracion import configuracion
from nucleo.empresa.servicio import vigente
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


@task(
    name="buscar fallos",
    task_run_name="buscar fallos de la criba",
    cache_policy=NO_CACHE,
    retries=2,
    retry_delay_seconds=5,
    retry_condition_fn=reintentable,
    timeout_seconds=3600,
)
async def buscar_fallos_criba() -> Busqueda:
    """Raises NoEncontrado when there is no company profile."""
    return await asyncio.to_thread(_buscar)


def _buscar() -> Busqueda:
    with base() as con, closing(conectar(registro.preparar(configuracion().datos))) as cola:
        return buscar_fallos(con, vigente(cola), reloj_del_sistema)
