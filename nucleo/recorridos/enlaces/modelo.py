"""A link between a run and the one it came from."""

from __future__ import annotations

from datetime import datetime

from nucleo.modelo import Modelo
from nucleo.recorridos.comandos import Actor


class Enlace(Modelo):
    """`hijo` came from `padre`; a run has one parent at most. `creado`: aware UTC."""

    padre: str
    hijo: str
    motivo: str
    autor: Actor
    creado: datetime


class ReciboEnlace(Modelo):
    """The answer to a request; `repetido`: it was linked before and nothing was done now."""

    enlace: Enlace
    repetido: bool = False
