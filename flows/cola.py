"""Serves the queue of AI jobs: first what an earlier run left half done, then whatever is due, until nothing is."""

from __future__ import annotations

import asyncio
from collections import Counter

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed

from nucleo.cola.modelo import Trabajo
from nucleo.errores import Ocupado
from nucleo.modelo import Modelo
from tasks.hermes import Cola, cola_abierta, ejecutar
from tasks.informe import Celda, publicar_alarmas, publicar_tabla

ATENCION_S = 5.0
"""While something runs, how often new jobs are looked for."""


class InformeCola(Modelo):
    """Attempts of this run by what became of their job, and the tasks that broke (their attempts stay open)."""

    trabajos: dict[str, int]
    fallos: tuple[str, ...] = ()


@flow(
    name="cola",
    description="Atiende la cola de trabajos de los agentes hasta que no queda nada que pueda empezar.",
)
async def atender_cola() -> State[InformeCola]:
    """It may be killed anywhere: the next run goes on from our rows. Two at once: the second ends at once."""
    try:
        async with cola_abierta() as cola:
            informe = await _atender(cola)
    except Ocupado as error:
        return Completed(message=error.mensaje, data=InformeCola(trabajos={}))
    if informe.trabajos or informe.fallos:
        filas: list[dict[str, Celda]] = [
            {"el trabajo queda": estado, "intentos": n} for estado, n in informe.trabajos.items()
        ]
        await publicar_tabla("cola-recuento", "Intentos de esta ejecución", filas)
        await publicar_alarmas("cola-alarmas", informe.fallos)
    nombre = "ConAlarmas" if informe.fallos else "Completed"
    return Completed(name=nombre, message=next(iter(informe.fallos), None), data=informe)


async def _atender(cola: Cola) -> InformeCola:
    quedan: Counter[str] = Counter()
    fallos: list[str] = []
    en_marcha = {ejecutar(r) for r in cola.por_conciliar()}
    try:
        while True:
            while (reclamado := await cola.reclamar()) is not None:
                en_marcha.add(ejecutar(reclamado))
            if not en_marcha:
                return InformeCola(trabajos=dict(quedan), fallos=tuple(fallos))
            hechas, en_marcha = await asyncio.wait(
                en_marcha, timeout=ATENCION_S, return_when=asyncio.FIRST_COMPLETED
            )
            for hecha in hechas:
                _anotar(hecha, quedan, fallos)
    finally:
        # Stopped from outside: what is under way stays open in our rows, and nothing writes there any more.
        for tarea in en_marcha:
            tarea.cancel()
        await asyncio.gather(*en_marcha, return_exceptions=True)


def _anotar(hecha: asyncio.Task[Trabajo], quedan: Counter[str], fallos: list[str]) -> None:
    error = hecha.exception()
    if error is None:
        quedan[hecha.result().estado] += 1
    else:
        fallos.append(f"{hecha.get_name()}: {error}")
