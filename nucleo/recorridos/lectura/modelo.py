"""What is read of the runs: one whole, many in a line each, and what waits for a person in all of them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from nucleo.modelo import Modelo
from nucleo.recorridos.continuaciones.modelo import Continuacion
from nucleo.recorridos.enlaces.modelo import Enlace
from nucleo.recorridos.entregas.modelo import Entrega
from nucleo.recorridos.esperas import Pide
from nucleo.recorridos.estado import EstadoRecorrido, Intento, Recorrido
from nucleo.recorridos.motor import Pelota
from nucleo.recorridos.plan import Clase, Ident, Plan
from nucleo.recorridos.rechazos.modelo import Insistente, Rechazo
from nucleo.recorridos.version_plan import VersionPlan

__all__ = [
    "FiltroBandeja",
    "FiltroRecorridos",
    "Insistente",
    "IntentoDe",
    "Pendiente",
    "Pide",
    "Proyeccion",
    "Pulso",
    "Rechazo",
    "Resumen",
    "VersionPlan",
]

Limite = Annotated[int, Field(ge=1, le=500)]


class Proyeccion(Modelo):
    """A run at one instant with what hangs from it; the long lists are read apart, by pages.

    `entregas`: those not settled. `hijos`: the newest hundred. `continuaciones`: drafts and those on their way.
    """

    recorrido: Recorrido
    plan: Plan
    pelota: tuple[Pelota, ...]
    entregas: tuple[Entrega, ...]
    continuaciones: tuple[Continuacion, ...]
    padre: Enlace | None
    hijos: tuple[Enlace, ...]
    artefactos: int
    rechazos: int
    cambio: int


class FiltroRecorridos(Modelo):
    """Which runs, newest first. `estados` empty: any. `texto`: part of the title. `antes`: id of the last one read.

    `archivados`: those put away instead of those in sight.
    """

    estados: tuple[EstadoRecorrido, ...] = ()
    dominio: Ident | None = None
    objeto_id: str | None = None
    coordinador: str | None = None
    plantilla: str | None = None
    texto: Annotated[str, Field(max_length=160)] = ""
    archivados: bool = False
    antes: str | None = None
    limite: Limite = 50


class Resumen(Modelo):
    """A run in a line. `pasos` and `resueltos`: how many it has, and are done, skipped or waived.

    `esperan`: how many things of it wait for a person.
    """

    id: str
    titulo: str
    dominio: Ident
    objeto_id: str
    coordinador: str
    plantilla: str | None
    estado: EstadoRecorrido
    revision: int
    vence: datetime | None
    creado: datetime
    actualizado: datetime
    archivado: datetime | None
    pasos: int
    resueltos: int
    esperan: int


class FiltroBandeja(Modelo):
    """Whose and which. `pide` empty: anything. `desde`: how many of the first ones are skipped."""

    pide: tuple[Pide, ...] = ()
    dominio: Ident | None = None
    objeto_id: str | None = None
    recorrido: str | None = None
    desde: Annotated[int, Field(ge=0)] = 0
    limite: Limite = 100


class Pendiente(Modelo):
    """Something that waits for a person. `vence`: deadline of what its run is about; `desde`: since when it waits.

    `paso`, `titulo_paso` and `clase` are empty when it is the run's; `pregunta` may be empty. `revision`: with which to
    answer now. `rol`: the least role that may. `entrega`: the delivery's id, only for `Pide.ENTREGA`.
    """

    pide: Pide
    recorrido: str
    titulo: str
    dominio: Ident
    objeto_id: str
    revision: int
    paso: Ident | None
    titulo_paso: str
    clase: Clase | None
    pregunta: str
    rol: Literal["admin", "editor"]
    desde: datetime
    vence: datetime | None
    entrega: str | None = None


class Pulso(Modelo):
    """What tells whether a run changed. `cambio` grows with each change of any run; `secuencia`, with its events."""

    id: str
    estado: EstadoRecorrido
    revision: int
    secuencia: int
    cambio: int


class IntentoDe(Modelo):
    """An attempt with the run it belongs to."""

    recorrido: str
    intento: Intento
