"""A command as its rules see it: what is asked, of what, by whom and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import EJECUTOR, RELOJ, Actor, ClaseActor, Comando, TipoComando
from nucleo.recorridos.estado import EstadoPaso, Recorrido
from nucleo.recorridos.plan import Paso
from nucleo.recorridos.validar import PlanValido

RESERVADOS = frozenset((EJECUTOR.nombre, RELOJ.nombre))
"""Names that only our own processes have: an agent that is called so is nobody."""

DE_RECORRIDO = frozenset(
    (
        TipoComando.PAUSAR,
        TipoComando.REANUDAR,
        TipoComando.CANCELAR,
        TipoComando.PROPONER_PLAN,
        TipoComando.ACEPTAR_PLAN,
        TipoComando.DESCARTAR_PLAN,
        TipoComando.ARCHIVAR,
        TipoComando.DESARCHIVAR,
    )
)
"""Commands about the run; the rest are about one of its steps."""


@dataclass(frozen=True)
class Orden:
    """`ahora`: aware UTC."""

    plan: PlanValido
    antes: Recorrido
    comando: Comando
    actor: Actor
    casa: Casa
    ahora: datetime

    @property
    def tipo(self) -> TipoComando:
        """What is asked."""
        return self.comando.tipo

    @property
    def paso(self) -> Paso:
        """Definition of the step. Only for commands about a step, once known to exist."""
        return self.plan.pasos[self.comando.paso or ""]

    @property
    def estado(self) -> EstadoPaso:
        """State of the step before the command."""
        return self.antes.pasos[self.paso.id]

    @property
    def titulo(self) -> str:
        """The step's title between quotation marks, for sentences."""
        return f"«{self.paso.titulo}»"


def es_coordinador(actor: Actor, recorrido: Recorrido) -> bool:
    """Whether the run is led by this actor: an agent by name, or the installation."""
    if actor.clase is ClaseActor.EJECUTOR:
        return recorrido.coordinador == EJECUTOR.nombre
    return es_agente(actor, recorrido.coordinador)


def es_agente(actor: Actor, nombre: str) -> bool:
    """Whether the actor is the agent of that name (never a name of ours)."""
    return actor.clase is ClaseActor.AGENTE and actor.nombre == nombre and nombre not in RESERVADOS
