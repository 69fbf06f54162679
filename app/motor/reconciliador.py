"""Frees what dead workers leave: runs that will never end by themselves and slots that nobody holds.

Prefect's own automation is armed by a run's first heartbeat, so a run killed in its first second, or while it is
being submitted, would hold its deployment's only slot for ever.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from app.arriba.procesos import LIMITES
from app.motor.api import ACTIVOS, Ejecucion, Final, Motor, Trabajador
from nucleo.reloj import Reloj

PENDIENTE_MAX = timedelta(minutes=5)
LATIDO_MAX = timedelta(minutes=3)
GRACIA_PROCESO = timedelta(seconds=30)
"""A run is handed over (Pending) a moment before its process exists."""
TRABAJADOR_VIVO = timedelta(hours=1)
REPASO_S = 2.0

PROC = Path("/proc")
VARIABLE_EJECUCION = b"PREFECT__FLOW_RUN_ID="
"""Prefect puts it in the environment of the process of each run."""


class Ajuste(BaseModel):
    """What was put right: a run that is dead, or a slot that nobody held."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    que: str
    motivo: str


def nombre_trabajador() -> str:
    """Name of this machine's worker; by it the reconciler knows whether a pool is served from here only."""
    return f"worker@{platform.node()}"


def procesos_de_ejecuciones() -> frozenset[UUID] | None:
    """Ids of the runs that have a live process on this machine; None where that cannot be known (no /proc)."""
    if not PROC.is_dir():
        return None
    encontradas: set[UUID] = set()
    for carpeta in PROC.iterdir():
        if carpeta.name.isdigit() and int(carpeta.name) != os.getpid():
            # OSError: it ended meanwhile, or belongs to somebody else. ValueError: not an identifier of Prefect's.
            with suppress(OSError, ValueError):
                encontradas.update(_ejecuciones_en((carpeta / "environ").read_bytes()))
    return frozenset(encontradas)


def _ejecuciones_en(entorno: bytes) -> list[UUID]:
    return [
        UUID(v.removeprefix(VARIABLE_EJECUCION).decode())
        for v in entorno.split(b"\0")
        if v.startswith(VARIABLE_EJECUCION)
    ]


def solo_trabaja_esta_maquina(trabajadores: list[Trabajador], ahora: datetime) -> bool:
    """Whether every worker lately seen in the pool is this machine's, so that its processes tell the whole truth."""
    recientes = [t for t in trabajadores if t.visto is not None and ahora - t.visto < TRABAJADOR_VIVO]
    return bool(recientes) and all(t.nombre == nombre_trabajador() for t in recientes)


def motivo_de_muerte(
    ejecucion: Ejecucion,
    ahora: datetime,
    procesos: frozenset[UUID] | None,
    ultimo_latido: Callable[[], datetime | None],
    gracia: timedelta = GRACIA_PROCESO,
) -> str | None:
    """Why the run is dead, or None. `procesos` = runs alive here, None when they may live elsewhere."""
    en_estado = ahora - ejecucion.estado.desde
    if procesos is not None:
        muerta = ejecucion.id not in procesos and en_estado >= gracia
        return "su proceso ya no existe" if muerta else None
    if ejecucion.estado.tipo == "PENDING":
        return "lleva más de 5 minutos sin empezar" if en_estado > PENDIENTE_MAX else None
    if en_estado <= LATIDO_MAX or ahora - (ultimo_latido() or ejecucion.estado.desde) <= LATIDO_MAX:
        return None
    return "lleva más de 3 minutos sin latir"


def reconciliar(
    motor: Motor, pozo: str, reloj: Reloj, gracia: timedelta = GRACIA_PROCESO
) -> tuple[Ajuste, ...]:
    """One pass: dead runs become Crashed (or Cancelled, if that was under way), and slots without a run are freed."""
    ahora = reloj()
    activas = motor.ejecuciones_activas(pozo)
    # Processes are listed after the runs: a run that starts in between has its process already.
    aqui = solo_trabaja_esta_maquina(motor.trabajadores(pozo), ahora)
    procesos = procesos_de_ejecuciones() if aqui else None
    ajustes = []
    for ejecucion in activas:
        latido = partial(motor.ultimo_latido, ejecucion.id, ahora - LATIDO_MAX)
        motivo = motivo_de_muerte(ejecucion, ahora, procesos, latido, gracia)
        if motivo and _dar_por_muerta(motor, ejecucion, motivo):
            ajustes.append(Ajuste(que=f"ejecución {ejecucion.nombre}", motivo=motivo))
    return (*ajustes, *_liberar_turnos(motor, pozo))


def _dar_por_muerta(motor: Motor, ejecucion: Ejecucion, motivo: str) -> bool:
    """Look again first: it may have ended well between the two readings."""
    actual = motor.ejecucion(ejecucion.id).estado
    if actual != ejecucion.estado or actual.tipo not in ACTIVOS:
        return False
    tipo: Final = "CANCELLED" if actual.tipo == "CANCELLING" else "CRASHED"
    motor.imponer(ejecucion.id, tipo, f"Dada por caída: {motivo}.")
    return True


def _liberar_turnos(motor: Motor, pozo: str) -> list[Ajuste]:
    """Slots in use of deployments without any run that could hold them, seen twice to let an ending run let go."""
    sospechosos = _turnos_sin_dueno(motor, pozo)
    if not sospechosos:
        return []
    time.sleep(REPASO_S)
    ajustes = []
    for nombre, turno in _turnos_sin_dueno(motor, pozo).items():
        if nombre in sospechosos:
            motor.vaciar_turno(turno)
            ajustes.append(Ajuste(que=f"turno de {nombre}", motivo="nadie lo ocupaba"))
    return ajustes


def _turnos_sin_dueno(motor: Motor, pozo: str) -> dict[str, str]:
    """Of deployments, and of the resources that runs share (a lease would hold these for a minute more)."""
    sueltos = {
        d.nombre: d.turno.nombre
        for d in motor.despliegues(pozo)
        if d.turno is not None and d.turno.ocupados > 0 and not motor.activas_de(d.id)
    }
    compartidos = [motor.turno(nombre) for nombre in LIMITES]
    ocupados = {t.nombre: t.nombre for t in compartidos if t.ocupados > 0}
    if ocupados and not motor.ejecuciones_activas(pozo):
        sueltos |= ocupados
    return sueltos
