"""What the installation gives to the runs: templates with their rules, functions, schemas and connectors.

A plan can only name what is here; nothing of it is ever registered by a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from nucleo.modelo import Modelo
from nucleo.recorridos.errores import Problema
from nucleo.recorridos.plan import Paso, Plan, Valores


class EncargoPaso(Modelo):
    """What a function is given: which attempt it works for (key of what it writes), and the step's inputs."""

    recorrido: str
    dominio: str
    objeto_id: str
    paso: str
    intento: int
    datos: Path
    entradas: Valores
    contexto: Valores


class ResultadoPaso(Modelo):
    """What a function leaves: outputs of the step's ports and one sentence of evidence (Spanish)."""

    salidas: Valores
    mensaje: str


@dataclass(frozen=True)
class Funcion:
    """A function that a `codigo` step may name. It raises ErrorSobre when it cannot (the step fails with its sentence).

    `abierta`: also plans without a template may use it. It must write by (recorrido, paso, intento), so that the same
    attempt repeated writes the same once.
    """

    nombre: str
    ejecutar: Callable[[EncargoPaso], ResultadoPaso]
    abierta: bool = False


@dataclass(frozen=True)
class Plantilla:
    """A versioned plan of a domain. `politica`: what every version of such a plan must keep ((), when it does).

    `respuesta`: the domain's rule on what a person answers at a step: (step, its inputs, the answer) → problems.
    `dominio`: that of its runs, whatever who creates them says.
    """

    nombre: str
    plan: Plan
    politica: Callable[[Plan], tuple[Problema, ...]]
    respuesta: Callable[[Paso, Valores, Valores], tuple[Problema, ...]]
    dominio: str = "general"


def _sin_plazo(_: str, __: str) -> datetime | None:
    return None


def _sin_conector(_: str) -> str | None:
    return None


@dataclass(frozen=True)
class Casa:
    """Everything registered. `plazo`: (domain, object) → its deadline, aware; `conector`: coordinator → the name of
    the connector that wakes it, None when there is none; `perfiles`: names of Hermes profiles that a step may be given
    to, None for any."""

    plantillas: Mapping[str, Plantilla] = field(default_factory=dict)
    funciones: Mapping[str, Funcion] = field(default_factory=dict)
    esquemas: Mapping[str, type[Modelo]] = field(default_factory=dict)
    plazo: Callable[[str, str], datetime | None] = _sin_plazo
    conector: Callable[[str], str | None] = _sin_conector
    perfiles: frozenset[str] | None = None
