"""What the criba handles: what the agent reads of a tender, what it answers, and what people say."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, Field, StringConstraints

from nucleo.empresa.lineas import Linea
from nucleo.modelo import Modelo
from nucleo.visible import visible

TANDA_MAX = 20
"""Tenders that an agent judges at once."""


class Veredicto(StrEnum):
    """What an agent or a person may say."""

    ENCAJA = "encaja"
    NO_ENCAJA = "no_encaja"
    DUDA = "duda"


class Situacion(StrEnum):
    """Where a tender stands: a verdict, or that there is none."""

    ENCAJA = "encaja"
    DUDA = "duda"
    NO_ENCAJA = "no_encaja"
    SIN_VEREDICTO = "sin_veredicto"
    """It was asked and asked again, or its job failed: only a person, or a change in it, settles it."""
    PENDIENTE = "pendiente"


class Vista(Modelo):
    """A tender as the agent reads it. Texts are foreign; amounts are euros without tax, as text."""

    numero: int
    id: str
    objeto: str
    organo: str | None = None
    tipo: str | None = None
    procedimiento: str | None = None
    importe: str | None = None
    lugar: str | None = None
    plazo: str | None = None
    cpv: tuple[str, ...] = ()
    lotes: tuple[str, ...] = ()
    requisitos: tuple[str, ...] = ()


Clave = Annotated[str, StringConstraints(pattern=r"^[a-z_]{2,30}(\.[a-z0-9]{1,10})?$")]


def _visible(valor: object) -> object:
    """Cleaned before it is measured: what cannot be seen is no reason."""
    return visible(valor) if isinstance(valor, str) else valor


class Juicio(Modelo):
    """The agent's verdict on one tender of its batch, with the profile lines that it rests on."""

    numero: Annotated[int, Field(description="El `numero` de la licitación en la tanda")]
    veredicto: Annotated[Veredicto, Field(description="«encaja», «no_encaja» o «duda»")]
    motivo: Annotated[
        str,
        StringConstraints(min_length=10, max_length=600, strip_whitespace=True),
        BeforeValidator(_visible),
        Field(description="Por qué, en una o dos frases"),
    ]
    lineas: Annotated[
        tuple[Clave, ...],
        Field(max_length=12, description="Claves de las líneas del perfil que lo apoyan: «actividades.1»"),
    ] = ()


class Tanda(Modelo):
    """A batch: frozen profile lines and tenders. `conjunto` = hash of the frozen set when it only evaluates."""

    id: int
    conjunto: str | None
    perfil_version: int
    lineas: tuple[Linea, ...]
    creada: datetime
    vueltas: int
    """Proposals taken so far."""
    cerrada: datetime | None
    motivo: str


class Palabra(Modelo):
    """What a person said of a tender; the newest one wins over any agent."""

    veredicto: Veredicto
    motivo: Annotated[str, BeforeValidator(_visible)]
    persona: Annotated[str, BeforeValidator(_visible)]
    creada: datetime


class Juzgada(Modelo):
    """What the last agent said of a tender. `situacion` is never `pendiente` here unless its batch is open."""

    situacion: Situacion
    motivo: str
    lineas: tuple[Clave, ...]
    tanda: int
    instrucciones: str | None
    instante: datetime | None
