"""Who may touch what hangs from a run, apart from its steps."""

from __future__ import annotations

from nucleo.recorridos.comandos import Actor, ClaseActor
from nucleo.recorridos.estado import Recorrido
from nucleo.recorridos.motor.orden import es_agente


def edita(actor: Actor) -> bool:
    """Whether it is a person that may change runs."""
    return actor.clase is ClaseActor.PERSONA and actor.rol in ("admin", "editor")


def lleva(actor: Actor, recorrido: Recorrido) -> bool:
    """Whether it is the installation, or the agent that coordinates the run."""
    return actor.clase is ClaseActor.EJECUTOR or es_agente(actor, recorrido.coordinador)
