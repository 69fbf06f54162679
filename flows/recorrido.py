"""Advances a guided run as far as machines can, then ends: no run of the engine ever waits for a person."""

from __future__ import annotations

import asyncio
from collections import Counter

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed

from nucleo.modelo import Modelo
from tasks.informe import publicar_alarmas
from tasks.recorrido import Avance, Final, avance_abierto

A_LA_VEZ = 4
"""Steps of one run under way at once."""


class InformeRecorrido(Modelo):
    """Steps taken in this run of the engine, by how they ended; `espera` says who may go on."""

    recorrido: str
    espera: str
    pasos: dict[str, int]
    fallos: tuple[str, ...] = ()


@flow(
    name="recorrido",
    flow_run_name="{recorrido}",
    description="Hace los pasos de un recorrido que le tocan al programa, hasta que solo pueden seguir otros.",
)
async def avanzar_recorrido(recorrido: str) -> State[InformeRecorrido]:
    """It may be killed anywhere: what it had under way becomes doubtful when its lease passes, never repeated blindly.

    Two at once on the same run do no harm: each step's attempt belongs to the one that got it.
    """
    async with avance_abierto(recorrido) as avance:
        hechos, fallos = await _avanzar(avance)
        espera = avance.espera()
    informe = InformeRecorrido(recorrido=recorrido, espera=espera, pasos=dict(hechos), fallos=fallos)
    if fallos:
        await publicar_alarmas("recorrido-alarmas", fallos)
    return Completed(name=espera, message=next(iter(fallos), None), data=informe)


async def _avanzar(avance: Avance) -> tuple[Counter[str], tuple[str, ...]]:
    hechos: Counter[str] = Counter()
    fallos: list[str] = []
    en_marcha: set[asyncio.Task[Final]] = set()
    try:
        while True:
            for turno in avance.reclamar(A_LA_VEZ - len(en_marcha)):
                en_marcha.add(asyncio.create_task(avance.hacer(turno), name=turno.paso))
            if not en_marcha:
                return hechos, tuple(fallos)
            acabados, en_marcha = await asyncio.wait(en_marcha, return_when=asyncio.FIRST_COMPLETED)
            for acabado in acabados:
                final = acabado.result()
                hechos[final.como] += 1
                fallos += [final.mensaje] if final.mensaje else []
    finally:
        # Stopped from outside: the attempts stay open in our rows, and nothing of this run reports on them any more.
        for tarea in en_marcha:
            tarea.cancel()
        await asyncio.gather(*en_marcha, return_exceptions=True)
