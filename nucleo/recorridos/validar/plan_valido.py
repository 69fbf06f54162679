"""A plan that was checked, with what the engine asks of it worked out once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nucleo.recorridos.plan import Paso, Plan
from nucleo.recorridos.valores import Esquemas


@dataclass(frozen=True)
class PlanValido:
    """`orden`: every step after those it depends on.

    `ramas`: step → {opening of a gate that may skip it: first step of its branch}. `regiones`: approval → the machine
    steps that its rejection makes again, first to last. `exigen`: step → steps that require one of its outputs.
    `esquemas`: the models that its ports name.
    """

    plan: Plan
    pasos: Mapping[str, Paso]
    orden: tuple[str, ...]
    sucesores: Mapping[str, tuple[str, ...]]
    ancestros: Mapping[str, frozenset[str]]
    ramas: Mapping[str, Mapping[str, str]]
    regiones: Mapping[str, tuple[str, ...]]
    exigen: Mapping[str, tuple[str, ...]]
    esquemas: Esquemas
