"""Leave a Prefect server ready for this installation (`python -m app.motor.preparar`); repeating changes nothing."""

from __future__ import annotations

import asyncio
import sys
from datetime import timedelta
from pathlib import Path

import click
from prefect import get_client
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.client.schemas.objects import StateType
from prefect.events.actions import ChangeFlowRunState
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture
from prefect.events.schemas.events import ResourceSpecification
from prefect.workers.process import ProcessWorker

from app.arriba.procesos import POZO, limites
from app.motor.despliegues import leer_despliegues, prefect_yaml
from nucleo.configuracion import configuracion
from nucleo.errores import ErrorSobre

SIN_LATIDOS = timedelta(seconds=90)
"""Three heartbeats of 30 s (see app/arriba/entorno.py)."""

AUTOMATIZACION = "sin-latidos"


async def preparar(fichero: Path) -> tuple[str, ...]:
    """Pool, limits, automation and the deployments of `fichero`; returns the names of these."""
    async with get_client() as cliente:
        await _pozo(cliente)
        await poner_limites(cliente)
        await _automatizacion(cliente)
    despliegues = leer_despliegues(fichero)
    for despliegue in despliegues:
        await despliegue.registrar()
    return tuple(d.name for d in despliegues)


async def poner_limites(cliente: PrefectClient) -> None:
    """The global concurrency limits, as this installation wants them."""
    for nombre, limite in limites(configuracion()).items():
        await cliente.upsert_global_concurrency_limit_by_name(nombre, limite)


async def _pozo(cliente: PrefectClient) -> None:
    plantilla = ProcessWorker.get_default_base_job_template()
    # A fixed command: the engine runs as a direct child of the worker, in its group, with the installed packages.
    plantilla["variables"]["properties"]["command"]["default"] = f"{sys.executable} -m prefect.engine"
    await cliente.create_work_pool(
        WorkPoolCreate(
            name=POZO,
            type="process",
            description="Procesos de esta máquina",
            base_job_template=plantilla,
        ),
        overwrite=True,
    )


async def _automatizacion(cliente: PrefectClient) -> None:
    """A run that beat once and then no more is dead. It misses runs killed before their first beat: reconciliador."""
    terminales = ("Completed", "Failed", "Cancelled", "Crashed", "Suspended", "Paused")
    nueva = AutomationCore(
        name=AUTOMATIZACION,
        description="Da por caída una ejecución que deja de latir, para que la siguiente pueda empezar.",
        trigger=EventTrigger(
            after={"prefect.flow-run.heartbeat"},
            expect={"prefect.flow-run.heartbeat", *(f"prefect.flow-run.{t}" for t in terminales)},
            match=ResourceSpecification({"prefect.resource.id": ["prefect.flow-run.*"]}),
            for_each={"prefect.resource.id"},
            posture=Posture.Proactive,
            threshold=1,
            within=SIN_LATIDOS,
        ),
        actions=[ChangeFlowRunState(state=StateType.CRASHED, message="Dejó de latir")],
    )
    existentes = await cliente.read_automations_by_name(AUTOMATIZACION)
    if existentes:
        await cliente.update_automation(existentes[0].id, nueva)
    else:
        await cliente.create_automation(nueva)


def principal() -> None:
    """Exit code 1 and one sentence when it cannot be done."""
    try:
        nombres = asyncio.run(preparar(prefect_yaml()))
    except ErrorSobre as error:
        click.echo(error.mensaje, err=True)
        sys.exit(1)
    click.echo(f"motor preparado: {', '.join(nombres)}")


if __name__ == "__main__":
    principal()
