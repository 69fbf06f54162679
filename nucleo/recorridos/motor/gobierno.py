"""Commands about the whole run: pause, resume, cancel, archive."""

from __future__ import annotations

from nucleo.recorridos.estado import EstadoRecorrido, MotivoEntrega
from nucleo.recorridos.motor.borrador import Borrador
from nucleo.recorridos.motor.orden import Orden


def pausar(_: Orden, borrador: Borrador) -> None:
    """What is under way may end; nothing begins."""
    borrador.estado = EstadoRecorrido.PAUSADO


def reanudar(_: Orden, borrador: Borrador) -> None:
    """Go on from where it was."""
    borrador.estado = EstadoRecorrido.ACTIVO
    borrador.entrega = MotivoEntrega.REANUDACION


def cancelar(_: Orden, borrador: Borrador) -> None:
    """For good. What was under way stays as it was seen last; effects outside are not undone."""
    borrador.estado = EstadoRecorrido.CANCELADO
    borrador.propuesta = None


def archivar(orden: Orden, borrador: Borrador) -> None:
    """Out of the way."""
    borrador.archivado = orden.ahora


def desarchivar(_: Orden, borrador: Borrador) -> None:
    """Back in sight."""
    borrador.archivado = None
