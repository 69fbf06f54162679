"""Precision, recall and what was lost, from labels and answers."""

from __future__ import annotations

from collections.abc import Iterable

from dominios.licitaciones.criba.evaluacion.modelo import Medida
from dominios.licitaciones.criba.modelo import Situacion, Veredicto


def medir(pares: Iterable[tuple[Veredicto, Situacion]]) -> Medida:
    """(what a person says, what was answered). A person's `duda` weighs neither for nor against."""
    todos = list(pares)
    encajan = [dicho for etiqueta, dicho in todos if etiqueta is Veredicto.ENCAJA]
    ciertos = encajan.count(Situacion.ENCAJA)
    falsos = sum(e is Veredicto.NO_ENCAJA and d is Situacion.ENCAJA for e, d in todos)
    perdidas = encajan.count(Situacion.NO_ENCAJA)
    return Medida(
        casos=len(todos),
        aciertos=sum(etiqueta.value == dicho.value for etiqueta, dicho in todos),
        dudas=sum(d is Situacion.DUDA for _, d in todos),
        sin_veredicto=sum(d is Situacion.SIN_VEREDICTO for _, d in todos),
        perdidas=perdidas,
        precision=_razon(ciertos, ciertos + falsos),
        exhaustividad=_razon(ciertos, len(encajan)),
        a_la_vista=_razon(len(encajan) - perdidas, len(encajan)),
    )


def _razon(parte: int, todo: int) -> float | None:
    return round(parte / todo, 4) if todo else None
