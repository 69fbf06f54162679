"""The evidence put together from the store, all of one instant."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeVar

from nucleo.recorridos import almacen, lectura
from nucleo.recorridos.continuaciones import almacen as continuaciones
from nucleo.recorridos.enlaces import almacen as enlaces
from nucleo.recorridos.estado import Intento, Recorrido
from nucleo.recorridos.exportar.modelo import Evidencia, PlanDe
from nucleo.recorridos.transacciones import instantanea

PAGINA = 500
SIN_LIMITE = 2**31

T = TypeVar("T")
C = TypeVar("C", int, str)


def evidencia(con: sqlite3.Connection, rid: str) -> Evidencia:
    """Everything that is kept of that run. Raises ErrorRecorrido NO_EXISTE.

    Leases of deliveries are left out: they are what lets a worker act, and prove nothing.
    """
    with instantanea(con):
        recorrido = almacen.recorrido(con, rid)
        return Evidencia(
            recorrido=recorrido,
            planes=tuple(_planes(con, rid)),
            eventos=tuple(_todo(0, lambda d: lectura.eventos(con, rid, d, PAGINA), lambda e: e.n)),
            intentos=_intentos(con, recorrido),
            artefactos=tuple(_todo("", lambda d: lectura.artefactos(con, rid, d, PAGINA), lambda a: a.id)),
            padre=enlaces.padre_de(con, rid),
            hijos=enlaces.hijos_de(con, rid, SIN_LIMITE)[::-1],
            entregas=tuple(
                e.model_copy(update={"arriendo": None})
                for e in _todo("", lambda d: lectura.entregas(con, rid, d, PAGINA), lambda e: e.id)
            ),
            continuaciones=continuaciones.todas_de(con, rid, "", SIN_LIMITE),
            rechazos=tuple(_todo(0, lambda d: lectura.rechazos(con, rid, d, PAGINA), lambda r: r.id)),
        )


def _todo(desde: C, pagina: Callable[[C], tuple[T, ...]], cursor: Callable[[T], C]) -> Iterator[T]:
    """Page after page."""
    while leida := pagina(desde):
        yield from leida
        desde = cursor(leida[-1])


def _planes(con: sqlite3.Connection, rid: str) -> Iterator[PlanDe]:
    for version in _todo(0, lambda d: lectura.planes(con, rid, d, PAGINA), lambda v: v.version):
        yield PlanDe(plan=almacen.plan(con, rid, version.version), **dict(version))


def _intentos(con: sqlite3.Connection, recorrido: Recorrido) -> tuple[Intento, ...]:
    """Those of every step, as they began; a step that was tried is in every later version of the plan."""

    def del_paso(paso: str) -> Iterator[Intento]:
        return _todo(0, lambda d: lectura.intentos(con, recorrido.id, paso, d, PAGINA), lambda i: i.n)

    todos = chain.from_iterable(del_paso(i) for i, p in recorrido.pasos.items() if p.intento)
    return tuple(sorted(todos, key=lambda i: (i.iniciado, i.paso, i.n)))
