"""The deliveries of the runs as tasks of the engine, and how a flow asks it for an advance."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing

import httpx
from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.client.orchestration import get_client
from prefect.exceptions import ObjectNotFound, PrefectHTTPStatusError

from nucleo import registro
from nucleo.bd import conectar
from nucleo.configuracion import configuracion
from nucleo.errores import ErrorRed
from tasks.casa import HERMES, PREFECT
from tasks.reintentos import ESPERAS_S, reintentable
from tasks.reparto import (
    DESPLIEGUE,
    Conector,
    ConectorHermes,
    ConectorPrefect,
    NadaEnviado,
    conciliar,
    despertar,
    repartir,
)
from tasks.tipos import tipos_de_trabajo


@task(
    name="repartir entregas",
    task_run_name="repartir entregas",
    cache_policy=NO_CACHE,
    retries=1,
    retry_delay_seconds=ESPERAS_S[0],
    retry_condition_fn=reintentable,
    timeout_seconds=600,
)
async def repartir_entregas() -> int:
    """How many were taken."""
    return await _con(lambda con: repartir(con, _conectores(con)))


@task(
    name="conciliar entregas",
    task_run_name="conciliar entregas inciertas",
    cache_policy=NO_CACHE,
    retries=1,
    retry_delay_seconds=ESPERAS_S[0],
    retry_condition_fn=reintentable,
    timeout_seconds=600,
)
async def conciliar_entregas() -> int:
    """How many were settled."""
    return await _con(lambda con: conciliar(con, _conectores(con)))


@task(
    name="despertar recorridos",
    task_run_name="despertar recorridos",
    cache_policy=NO_CACHE,
    retries=1,
    retry_delay_seconds=ESPERAS_S[0],
    retry_condition_fn=reintentable,
    timeout_seconds=600,
)
async def despertar_recorridos() -> int:
    """How many had steps to be claimed."""
    return await _con(lambda con: despertar(con, lanzar_avance))


async def lanzar_avance(rid: str, clave: str) -> None:
    """See `tasks.reparto.Lanzar`."""
    try:
        async with get_client() as motor:
            despliegue = await motor.read_deployment_by_name(DESPLIEGUE)
            await motor.create_flow_run_from_deployment(
                despliegue.id, parameters={"recorrido": rid}, idempotency_key=clave
            )
    except (httpx.ConnectError, ObjectNotFound) as error:
        raise NadaEnviado(
            "El motor no está en marcha o no tiene el despliegue «recorrido»: arráncalo con «make up»."
        ) from error
    except (httpx.HTTPError, PrefectHTTPStatusError) as error:
        raise ErrorRed(f"El motor no ha confirmado el avance ({type(error).__name__}).") from error


def _conectores(con: sqlite3.Connection) -> dict[str, Conector]:
    """By the name with which the house registers them."""
    return {
        PREFECT: ConectorPrefect(lanzar_avance),
        HERMES: ConectorHermes(con, tipos_de_trabajo(configuracion().datos)),
    }


async def _con(hacer: Callable[[sqlite3.Connection], Awaitable[int]]) -> int:
    with closing(conectar(registro.preparar(configuracion().datos))) as con:
        return await hacer(con)
