"""A refusal that was kept, and those who insist."""

from __future__ import annotations

from datetime import datetime

from nucleo.modelo import Modelo
from nucleo.recorridos.comandos import Actor, Comando


class Rechazo(Modelo):
    """A refused command, kept as evidence. `comando` is None when it was too long: only part of its text is kept."""

    id: int
    codigo: str
    mensaje: str
    actor: Actor
    comando: Comando | None
    texto: str
    revision: int
    en: datetime


class Insistente(Modelo):
    """Somebody who keeps trying what it may not do."""

    actor: Actor
    veces: int
