"""The evidence of a run: everything that is kept of it. A run that nobody touched gives the same one, to the byte."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import Literal

from pydantic import ValidationError

from nucleo.errores import ErrorEntrada
from nucleo.modelo import Modelo
from nucleo.recorridos.artefactos.modelo import Artefacto
from nucleo.recorridos.comandos import Actor
from nucleo.recorridos.continuaciones.modelo import Continuacion
from nucleo.recorridos.enlaces.modelo import Enlace
from nucleo.recorridos.entregas.modelo import Entrega
from nucleo.recorridos.estado import Evento, Intento, Recorrido
from nucleo.recorridos.lectura.modelo import Rechazo
from nucleo.recorridos.plan import Plan


class PlanDe(Modelo):
    """A version of the plan. `revision` is the one at which it became current; `aceptado_por` is None for the first."""

    version: int
    plan: Plan
    motivo: str
    autor: Actor
    aceptado_por: Actor | None
    revision: int
    creado: datetime


class Evidencia(Modelo):
    """A run with all that hangs from it, oldest first. Instants are aware UTC. Files are told, not carried."""

    formato: Literal["sobre-abierto/recorrido/1"] = "sobre-abierto/recorrido/1"
    recorrido: Recorrido
    planes: tuple[PlanDe, ...]
    eventos: tuple[Evento, ...]
    intentos: tuple[Intento, ...]
    artefactos: tuple[Artefacto, ...]
    padre: Enlace | None
    hijos: tuple[Enlace, ...]
    entregas: tuple[Entrega, ...]
    continuaciones: tuple[Continuacion, ...]
    rechazos: tuple[Rechazo, ...]

    @property
    def plan(self) -> Plan:
        """The one that it follows now."""
        return self.planes[-1].plan


def en_json(evidencia: Evidencia) -> str:
    """The document that `de_json` reads back."""
    return evidencia.model_dump_json(indent=1) + "\n"


def de_json(texto: str) -> Evidencia:
    """The evidence that was written. Raises ErrorEntrada when it is not one, or of another format."""
    try:
        return Evidencia.model_validate_json(texto)
    except ValidationError as error:
        raise ErrorEntrada("El fichero no es la evidencia de un recorrido, o es de otra versión.") from error


def huella_de(evidencia: Evidencia) -> str:
    """Hexadecimal sha256 of its JSON file: what ties the page to it."""
    return sha256(en_json(evidencia).encode()).hexdigest()
