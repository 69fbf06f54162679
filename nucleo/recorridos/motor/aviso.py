"""Who has to be woken because of a report: the next step, or the decision on a failure, is not the reporter's."""

from __future__ import annotations

from nucleo.recorridos.comandos import TipoComando
from nucleo.recorridos.estado import MotivoEntrega, Situacion
from nucleo.recorridos.motor.borrador import Borrador
from nucleo.recorridos.motor.orden import Orden, es_coordinador
from nucleo.recorridos.motor.permiso import le_toca


def avisar(orden: Orden, borrador: Borrador) -> None:
    """Nothing if the command already wakes somebody."""
    if borrador.entrega is not None:
        return
    coordina = es_coordinador(orden.actor, orden.antes)
    falla = orden.tipo is TipoComando.FALLAR and not coordina
    if falla or any(_es_de_otro(orden, borrador, i) for i in borrador.pasos):
        borrador.entrega = MotivoEntrega.TURNO


def _es_de_otro(orden: Orden, borrador: Borrador, paso: str) -> bool:
    """A machine step that has just opened and that the actor does not take."""
    antes = orden.antes.pasos.get(paso)
    if borrador.pasos[paso].estado is not Situacion.LISTO or (antes and antes.estado is Situacion.LISTO):
        return False
    return not le_toca(orden.actor, borrador.plan.pasos[paso], orden.antes)
