"""Where a run stands: the small snapshot that every command reads and writes. Events and plans live apart from it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from nucleo.modelo import Modelo
from nucleo.recorridos.comandos import Actor, Comando, RefExterna
from nucleo.recorridos.plan import Ident, Plan, Valores


class EstadoRecorrido(StrEnum):
    """State of a run; the last three are terminal."""

    ACTIVO = "activo"
    PAUSADO = "pausado"
    COMPLETADO = "completado"
    RECHAZADO = "rechazado"
    CANCELADO = "cancelado"


TERMINALES = frozenset((EstadoRecorrido.COMPLETADO, EstadoRecorrido.RECHAZADO, EstadoRecorrido.CANCELADO))


class Situacion(StrEnum):
    """State of a step. `omitido`: its branch was never chosen; `dispensado`: chosen, then waived by a person."""

    BLOQUEADO = "bloqueado"
    LISTO = "listo"
    ESPERANDO = "esperando"
    EN_CURSO = "en_curso"
    DUDOSO = "dudoso"
    """Its lease passed: it may have happened, so it is never repeated without somebody who checked."""
    FALLIDO = "fallido"
    COMPLETADO = "completado"
    OMITIDO = "omitido"
    DISPENSADO = "dispensado"
    RECHAZADO = "rechazado"


RESUELTAS = frozenset((Situacion.COMPLETADO, Situacion.OMITIDO, Situacion.DISPENSADO))
ABIERTAS = frozenset((Situacion.EN_CURSO, Situacion.DUDOSO))


class EstadoIntento(StrEnum):
    """State of one try at a machine step."""

    EN_CURSO = "en_curso"
    COMPLETADO = "completado"
    FALLIDO = "fallido"
    DUDOSO = "dudoso"
    ABANDONADO = "abandonado"


class Intento(Modelo):
    """One try at a machine step; `n` (1, 2, …) is its fencing token. Instants are aware UTC.

    `trabajador` is who may report on it. `vence`: without a sign of life before then it becomes doubtful.
    """

    paso: Ident
    n: int
    estado: EstadoIntento
    trabajador: str
    iniciado: datetime
    vence: datetime
    arriendo_s: int
    terminado: datetime | None = None
    ref: RefExterna = RefExterna()
    mensaje: str = ""


class EstadoPaso(Modelo):
    """State of one step. `rev_base` is the revision at which what it rests on last changed.

    `ramas`: the destinations that an opening gate chose, once. `resultado`: the reason or evidence that closed it.
    `ultimo`: the newest attempt; the earlier ones are only in their table.
    """

    estado: Situacion = Situacion.BLOQUEADO
    rev_base: int = 1
    intento: int = 0
    ultimo: Intento | None = None
    entradas: Valores | None = None
    salidas: Valores | None = None
    ramas: tuple[Ident, ...] | None = None
    resultado: str = ""
    decidido_por: str = ""
    """The person who answered, approved, rejected or waived it."""
    rehechos: int = 0


class Propuesta(Modelo):
    """A plan revision that waits for a person; `base` is the revision at which it was made."""

    plan: Plan
    motivo: str
    autor: Actor
    base: int


class Recorrido(Modelo):
    """The snapshot of a run. Instants are aware UTC; `vence` is the deadline of what it is about, if it has one."""

    id: str
    dominio: Ident
    objeto_id: str
    coordinador: str
    """Name of the agent that leads it; `sistema` when the installation does."""
    estado: EstadoRecorrido
    revision: int
    secuencia: int
    """Number of its last event."""
    plan_version: int
    propuesta: Propuesta | None = None
    vence: datetime | None = None
    creado: datetime
    actualizado: datetime
    archivado: datetime | None = None
    pasos: dict[Ident, EstadoPaso]


class Evento(Modelo):
    """Something that happened, never changed after. A command's own event carries the whole command (replay).

    `tipo`: the command's type, or `creado`, `ruta` (a gate chose, a step was skipped or enabled), `fin`, or
    `artefacto` (a file was left: its id and name are in `mensaje`).
    """

    n: int
    tipo: str
    actor: Actor
    en: datetime
    revision: int
    paso: Ident | None = None
    intento: int | None = None
    mensaje: str = ""
    comando: Comando | None = None


class MotivoEntrega(StrEnum):
    """Why the run's coordinator (or the installation) has to be woken."""

    CREADO = "creado"
    TURNO = "turno"
    """A report opened a step that is not the reporter's, or left a failure for who leads to decide on."""
    RESPUESTA = "respuesta"
    REANUDACION = "reanudacion"
    PLAN = "plan"
    REINTENTO = "reintento"
    CONTINUACION = "continuacion"


class Cambio(Modelo):
    """What one accepted command does, for the store to write in one transaction.

    `intentos` are those created or changed; `plan_nuevo` the plan that became current, if it changed.
    """

    recorrido: Recorrido
    eventos: tuple[Evento, ...]
    intentos: tuple[Intento, ...] = ()
    entrega: MotivoEntrega | None = None
    plan_nuevo: Plan | None = None
