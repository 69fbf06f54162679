"""Waking whoever moves next in a run: the engine for the installation's steps, the AI queue for a coordinating agent.

Every sending takes the delivery's own identifier as its key, so that sending it again is the same sending. Nothing
here needs Prefect's library: the process that is always awake uses it too.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Protocol

from nucleo.cola import servicio as cola
from nucleo.cola.almacen import buscar_trabajo
from nucleo.cola.modelo import Tipos
from nucleo.errores import ErrorEntrada, ErrorRed, ErrorSobre
from nucleo.recorridos import almacen, lectura
from nucleo.recorridos.comandos import EJECUTOR
from nucleo.recorridos.entregas import servicio as entregas
from nucleo.recorridos.entregas.modelo import Entrega
from nucleo.reloj import a_micros, reloj_del_sistema
from tasks.pasos import EncargoAgente, tipo_coordinar

DESPLIEGUE = "recorrido/recorrido"
"""The engine's name of what advances a run."""
PLAZO_S = 20.0
"""A sending that takes longer is uncertain; its lease is of 30 s."""
ESPERA_MAXIMA_S = 300
REGISTRO = logging.getLogger("sobre.recorridos")

Lanzar = Callable[[str, str], Awaitable[None]]
"""(run, key): ask the engine to advance it; the same key twice is the same run. Raises NadaEnviado or ErrorRed."""


class NadaEnviado(ErrorRed):
    """The other side did not take it, and it is sure that nothing was sent: it may wait and go again."""

    codigo = "nada_enviado"


class Conector(Protocol):
    """Wakes whoever moves next in a run."""

    async def entregar(self, entrega: Entrega) -> None:
        """Send it. Raises NadaEnviado; any other error leaves it uncertain."""

    async def llego(self, entrega: Entrega) -> bool | None:
        """Whether an uncertain one arrived; None when that cannot be known now."""


class ConectorPrefect:
    """Asks the engine for a run of `recorrido`."""

    def __init__(self, lanzar: Lanzar) -> None:
        self._lanzar = lanzar

    async def entregar(self, entrega: Entrega) -> None:
        """Raises NadaEnviado when the engine cannot be reached or has no such deployment."""
        await self._lanzar(entrega.recorrido, f"entrega-{entrega.id}")

    async def llego(self, entrega: Entrega) -> bool | None:
        """Sent again under its key, which the engine takes once: if it takes it, it has arrived."""
        try:
            await self.entregar(entrega)
        except ErrorRed:
            return None
        return True


class ConectorHermes:
    """Puts the coordinator's turn in the AI queue, whose limits, brakes, caps and recovery hold for it."""

    def __init__(self, con: sqlite3.Connection, tipos: Tipos) -> None:
        self._con = con
        self._tipos = tipos

    async def entregar(self, entrega: Entrega) -> None:
        """Raises NadaEnviado when the coordinator has no Hermes profile any more."""
        recorrido = almacen.recorrido(self._con, entrega.recorrido)
        tipo, encargo = tipo_coordinar(recorrido.coordinador), EncargoAgente(recorrido=recorrido.id)
        datos, ahora = encargo.model_dump_json(), reloj_del_sistema()
        try:
            cola.encolar(
                self._con, self._tipos, tipo, recorrido.id, datos, recorrido.vence, ahora, entrega.id
            )
        except ErrorEntrada as error:
            raise NadaEnviado(error.mensaje) from error

    async def llego(self, entrega: Entrega) -> bool | None:
        """The queue's own row tells."""
        coordinador = almacen.recorrido(self._con, entrega.recorrido).coordinador
        puesto = buscar_trabajo(self._con, tipo_coordinar(coordinador), entrega.recorrido, entrega.id)
        return puesto is not None


async def repartir(con: sqlite3.Connection, conectores: Mapping[str, Conector]) -> int:
    """Send everything that waits; how many were taken. What is not confirmed within its lease becomes uncertain."""
    tomadas = 0
    while (entrega := entregas.arrendar(con, tuple(conectores), reloj_del_sistema())) is not None:
        tomadas += await _entregar(con, entrega, conectores[entrega.conector or ""])
    return tomadas


async def _entregar(con: sqlite3.Connection, entrega: Entrega, conector: Conector) -> bool:
    arriendo = entrega.arriendo or ""
    try:
        await asyncio.wait_for(conector.entregar(entrega), PLAZO_S)
    except NadaEnviado as error:
        ahora = reloj_del_sistema()
        no_antes = ahora + timedelta(seconds=min(ESPERA_MAXIMA_S, 2 ** min(entrega.veces, 10)))
        entregas.liberar(con, entrega.id, arriendo, no_antes, error.mensaje, ahora)
        return False
    except (ErrorSobre, TimeoutError) as error:
        REGISTRO.warning("entrega %s sin confirmar: %s", entrega.id, error)
        return False
    entregas.confirmar(con, entrega.id, arriendo, reloj_del_sistema())
    return True


async def conciliar(con: sqlite3.Connection, conectores: Mapping[str, Conector]) -> int:
    """Find out about those in doubt; how many were settled. What cannot be known is left for a person."""
    entregas.vencer(con, reloj_del_sistema())
    conciliadas = 0
    for entrega in entregas.inciertas(con):
        conector = conectores.get(entrega.conector or "")
        llego = await conector.llego(entrega) if conector else None
        if llego is not None:
            nota = f"Comprobado con el conector «{entrega.conector}»."
            entregas.reconciliar(con, entrega.id, llego, nota, EJECUTOR, reloj_del_sistema())
            conciliadas += 1
    return conciliadas


async def despertar(con: sqlite3.Connection, lanzar: Lanzar) -> int:
    """Ask for an advance of each run with steps to be claimed: a lost trigger costs no more than the next look.

    The key changes each minute: what was asked for and died before it claimed anything is asked for again.
    """
    pulsos = [lectura.pulso(con, rid) for rid in lectura.reclamables(con)]
    minuto = a_micros(reloj_del_sistema()) // 60_000_000
    for pulso in pulsos:
        await lanzar(pulso.id, f"avance-{pulso.id}-{pulso.revision}-{minuto}")
    return len(pulsos)
