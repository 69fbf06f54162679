"""What a miss is, and the edit that it proposes: a person makes it or not."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from dominios.licitaciones.prefiltro.modelo import Regla
from nucleo.modelo import Modelo


class Quien(StrEnum):
    """Who won."""

    NOSOTROS = "nosotros"
    RIVAL = "rival"


class Donde(StrEnum):
    """Which sieve left it out."""

    PREFILTRO = "prefiltro"
    CRIBA = "criba"


class Hechos(Modelo):
    """What an edit needs to know of the tender. `importe` euros without tax."""

    objeto: str
    importe: Decimal | None
    cpv: tuple[str, ...]
    nuts: tuple[str, ...]
    tipo: str | None
    procedimiento: str | None
    tipo_registro: str


class Descarte(Modelo):
    """How it was left out: the prefilter's rules against it, or the agent's reason and profile lines."""

    donde: Donde
    reglas: tuple[Regla, ...] = ()
    motivo: str = ""
    lineas: tuple[str, ...] = ()


class Cambio(Modelo):
    """An edit of a profile: in which one («prefiltro», «empresa»), where and what."""

    perfil: str
    campo: str
    accion: str
    valor: str
    porque: str


class Fallo(Modelo):
    """A miss. `atendido` None = nobody has looked at it."""

    id: int
    licitacion_id: int
    entrada_id: str
    objeto: str
    quien: Quien
    ganador: str
    donde: Donde
    cambios: tuple[Cambio, ...]
    creado: datetime
    atendido: datetime | None
    persona: str | None
