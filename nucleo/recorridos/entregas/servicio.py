"""The life of a delivery from the side of who sends it: lease, acknowledgement, doubt and settlement.

Every function is one transaction of its own, and none touches a step: that a notice arrived is not that work began.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Collection
from datetime import datetime, timedelta

from nucleo.recorridos import almacen as recorridos
from nucleo.recorridos.comandos import Actor, ClaseActor
from nucleo.recorridos.continuaciones import almacen as continuaciones
from nucleo.recorridos.entregas import almacen
from nucleo.recorridos.entregas.modelo import Entrega, EstadoEntrega
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import TERMINALES
from nucleo.recorridos.quien import edita
from nucleo.recorridos.transacciones import escritura

ARRIENDO = timedelta(seconds=30)


def arrendar(con: sqlite3.Connection, conectores: Collection[str], ahora: datetime) -> Entrega | None:
    """The next delivery of those connectors, leased for 30 s to who asks; None when none may go now.

    Nobody else gets it. It is sent with its `id` as key, and acknowledged with its `arriendo`.
    """
    with escritura(con):
        siguiente = almacen.primera(con, conectores, ahora)
        if siguiente is None:
            return None
        return _mover(
            con,
            siguiente,
            EstadoEntrega.ARRENDADA,
            arriendo=secrets.token_hex(16),
            vence=ahora + ARRIENDO,
            veces=siguiente.veces + 1,
        )


def confirmar(con: sqlite3.Connection, entrega: str, arriendo: str, ahora: datetime) -> Entrega:
    """The connector took it. Raises ErrorRecorrido ARRIENDO_PERDIDO when the lease is not its any more."""
    with escritura(con):
        return _confirmar(con, _arrendada(con, entrega, arriendo, ahora), "", ahora)


def liberar(  # noqa: PLR0913, PLR0917 - the lease, and when and why to try again
    con: sqlite3.Connection, entrega: str, arriendo: str, no_antes: datetime, nota: str, ahora: datetime
) -> Entrega:
    """Nothing was sent, and that is sure: it waits again, until `no_antes`. Raises ErrorRecorrido ARRIENDO_PERDIDO."""
    with escritura(con):
        return _a_la_espera(con, _arrendada(con, entrega, arriendo, ahora), no_antes, nota, ahora)


def vencer(con: sqlite3.Connection, ahora: datetime) -> int:
    """Leases that passed without a word become doubts; how many."""
    with escritura(con):
        vencidas = almacen.vencidas(con, ahora)
        for vencida in vencidas:
            _mover(con, vencida, EstadoEntrega.INCIERTA, arriendo=None)
        return len(vencidas)


def inciertas(con: sqlite3.Connection, limite: int = 100) -> tuple[Entrega, ...]:
    """Those that may have arrived, oldest first: somebody has to find out."""
    return almacen.inciertas(con, limite)


def reconciliar(  # noqa: PLR0913, PLR0917 - the doubt, its answer and who gives it
    con: sqlite3.Connection, entrega: str, llego: bool, nota: str, actor: Actor, ahora: datetime
) -> Entrega:
    """Somebody found out. If it did not arrive it waits again, unless a newer one says the same.

    Raises ErrorRecorrido PROHIBIDO (neither a person that may edit nor the installation), NO_EXISTE, or ESTADO when it
    is not in doubt.
    """
    _exigir_quien_reconcilia(actor)
    with escritura(con):
        actual = _leer(con, entrega)
        if actual.estado is not EstadoEntrega.INCIERTA:
            raise ErrorRecorrido("ESTADO", f"Esta entrega no está en duda: está {actual.estado}.")
        firmada = f"{actor.nombre}: {nota}"[:1_000]
        if llego:
            return _confirmar(con, actual, firmada, ahora)
        return _a_la_espera(con, actual, ahora, firmada, ahora)


def _confirmar(con: sqlite3.Connection, entrega: Entrega, nota: str, ahora: datetime) -> Entrega:
    continuaciones.entregar(con, entrega.id)
    return _mover(con, entrega, EstadoEntrega.CONFIRMADA, arriendo=None, cerrada=ahora, nota=nota)


def _a_la_espera(
    con: sqlite3.Connection, entrega: Entrega, no_antes: datetime, nota: str, ahora: datetime
) -> Entrega:
    """It was not sent: it waits again, or it is over if a newer one waits or the run has ended."""
    nueva = almacen.en_espera(con, entrega.recorrido)
    if nueva is not None:
        continuaciones.mudar(con, entrega.id, nueva.id)
        return _mover(con, entrega, EstadoEntrega.FUNDIDA, arriendo=None, cerrada=ahora, nota=nota)
    if recorridos.recorrido(con, entrega.recorrido).estado in TERMINALES:
        continuaciones.devolver(con, entrega.id)
        return _mover(con, entrega, EstadoEntrega.ANULADA, arriendo=None, cerrada=ahora, nota=nota)
    return _mover(
        con, entrega, EstadoEntrega.PENDIENTE, arriendo=None, vence=None, no_antes=no_antes, nota=nota
    )


def _mover(con: sqlite3.Connection, entrega: Entrega, estado: EstadoEntrega, **cambios: object) -> Entrega:
    movida = entrega.model_copy(update={"estado": estado, **cambios})
    almacen.actualizar(con, movida)
    recorridos.tocar(con, entrega.recorrido)
    return movida


def _arrendada(con: sqlite3.Connection, identificador: str, arriendo: str, ahora: datetime) -> Entrega:
    actual = _leer(con, identificador)
    vigente = actual.vence is not None and ahora < actual.vence
    if actual.estado is EstadoEntrega.ARRENDADA and vigente and actual.arriendo == arriendo:
        return actual
    raise ErrorRecorrido(
        "ARRIENDO_PERDIDO",
        f"El arriendo de la entrega {actual.id} se perdió: queda {actual.estado} hasta que alguien compruebe si llegó.",
    )


def _leer(con: sqlite3.Connection, identificador: str) -> Entrega:
    actual = almacen.entrega(con, identificador)
    if actual is None:
        raise ErrorRecorrido("NO_EXISTE", f"No hay ninguna entrega «{identificador[:64]}».")
    return actual


def _exigir_quien_reconcilia(actor: Actor) -> None:
    if not edita(actor) and actor.clase is not ClaseActor.EJECUTOR:
        raise ErrorRecorrido(
            "PROHIBIDO", "Si una entrega llegó lo dice una persona, o el programa si puede comprobarlo."
        )
