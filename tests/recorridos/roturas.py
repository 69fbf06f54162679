"""What every way of spoiling a plan is made of."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from nucleo.recorridos.plan import (
    Clase,
    Entrada,
    Paso,
    Plan,
    Puerto,
)

Corrompido = tuple[Plan, str | None]
Corrupcion = Callable[[Random, Plan], Corrompido | None]


def con(plan: Plan, paso: Paso) -> Plan:
    """The plan with that step in place of the one of its name."""
    return plan.model_copy(update={"pasos": tuple(paso if p.id == paso.id else p for p in plan.pasos)})


def uno(azar: Random, plan: Plan, *clases: Clase) -> Paso | None:
    pasos = [p for p in plan.pasos if p.clase in clases]
    return azar.choice(pasos) if pasos else None


def tarea(azar: Random, plan: Plan) -> Paso:
    return azar.choice([p for p in plan.pasos if p.clase not in (Clase.INICIO, Clase.FIN, Clase.COMPUERTA)])


def con_entrada(azar: Random, plan: Plan, entrada: Entrada, paso: Paso | None = None) -> Corrompido:
    paso = paso or tarea(azar, plan)
    return con(plan, paso.model_copy(update={"entradas": (*paso.entradas, entrada)})), paso.id


def con_salida(azar: Random, plan: Plan, *puertos: Puerto) -> Corrompido:
    paso = tarea(azar, plan)
    return con(plan, paso.model_copy(update={"salidas": (*paso.salidas, *puertos)})), paso.id
