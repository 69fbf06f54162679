"""The versions of a run's plan."""

from __future__ import annotations

from datetime import datetime

from nucleo.modelo import Modelo
from nucleo.recorridos.comandos import Actor


class VersionPlan(Modelo):
    """One of the plans a run has had. `autor` proposed it for that reason; `aceptado_por` is None for the first."""

    version: int
    motivo: str
    autor: Actor
    aceptado_por: Actor | None
    revision: int
    creado: datetime
