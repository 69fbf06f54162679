"""What Hermes tells about itself, a run and a session, in our words.

Times are aware UTC and come from Hermes's clock, which is not ours: only differences between two of them mean anything.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from nucleo.modelo import Modelo

SIMULADO = "simulado"
"""What the stand-in's version and its model say."""


class Idempotencia(StrEnum):
    """What `Idempotency-Key` does on POST /v1/runs. Only DURADERA survives a restart of Hermes."""

    NINGUNA = "ninguna"
    MEMORIA = "memoria"
    DURADERA = "duradera"


class Capacidades(Modelo):
    """What this Hermes can do, as it says; never deduced from its version."""

    idempotencia: Idempotencia
    runs: bool
    parar: bool
    aprobar: bool
    sesiones: bool

    @property
    def repetible(self) -> bool:
        """Whether the same launch may be sent again without running it twice."""
        return self.idempotencia is Idempotencia.DURADERA

    @property
    def bastan(self) -> bool:
        """Whether it offers everything that the queue needs."""
        return self.runs and self.parar and self.aprobar and self.sesiones


class Lanzado(Modelo):
    """A run that was accepted. `repetido`: this launch had been accepted before, and is the same run."""

    run_id: str
    repetido: bool = False


class Huerfano(Modelo):
    """A launch that did start but whose run_id was lost: only its session and its tool calls can be watched."""

    sesion_id: str


class EstadoRun(Modelo):
    """A run as it was told. `estado` is Hermes's own word; `desenlace.clasificar` says what it means."""

    run_id: str
    estado: str
    sesion_id: str | None = None
    creado: datetime | None = None
    actualizado: datetime | None = None
    """Last tool, approval or state change; it stands still while the model writes."""
    ultimo_evento: str | None = None
    salida: str = ""
    error: str = ""
    motivo_fin: str = ""
    parcial: bool = False


class MetricasSesion(Modelo):
    """Tokens and calls of a session, from Hermes's own store; it outlives restarts and counts failed runs too.

    `entrada` leaves out what was read from or written to the provider's cache.
    """

    sesion_id: str
    modelo: str | None = None
    entrada: int = 0
    salida: int = 0
    cache_leida: int = 0
    cache_escrita: int = 0
    razonamiento: int = 0
    llamadas: int = 0
    herramientas: int = 0
    mensajes: int = 0
    inicio: datetime | None = None
    ultima_actividad: datetime | None = None
    """None in 0.19, which does not tell; there, only a change in the counters shows that it goes on."""
    partida: bool = False
    """Hermes went on in another session (context compression), whose tokens are not here."""

    @property
    def tokens(self) -> int:
        """All tokens, cache included."""
        return self.entrada + self.salida + self.cache_leida + self.cache_escrita


class SaludHermes(Modelo):
    """Who answers behind the port. `lista` says nothing of MCP: Hermes calls itself well without it."""

    pid: int | None
    version: str
    lista: bool

    @property
    def simulado(self) -> bool:
        """Whether it is the scripted stand-in, which screens must say."""
        return SIMULADO in self.version
