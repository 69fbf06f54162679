"""What is known about the health of the radar at an instant."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from dominios.licitaciones.radar.modelo import Modelo
from nucleo.bd import EstadoBase


class SaludFuente(Modelo):
    """One published dataset as read live. Instants in UTC; `edad_h` counts hours since the source last moved."""

    fuente: str
    estado: Literal["al_dia", "parada", "sin_leer"]
    publicada: datetime | None
    """feed/updated of its head, as last read."""
    edad_h: float | None
    limite_h: int
    """Hours without moving that are too many."""
    pasada: datetime | None
    """When the last pass over it ended."""
    error: str | None
    """Why that pass could not read the source, if it could not."""


class Pendiente(Modelo):
    """What waits for a person."""

    cuarentena: int
    incidencias: int


class Salud(Modelo):
    """`mal`: something must be repaired. `avisos`: it works, but somebody should look."""

    estado: Literal["bien", "avisos", "mal"]
    instante: datetime
    base: EstadoBase
    disco_libre: int
    """Bytes free where the database is."""
    fuentes: tuple[SaludFuente, ...]
    pendiente: Pendiente | None
    """None when the database cannot be asked."""
    problemas: tuple[str, ...]
    avisos: tuple[str, ...]
