"""Who asks and what for: the envelope that every surface sends, always the same."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from nucleo.modelo import Modelo
from nucleo.recorridos.plan import Ident, Plan, Valores

ComandoId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,128}$")]


class ClaseActor(StrEnum):
    """Kinds of identity. It always comes from a session, a token or our own process, never from what is sent."""

    PERSONA = "persona"
    AGENTE = "agente"
    EJECUTOR = "ejecutor"
    """The installation itself, taking machine steps and reconciling them."""
    RELOJ = "reloj"


class Actor(Modelo):
    """Who acts. `rol` is a person's; the others have none."""

    clase: ClaseActor
    nombre: Annotated[str, Field(min_length=1, max_length=200)]
    rol: Literal["admin", "editor", "lector"] | None = None


EJECUTOR = Actor(clase=ClaseActor.EJECUTOR, nombre="sistema")
RELOJ = Actor(clase=ClaseActor.RELOJ, nombre="reloj")


class TipoComando(StrEnum):
    """Everything that can be asked of a run."""

    INICIAR = "iniciar"
    LATIDO = "latido"
    ANOTAR = "anotar"
    COMPLETAR = "completar"
    FALLAR = "fallar"
    VENCER = "vencer"
    REINTENTAR = "reintentar"
    RESPONDER = "responder"
    APROBAR = "aprobar"
    RECHAZAR = "rechazar"
    DISPENSAR = "dispensar"
    PAUSAR = "pausar"
    REANUDAR = "reanudar"
    CANCELAR = "cancelar"
    PROPONER_PLAN = "proponer_plan"
    ACEPTAR_PLAN = "aceptar_plan"
    DESCARTAR_PLAN = "descartar_plan"
    ARCHIVAR = "archivar"
    DESARCHIVAR = "desarchivar"


SIN_REVISION = frozenset((TipoComando.LATIDO, TipoComando.ANOTAR))
"""Signs of life and notes: they do not move the revision, so that a talkative agent stales nobody's form."""


class Traza(Modelo):
    """What kind of note it is."""

    clase: Literal["resumen", "accion", "observacion"]
    herramienta: Annotated[str, Field(max_length=120)] = ""


class RefExterna(Modelo):
    """Where else the attempt can be looked for: a Prefect run, a Hermes run, a job of the AI queue."""

    prefect_run: Annotated[str | None, Field(max_length=200)] = None
    hermes_run: Annotated[str | None, Field(max_length=200)] = None
    trabajo: int | None = None


class Comando(Modelo):
    """One command. `comando_id` is made once by who asks and repeated as it is if the answer is lost.

    `reconciliado`: whoever retries a doubtful step says that it was checked (`mensaje` tells how). `trabajador` and
    `ref`: only with `iniciar` by the installation, who will report and where it can be looked for.
    """

    comando_id: ComandoId
    tipo: TipoComando
    paso: Ident | None = None
    intento: Annotated[int | None, Field(ge=1)] = None
    revision: Annotated[int | None, Field(ge=1)] = None
    salidas: Valores | None = None
    mensaje: Annotated[str, Field(max_length=4_000)] = ""
    traza: Traza | None = None
    plan: Plan | None = None
    reconciliado: bool = False
    trabajador: Annotated[str | None, Field(max_length=200)] = None
    ref: RefExterna | None = None
