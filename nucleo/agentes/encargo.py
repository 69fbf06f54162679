"""The attempt that an agent works for, as its tools name it, and the gate that says whether it is still open."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias

from pydantic import Field, StringConstraints

from nucleo.errores import ErrorEntrada
from nucleo.modelo import Modelo

if TYPE_CHECKING:
    from nucleo.agentes.herramientas import Contexto


class Encargo(Modelo):
    """Which job and attempt, as the instructions say at their end: the first arguments of whoever works for one."""

    trabajo: Annotated[
        int, Field(ge=1, le=2**63 - 1, description="El número de trabajo de tus instrucciones")
    ]
    nonce: Annotated[
        str,
        StringConstraints(min_length=8, max_length=80),
        Field(description="El nonce de tus instrucciones, tal cual"),
    ]


class Abierto(NamedTuple):
    """An attempt that may leave proposals. `datos` is its job's own input, as JSON text."""

    intento_id: int
    version: str | None
    nonce: str
    trabajo_id: int
    datos: str


Puerta: TypeAlias = Callable[[sqlite3.Connection, "Contexto", str, Encargo], AbstractContextManager[Abierto]]
"""(connection to be written, context, job type, which attempt): nobody can close the attempt during the block.

Raises ErrorEntrada when it is not open, is of another job or type, or was given to another agent.
"""


@contextmanager
def cerrada(_: sqlite3.Connection, __: Contexto, ___: str, ____: Encargo) -> Iterator[Abierto]:
    """The gate of an installation without a queue: nothing is ever open."""
    raise encargo_cerrado()
    yield  # a generator all the same


def encargo_cerrado() -> ErrorEntrada:
    """The same for every reason: whoever asks with a guessed number learns nothing."""
    return ErrorEntrada(
        "Ese encargo no está abierto: revisa `trabajo` y `nonce`; si son los tuyos, ya ha terminado.",
        codigo="encargo_cerrado",
    )
