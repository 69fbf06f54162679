"""What the installation takes by itself in a run, and who is awaited when it has nothing left to do."""

from __future__ import annotations

from typing import NamedTuple

from nucleo.recorridos.comandos import EJECUTOR
from nucleo.recorridos.estado import EstadoRecorrido, Recorrido, Situacion
from nucleo.recorridos.plan import Clase, Paso, Plan

SE_ADELANTARON = frozenset(("NO_LISTO", "NO_EN_CURSO", "PAUSADO", "TERMINADO", "NO_EXISTE"))
"""Refusals of a claim that only mean that somebody or something was quicker."""
YA_NO = SE_ADELANTARON | {"INTENTO_VIEJO", "VIGENTE", "NO_FALLIDO"}
"""Refusals that mean that the run moved on after it was looked at."""
DE_OTRO = frozenset(("INTENTO_VIEJO", "NO_EN_CURSO", "TERMINADO", "NO_EXISTE"))
"""Refusals of a report that mean that the attempt is not the reporter's any more."""


class Foto(NamedTuple):
    """A run at an instant, with the plan it follows then."""

    plan: Plan
    recorrido: Recorrido


def reclamables(foto: Foto) -> tuple[Paso, ...]:
    """Steps that the installation may begin now, in the plan's order; none while the run is not active."""
    if foto.recorrido.estado is not EstadoRecorrido.ACTIVO:
        return ()
    return tuple(
        p
        for p in foto.plan.pasos
        if p.ejecutor is not None and foto.recorrido.pasos[p.id].estado is Situacion.LISTO
    )


def trabajador_de(paso: Paso) -> str:
    """Who will report on an attempt of that step: the agent of its Hermes profile, or the installation."""
    perfil = paso.ejecutor.perfil if paso.ejecutor and paso.clase is Clase.AGENTE else None
    return perfil or EJECUTOR.nombre


def es_de_la_cola(paso: Paso) -> bool:
    """Whether its attempts are jobs of the AI queue, which says how they are."""
    return paso.clase is Clase.AGENTE and paso.ejecutor is not None and paso.ejecutor.perfil is not None


def espera(foto: Foto) -> str:
    """Name of the state in which the installation leaves the run; an identifier, shown to operators."""
    if foto.recorrido.estado is EstadoRecorrido.PAUSADO:
        return "Pausado"
    if foto.recorrido.estado is not EstadoRecorrido.ACTIVO:
        return "Terminado"
    estados = [foto.recorrido.pasos[p.id].estado for p in foto.plan.pasos]
    if Situacion.EN_CURSO in estados or Situacion.LISTO in estados:
        return "EsperandoAgente"
    return "EsperandoPersona"
