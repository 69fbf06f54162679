"""The one table of states: how a job and its attempt move together, and by what; nothing else may move them."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from nucleo.cola.modelo import EstadoIntento as I
from nucleo.cola.modelo import EstadoTrabajo as T
from nucleo.errores import ErrorSobre


class Suceso(StrEnum):
    """What can happen."""

    RECLAMAR = "reclamar"
    """A place is free and it is its turn."""
    ARRANCAR = "arrancar"
    """Hermes took it and said its number."""
    PERDER_PISTA = "perder_pista"
    """Hermes took it, its number is not known."""
    DEVOLVER = "devolver"
    """Back to waiting without having spent an attempt."""
    CERRAR = "cerrar"
    """Its run ended, or must end."""
    ACABAR = "acabar"
    """Its result is there."""
    FALLAR = "fallar"
    """No result, and attempts are left."""
    AGOTAR = "agotar"
    """No result, and none is left."""
    CANCELAR = "cancelar"
    REINTENTAR = "reintentar"


class Paso(NamedTuple):
    """One row: from a job's state and its open attempt's (None = it has none), by an event, to both."""

    trabajo: T
    intento: I | None
    suceso: Suceso
    a_trabajo: T
    a_intento: I | None


S = Suceso
TABLA: tuple[Paso, ...] = (
    Paso(T.PENDIENTE, None, S.RECLAMAR, T.EN_CURSO, I.LANZANDO),
    Paso(T.PENDIENTE, None, S.CANCELAR, T.CANCELADO, None),
    Paso(T.PENDIENTE, None, S.REINTENTAR, T.PENDIENTE, None),
    Paso(T.EN_CURSO, I.LANZANDO, S.ARRANCAR, T.EN_CURSO, I.CORRIENDO),
    Paso(T.EN_CURSO, I.LANZANDO, S.PERDER_PISTA, T.EN_CURSO, I.HUERFANO),
    Paso(T.EN_CURSO, I.LANZANDO, S.DEVOLVER, T.PENDIENTE, I.DEVUELTO),
    Paso(T.EN_CURSO, I.LANZANDO, S.CERRAR, T.EN_CURSO, I.CERRANDO),
    Paso(T.EN_CURSO, I.CORRIENDO, S.CERRAR, T.EN_CURSO, I.CERRANDO),
    Paso(T.EN_CURSO, I.HUERFANO, S.CERRAR, T.EN_CURSO, I.CERRANDO),
    Paso(T.EN_CURSO, I.CERRANDO, S.ACABAR, T.HECHO, I.HECHO),
    Paso(T.EN_CURSO, I.CERRANDO, S.FALLAR, T.PENDIENTE, I.FALLIDO),
    Paso(T.EN_CURSO, I.CERRANDO, S.AGOTAR, T.FALLIDO, I.FALLIDO),
    Paso(T.EN_CURSO, I.CERRANDO, S.DEVOLVER, T.PENDIENTE, I.DEVUELTO),
    # Cancelled by a person: its proposals are refused at once, its place is free when its run has ended.
    Paso(T.EN_CURSO, I.LANZANDO, S.CANCELAR, T.CANCELANDO, I.LANZANDO),
    Paso(T.EN_CURSO, I.CORRIENDO, S.CANCELAR, T.CANCELANDO, I.CORRIENDO),
    Paso(T.EN_CURSO, I.HUERFANO, S.CANCELAR, T.CANCELANDO, I.HUERFANO),
    Paso(T.EN_CURSO, I.CERRANDO, S.CANCELAR, T.CANCELANDO, I.CERRANDO),
    Paso(T.CANCELANDO, I.LANZANDO, S.ARRANCAR, T.CANCELANDO, I.CORRIENDO),
    Paso(T.CANCELANDO, I.LANZANDO, S.PERDER_PISTA, T.CANCELANDO, I.HUERFANO),
    Paso(T.CANCELANDO, I.LANZANDO, S.DEVOLVER, T.CANCELADO, I.CANCELADO),
    Paso(T.CANCELANDO, I.LANZANDO, S.CERRAR, T.CANCELANDO, I.CERRANDO),
    Paso(T.CANCELANDO, I.CORRIENDO, S.CERRAR, T.CANCELANDO, I.CERRANDO),
    Paso(T.CANCELANDO, I.HUERFANO, S.CERRAR, T.CANCELANDO, I.CERRANDO),
    Paso(T.CANCELANDO, I.CERRANDO, S.ACABAR, T.CANCELADO, I.CANCELADO),
    Paso(T.CANCELANDO, I.CERRANDO, S.FALLAR, T.CANCELADO, I.CANCELADO),
    Paso(T.CANCELANDO, I.CERRANDO, S.AGOTAR, T.CANCELADO, I.CANCELADO),
    Paso(T.CANCELANDO, I.CERRANDO, S.DEVOLVER, T.CANCELADO, I.CANCELADO),
    Paso(T.FALLIDO, None, S.REINTENTAR, T.PENDIENTE, None),
    Paso(T.CANCELADO, None, S.REINTENTAR, T.PENDIENTE, None),
)

_PASOS = {(p.trabajo, p.intento, p.suceso): p for p in TABLA}

ABIERTOS = frozenset({I.LANZANDO, I.CORRIENDO, I.HUERFANO, I.CERRANDO})
"""Attempts that take a place."""
TERMINALES = frozenset({T.HECHO, T.FALLIDO, T.CANCELADO})
ACEPTAN = frozenset({I.LANZANDO, I.CORRIENDO, I.HUERFANO})
"""Attempts of a job `en_curso` whose proposals are taken."""


class TransicionImposible(ErrorSobre):
    """The table has no such row: the job is not where that can happen to it."""

    codigo = "cola_transicion"


def mover(trabajo: T, intento: I | None, suceso: Suceso) -> Paso:
    """The row that applies. Raises TransicionImposible."""
    paso = _PASOS.get((trabajo, intento, suceso))
    if paso is None:
        raise TransicionImposible(
            f"No se puede {suceso.replace('_', ' ')} un trabajo que está {trabajo.replace('_', ' ')}."
        )
    return paso
