"""Whether what a new run asks of machines will be done by somebody, and may be asked of whom it is asked."""

from __future__ import annotations

from collections.abc import Iterator

from nucleo.recorridos.comandos import EJECUTOR, Actor, ClaseActor
from nucleo.recorridos.errores import PlanInvalido, Problema
from nucleo.recorridos.plan import MAQUINA, Paso, Plan


def exigir_encargados(plan: Plan, coordinador: str, actor: Actor) -> None:
    """Raises PlanInvalido with every step that nobody would do, or that gives orders in another's name.

    An agent's words would become another agent's task, with the other's permissions and spending, before any person
    saw them; that another plan names somebody else is a person's to accept. What the installation creates, and the
    templates, are our own.
    """
    if actor.clase is ClaseActor.EJECUTOR or plan.plantilla is not None:
        return
    problemas = [
        Problema(paso=paso.id, mensaje=mensaje)
        for paso in plan.pasos
        if paso.clase in MAQUINA
        for mensaje in _del_paso(paso, coordinador, actor)
    ]
    if problemas:
        raise PlanInvalido(tuple(problemas))


def _del_paso(paso: Paso, coordinador: str, actor: Actor) -> Iterator[str]:
    if paso.ejecutor is None:
        if coordinador == EJECUTOR.nombre:
            yield "no lo haría nadie: di quién lo hace («ejecutor»), o qué agente coordina el recorrido"
    elif actor.clase is ClaseActor.AGENTE and paso.ejecutor.perfil not in (None, actor.nombre):
        yield f"el perfil «{paso.ejecutor.perfil}» es de otro agente: solo se lo encarga una persona"
