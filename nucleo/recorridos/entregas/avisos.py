"""The notice that a change of a run leaves, in the transaction of the change: neither is without the other."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from nucleo.recorridos.casa import Casa
from nucleo.recorridos.continuaciones import almacen as continuaciones
from nucleo.recorridos.entregas import almacen
from nucleo.recorridos.entregas.modelo import Entrega, EstadoEntrega
from nucleo.recorridos.estado import MotivoEntrega, Recorrido
from nucleo.recorridos.identificadores import nuevo_id


def avisar(
    con: sqlite3.Connection, casa: Casa, recorrido: Recorrido, motivo: MotivoEntrega, ahora: datetime
) -> Entrega:
    """The run's waiting delivery, that now tells of this too; a new one if there was none.

    Its state is `sin_conector` when the house cannot wake the run's coordinator.
    """
    conector = casa.conector(recorrido.coordinador)
    estado = EstadoEntrega.SIN_CONECTOR if conector is None else EstadoEntrega.PENDIENTE
    cambios = {"revision": recorrido.revision, "motivo": motivo, "conector": conector}
    for espera in almacen.sin_enviar(con, recorrido.id):
        if espera.estado is estado:
            juntas = espera.model_copy(update=cambios)
            almacen.actualizar(con, juntas)
            return juntas
    nueva = Entrega(
        id=nuevo_id("ent", ahora),
        recorrido=recorrido.id,
        revision=recorrido.revision,
        motivo=motivo,
        conector=conector,
        estado=estado,
        arriendo=None,
        vence=None,
        veces=0,
        no_antes=ahora,
        creada=ahora,
        cerrada=None,
        nota="",
    )
    almacen.poner(con, nueva)
    return nueva


def anular(con: sqlite3.Connection, rid: str, ahora: datetime) -> None:
    """The run has ended: what was not sent is not sent any more, and its texts are drafts again."""
    for espera in almacen.sin_enviar(con, rid):
        anulada = espera.model_copy(update={"estado": EstadoEntrega.ANULADA, "cerrada": ahora})
        almacen.actualizar(con, anulada)
        continuaciones.devolver(con, espera.id)
