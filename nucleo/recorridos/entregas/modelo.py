"""A delivery: the notice that wakes a run's coordinator. It never means that a step has started."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from nucleo.modelo import Modelo
from nucleo.recorridos.estado import MotivoEntrega


class EstadoEntrega(StrEnum):
    """State of a delivery."""

    PENDIENTE = "pendiente"
    ARRENDADA = "arrendada"
    CONFIRMADA = "confirmada"
    """The connector took it; nothing is said of the step."""
    INCIERTA = "incierta"
    """Its lease passed without a word: it may have been sent, so it is never sent again by itself."""
    FUNDIDA = "fundida"
    """A newer one of the same run says the same and more."""
    ANULADA = "anulada"
    SIN_CONECTOR = "sin_conector"
    """Nobody here can wake its coordinator; a person can copy the request to it."""


VIVAS = frozenset(
    (
        EstadoEntrega.PENDIENTE,
        EstadoEntrega.ARRENDADA,
        EstadoEntrega.INCIERTA,
        EstadoEntrega.SIN_CONECTOR,
    )
)


class Entrega(Modelo):
    """Instants are aware UTC. `id` is the key with which it is sent, always the same.

    `revision`: the newest one that it tells about. `arriendo`: token of who is sending it, until `vence`.
    `veces`: leases given. `no_antes`: back off until then.
    """

    id: str
    recorrido: str
    revision: int
    motivo: MotivoEntrega
    conector: str | None
    estado: EstadoEntrega
    arriendo: str | None
    vence: datetime | None
    veces: int
    no_antes: datetime
    creada: datetime
    cerrada: datetime | None
    nota: str
    """What the worker, or whoever reconciled it, said."""
