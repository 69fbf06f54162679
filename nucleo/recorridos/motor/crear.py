"""The birth of a run."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import AwareDatetime, Field

from nucleo.modelo import Modelo
from nucleo.recorridos.comandos import Actor, ClaseActor
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import Cambio, EstadoPaso, EstadoRecorrido, MotivoEntrega, Recorrido, Situacion
from nucleo.recorridos.motor.borrador import Borrador
from nucleo.recorridos.motor.orden import RESERVADOS
from nucleo.recorridos.motor.propagar import propagar
from nucleo.recorridos.plan import Ident, Plan
from nucleo.recorridos.validar import PlanValido


class Nuevo(Modelo):
    """What a run is from its birth and never changes. `coordinador`: an agent's name, or `sistema`."""

    id: Annotated[str, Field(min_length=1, max_length=64)]
    dominio: Ident = "general"
    objeto_id: Annotated[str, Field(max_length=200)] = ""
    coordinador: Annotated[str, Field(min_length=1, max_length=200)] = "sistema"
    vence: AwareDatetime | None = None


def crear(plan: PlanValido, nuevo: Nuevo, actor: Actor, ahora: datetime) -> Cambio:
    """The first snapshot, with its first steps open. `ahora`: aware UTC. Raises ErrorRecorrido PROHIBIDO."""
    exigir_creador(plan.plan, nuevo.coordinador, actor)
    recorrido = Recorrido(
        id=nuevo.id,
        dominio=nuevo.dominio,
        objeto_id=nuevo.objeto_id,
        coordinador=nuevo.coordinador,
        estado=EstadoRecorrido.ACTIVO,
        revision=1,
        secuencia=0,
        plan_version=1,
        vence=nuevo.vence,
        creado=ahora,
        actualizado=ahora,
        pasos={i: EstadoPaso() for i in plan.pasos},
    )
    borrador = Borrador(
        plan=plan,
        antes=recorrido,
        actor=actor,
        ahora=ahora,
        estado=recorrido.estado,
        revision=1,
        pasos=dict(recorrido.pasos),
        propuesta=None,
        archivado=None,
    )
    borrador.creado()
    propagar(borrador)
    if any(p.estado is Situacion.LISTO for p in borrador.pasos.values()):
        borrador.entrega = MotivoEntrega.CREADO
    return borrador.cerrar()


def exigir_creador(plan: Plan, coordinador: str, actor: Actor) -> None:
    """Persons that may edit, the installation, and agents for runs of their own without template."""
    if actor.clase is ClaseActor.RELOJ or (
        actor.clase is ClaseActor.PERSONA and actor.rol not in ("admin", "editor")
    ):
        raise ErrorRecorrido(
            "PROHIBIDO", "Puedes mirar los recorridos, pero no crearlos: pide el papel de editor."
        )
    if actor.clase is ClaseActor.AGENTE:
        if plan.plantilla is not None:
            raise ErrorRecorrido(
                "PROHIBIDO", f"La plantilla «{plan.plantilla}» la inicia una persona: pídeselo."
            )
        if coordinador != actor.nombre or coordinador in RESERVADOS:
            raise ErrorRecorrido("PROHIBIDO", "Un agente solo crea recorridos que coordina él mismo.")
