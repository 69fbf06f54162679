"""What the queue handles: a job, its attempts, and what a job type must say so that the queue can run it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from nucleo.modelo import Modelo


class EstadoTrabajo(StrEnum):
    """Where a job stands. A job that waits for something is `pendiente`: waiting is not a state, it is worked out."""

    PENDIENTE = "pendiente"
    EN_CURSO = "en_curso"
    CANCELANDO = "cancelando"
    HECHO = "hecho"
    FALLIDO = "fallido"
    CANCELADO = "cancelado"


class EstadoIntento(StrEnum):
    """Where an attempt stands; the first four are open and take one of the places of the queue."""

    LANZANDO = "lanzando"
    CORRIENDO = "corriendo"
    HUERFANO = "huerfano"
    """It did start, but Hermes's number for it was lost: only its session can be watched."""
    CERRANDO = "cerrando"
    """Its proposals are refused from now on; its run is stopped, its result checked and its tokens counted."""
    HECHO = "hecho"
    FALLIDO = "fallido"
    DEVUELTO = "devuelto"
    """It was no fault of the job's (provider limit, Hermes down): it does not count."""
    CANCELADO = "cancelado"


class Causa(StrEnum):
    """Why an attempt was closed."""

    TERMINADO = "terminado"
    FALLO = "fallo"
    LIMITE_PROVEEDOR = "limite_proveedor"
    CREDENCIAL = "credencial"
    PERDIDO = "perdido"
    SIN_ACTIVIDAD = "sin_actividad"
    TOPE_TIEMPO = "tope_tiempo"
    SIN_HERRAMIENTAS = "sin_herramientas"
    NO_LANZADO = "no_lanzado"
    """Hermes did not take it; it is sure that nothing started."""
    CANCELADO = "cancelado"


class Trabajo(Modelo):
    """One AI job. Instants are aware UTC."""

    id: int
    tipo: str
    objeto: str
    """What it is about, in its domain's own words (a tender's id); costs are added up by it."""
    clave: str
    datos: str
    """The type's own input, as JSON text."""
    clase: int
    """The lower, the sooner."""
    vence: datetime | None
    creado: datetime
    desde: datetime
    """Since when it waits for its turn (its age); a person's retry starts it again."""
    no_antes: datetime
    estado: EstadoTrabajo
    intentos: int
    """Attempts ever begun."""
    gastados: int
    """Failed attempts that count against it."""
    terminado: datetime | None
    motivo: str
    """What happened last, for people."""


class Intento(Modelo):
    """One try at a job. `texto` and `entrada` are frozen before Hermes is called: the same attempt sends the same."""

    id: int
    trabajo_id: int
    tipo: str
    numero: int
    perfil: str
    nonce: str
    """Secret that the agent must give back with each proposal; it dies with the attempt."""
    sesion_id: str
    estado: EstadoIntento
    version: str | None
    """Version of the instructions; None while nothing has been frozen, so Hermes cannot have been called."""
    texto: str | None
    entrada: str | None
    run_id: str | None
    reservado: datetime
    lanzado: datetime | None
    actividad: datetime
    """When we last saw it do something, by our clock."""
    marca: str
    """What Hermes said of its activity then; only a change of it means anything."""
    causa: Causa | None
    detalle: str
    cerrado: datetime | None

    @property
    def abierto(self) -> bool:
        """Whether it still takes a place."""
        return self.cerrado is None


class Instrucciones(Modelo):
    """What travels to the agent; the job's number and the attempt's nonce are added by the queue."""

    version: str
    texto: str
    entrada: str


class Comprobacion(Modelo):
    """Whether the agent left its result, looked up where it should be."""

    hecho: bool
    detalle: str


@dataclass(frozen=True)
class TipoTrabajo:
    """What a domain declares of a kind of job; `instruir` and `comprobar` may be called more than once."""

    nombre: str
    perfil: str
    """Hermes profile that does it."""
    clase: int
    instruir: Callable[[Trabajo, Intento], Instrucciones]
    comprobar: Callable[[Trabajo, Intento], Comprobacion]
    sin_herramientas_s: int = 600
    """Seconds without a tool call after which its run is taken for dead."""
    limite_s: int = 3600
    """Seconds that a run may last in all."""


Tipos = Mapping[str, TipoTrabajo]


class Metricas(Modelo):
    """What an attempt used. `coste` is None when it cannot be known; `incompletas` when the tokens are short too."""

    proveedor: str
    modelo: str | None = None
    entrada: int = 0
    salida: int = 0
    cache_leida: int = 0
    cache_escrita: int = 0
    llamadas: int = 0
    herramientas: int = 0
    coste: Decimal | None = None
    incompletas: bool = True

    @property
    def pregunto(self) -> bool:
        """Whether a provider was asked for something, as far as is known."""
        return self.incompletas or self.entrada + self.salida + self.cache_leida + self.cache_escrita > 0


class Reclamado(Modelo):
    """A job and its open attempt, to be run or gone on with."""

    trabajo: Trabajo
    intento: Intento


class Ambito(StrEnum):
    """What a brake stops."""

    COLA = "cola"
    PROVEEDOR = "proveedor"
    PERFIL = "perfil"
    TIPO = "tipo"


class Autor(StrEnum):
    """Who put a brake: what a rule puts ends by itself, what a person puts ends when a person says so."""

    REGLA = "regla"
    PERSONA = "persona"


class Freno(Modelo):
    """Something does not start for a while. `hasta` None = until a person lifts it; one in the past only tells since
    when failures are counted anew."""

    ambito: Ambito
    nombre: str
    autor: Autor
    desde: datetime
    hasta: datetime | None
    motivo: str

    def vigente(self, ahora: datetime) -> bool:
        """Whether it still holds."""
        return self.hasta is None or self.hasta > ahora
