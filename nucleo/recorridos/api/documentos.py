"""What the API asks and answers besides the models of the runs themselves."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from nucleo.modelo import Modelo
from nucleo.recorridos.artefactos.modelo import Artefacto, NombreFichero
from nucleo.recorridos.comandos import ComandoId
from nucleo.recorridos.continuaciones.modelo import Continuacion
from nucleo.recorridos.enlaces.modelo import Enlace
from nucleo.recorridos.entregas.modelo import Entrega
from nucleo.recorridos.estado import EstadoRecorrido, Evento, Intento
from nucleo.recorridos.lectura.modelo import Limite, Pendiente, Proyeccion, Rechazo, Resumen, VersionPlan
from nucleo.recorridos.peticiones import RecorridoId
from nucleo.recorridos.plan import Ident

ESPERA_MAX_S = 55
"""Below the minute at which many clients give up."""


class Recorridos(Modelo):
    """`siguiente`: what to give as `antes` to go on; None when there are no more."""

    recorridos: tuple[Resumen, ...]
    siguiente: str | None


class Pendientes(Modelo):
    """What waits for a person, the nearest deadline first."""

    pendientes: tuple[Pendiente, ...]


class Eventos(Modelo):
    """`siguiente`: what to give as `desde` to go on; None when there are no more."""

    eventos: tuple[Evento, ...]
    siguiente: int | None


class Intentos(Modelo):
    """Attempts of a step, oldest first."""

    intentos: tuple[Intento, ...]


class Planes(Modelo):
    """The versions that the plan has had, oldest first."""

    planes: tuple[VersionPlan, ...]


class Artefactos(Modelo):
    """The files that a run's steps left."""

    artefactos: tuple[Artefacto, ...]


class Enlaces(Modelo):
    """Where a run comes from and what came out of it."""

    padre: Enlace | None
    hijos: tuple[Enlace, ...]


class Continuaciones(Modelo):
    """Texts for the coordinator."""

    continuaciones: tuple[Continuacion, ...]


class Entregas(Modelo):
    """Notices to coordinators."""

    entregas: tuple[Entrega, ...]


class Rechazos(Modelo):
    """Commands that were refused and kept as evidence."""

    rechazos: tuple[Rechazo, ...]


class Espera(Modelo):
    """The answer to `esperar`: whether the revision has passed the one given, and the run if it has."""

    cambio: bool
    revision: int
    estado: EstadoRecorrido
    recorrido: Proyeccion | None


class PeticionEspera(Modelo):
    """Query of `esperar`. `segundos`: how long it may take to answer; inside this process it answers at once."""

    tras_revision: Annotated[int, Field(ge=0)]
    segundos: Annotated[int, Field(ge=0, le=ESPERA_MAX_S)] = ESPERA_MAX_S


class PeticionReconciliar(Modelo):
    """What somebody found out of a delivery that may have arrived; `nota` tells how."""

    llego: bool
    nota: Annotated[str, Field(min_length=1, max_length=900)]


class PeticionArtefacto(Modelo):
    """Query of a file that is sent: what NuevoArtefacto says of it, and the run."""

    recorrido: RecorridoId
    comando_id: ComandoId
    paso: Ident
    intento: Annotated[int | None, Field(ge=1)] = None
    nombre: NombreFichero


class PeticionExportar(Modelo):
    """How the file of evidence is written."""

    formato: Literal["html", "json"] = "html"


class Pagina(Modelo):
    """`desde`: number of the last thing read."""

    desde: Annotated[int, Field(ge=0, le=2**53)] = 0
    limite: Limite = 100


class PaginaDePaso(Pagina):
    """The same, of one step."""

    paso: Ident


class PaginaPorId(Modelo):
    """`desde`: identifier of the last thing read."""

    desde: Annotated[str, Field(max_length=64)] = ""
    limite: Limite = 100


class SinConsulta(Modelo):
    """The address says it all."""
