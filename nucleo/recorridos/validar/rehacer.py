"""What an approval's rejection makes again: the machine steps in a row that lead to it."""

from __future__ import annotations

from nucleo.recorridos.plan import MAQUINA, Paso
from nucleo.recorridos.validar.grafo import Grafo


def region_de(grafo: Grafo, aprobacion: Paso) -> tuple[str, ...] | None:
    """From `rehacer_desde` up to the approval, first to last; None when it is not a row of machine steps.

    A step that is not a gate has one way in and one way out, so that a row has no exit but the approval.
    """
    region: list[str] = []
    actual = aprobacion
    while actual.id != aprobacion.rehacer_desde:
        if len(actual.dependencias) != 1 or len(region) == len(grafo.pasos):
            return None
        anterior = grafo.pasos.get(actual.dependencias[0])
        if anterior is None or anterior.clase not in MAQUINA:
            return None
        region.append(anterior.id)
        actual = anterior
    return tuple(reversed(region)) or None
