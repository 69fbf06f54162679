"""One source of the radar read from its head to known ground, each page a task of its own."""

from __future__ import annotations

from pathlib import Path

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from dominios.licitaciones.radar.historico.plan import Zip
from dominios.licitaciones.radar.sincronizar.fuentes import canal, reglas
from dominios.licitaciones.radar.sincronizar.medios import Medios
from dominios.licitaciones.radar.sincronizar.pasada import ResumenPasada, pasar
from nucleo.configuracion import configuracion
from nucleo.red.cliente import Condicion, Respuesta
from nucleo.reloj import reloj_del_sistema
from tasks.base import base
from tasks.placsp import conexion_placsp, descargar_zip, pedir_pagina

HORAS = 3600


@task(name="leer fuente", task_run_name="leer {fuente}", cache_policy=NO_CACHE, timeout_seconds=3 * HORAS)
async def leer_fuente(fuente: str, url: str | None = None) -> ResumenPasada:
    """Raises ErrorRed when its head cannot be read, Ocupado when another process is reading it.

    No retries here: the requests have theirs, and the next pass goes on where this one stopped.
    """
    conf = configuracion()
    que = canal(fuente, url, conf)
    medios = Medios(
        obtener=_pedir, reloj=reloj_del_sistema, descargar=_descargar, avance=get_run_logger().info
    )
    async with conexion_placsp(que.politica):
        with base() as con:
            return await pasar(con, que, medios, reglas(conf))


async def _pedir(url: str, condicion: Condicion | None = None) -> Respuesta:
    return await pedir_pagina(url, condicion)


async def _descargar(fichero: Zip) -> Path | None:
    return await descargar_zip(fichero)
