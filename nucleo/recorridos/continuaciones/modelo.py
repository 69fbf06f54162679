"""A continuation: a text for the coordinator, drafted by anyone and sent by a person."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from nucleo.modelo import Modelo
from nucleo.recorridos.comandos import Actor

TextoContinuacion = Annotated[str, Field(min_length=1, max_length=8_000)]


class EstadoContinuacion(StrEnum):
    """State of a continuation."""

    BORRADOR = "borrador"
    ENCOLADA = "encolada"
    ENTREGADA = "entregada"
    DESCARTADA = "descartada"


class Continuacion(Modelo):
    """`entrega`: the delivery that carries it, once sent. `creada`: aware UTC."""

    id: str
    recorrido: str
    texto: TextoContinuacion
    autor: Actor
    estado: EstadoContinuacion
    entrega: str | None
    creada: datetime


class ReciboContinuacion(Modelo):
    """The answer to a request; `repetido`: it was done before and nothing was done now."""

    continuacion: Continuacion
    repetido: bool = False
