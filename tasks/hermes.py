"""The queue opened for one run of it, and the one effect: an agent's attempt, from where it stands to its end."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from contextvars import ContextVar
from importlib.metadata import version

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.concurrency.asyncio import concurrency

from nucleo import registro
from nucleo.agentes.servicio import visto
from nucleo.bd import conectar
from nucleo.candado import candado
from nucleo.cola import servicio
from nucleo.cola.ajustes import contexto_configurado
from nucleo.cola.almacen import asegurar_disco
from nucleo.cola.corredor import Corredor
from nucleo.cola.modelo import Reclamado, Trabajo
from nucleo.cola.perfiles import Perfiles
from nucleo.cola.reglas import Contexto
from nucleo.configuracion import configuracion
from nucleo.hermes.perfiles import leer_hermes
from nucleo.reloj import reloj_del_sistema
from tasks.tipos import tipos_de_trabajo

LIMITE = "hermes"
"""Global concurrency limit of the engine; its size is SOBRE_COLA_A_LA_VEZ."""
TURNO_S = 60
"""A killed run's place is taken back after this; a live one renews it."""
MIRADA_S = 10.0
"""How long what was seen of the profiles is believed."""
OCUPADA = "Ya hay otra ejecución atendiendo la cola: esta no hace falta."

_corredor: ContextVar[Corredor] = ContextVar("corredor")


class Cola:
    """What the flow asks of the queue."""

    def __init__(self, con: sqlite3.Connection, corredor: Corredor, ajustes: Contexto) -> None:
        self._con = con
        self._corredor = corredor
        self._ajustes = ajustes
        self._mirado: tuple[float, Contexto] | None = None

    def por_conciliar(self) -> tuple[Reclamado, ...]:
        """Attempts that an earlier run left open: this one goes on with them."""
        return servicio.por_conciliar(self._con)

    async def reclamar(self) -> Reclamado | None:
        """The next turn, or None when nothing may start now."""
        if not servicio.hay_pendiente(self._con, reloj_del_sistema()):
            return None
        contexto = await self._contexto()
        return servicio.reclamar(self._con, self._corredor.tipos, contexto, reloj_del_sistema())

    async def _contexto(self) -> Contexto:
        if self._mirado is None or time.monotonic() - self._mirado[0] > MIRADA_S:
            perfiles = await self._corredor.perfiles.estados(self._con, reloj_del_sistema())
            contexto = self._ajustes.model_copy(update={"perfiles": perfiles})
            self._mirado = (time.monotonic(), contexto)
        return self._mirado[1]


@asynccontextmanager
async def cola_abierta() -> AsyncIterator[Cola]:
    """Only one process of the installation serves the queue at a time: raises Ocupado when another one does."""
    conf = configuracion()
    ajustes = contexto_configurado(conf)
    fichero = registro.preparar(conf.datos)
    with candado(conf.datos / ".cola.candado", OCUPADA), closing(conectar(fichero)) as con:
        asegurar_disco(con)
        servicio.estrenar_version(con, version("sobre-abierto"), reloj_del_sistema())
        async with Perfiles(leer_hermes(conf.hermes), visto) as perfiles:
            corredor = Corredor(
                con=con,
                tipos=tipos_de_trabajo(conf.datos),
                perfiles=perfiles,
                reloj=reloj_del_sistema,
                pausa_todo=ajustes.pausa_todo,
            )
            ficha = _corredor.set(corredor)
            try:
                yield Cola(con, corredor, ajustes)
            finally:
                _corredor.reset(ficha)


@task(
    name="ejecutar intento",
    task_run_name="{tipo} · {objeto} · intento {numero}",
    cache_policy=NO_CACHE,
    retries=0,
    persist_result=False,
)
async def ejecutar_intento(intento_id: int, tipo: str, objeto: str, numero: int) -> Trabajo:
    """Re-entrant: it goes on with the attempt, it does not launch it again. Retries belong to the queue."""
    async with concurrency(LIMITE, occupy=1, lease_duration=TURNO_S, strict=True):
        return await _corredor.get().seguir(intento_id)


def ejecutar(reclamado: Reclamado) -> asyncio.Task[Trabajo]:
    """Start the task for that attempt. Its nonce stays in our database: only its number goes to the engine."""
    intento, trabajo = reclamado.intento, reclamado.trabajo
    return asyncio.create_task(
        ejecutar_intento(intento.id, trabajo.tipo, trabajo.objeto, intento.numero),
        name=f"intento-{intento.id}",
    )
