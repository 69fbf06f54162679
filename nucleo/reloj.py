"""The one clock: everything that depends on now receives it, so that tests can set it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

MADRID = ZoneInfo("Europe/Madrid")
EPOCA = datetime(1970, 1, 1, tzinfo=UTC)
MICROSEGUNDO = timedelta(microseconds=1)

Reloj = Callable[[], datetime]
"""Returns the present instant, aware, in UTC."""


def reloj_del_sistema() -> datetime:
    """Now, aware, UTC."""
    return datetime.now(UTC)


def reloj_fijo(instante: datetime) -> Reloj:
    """A clock that stands still at `instante` (aware)."""
    if instante.tzinfo is None:
        raise ValueError("el reloj necesita un instante con zona horaria")
    return lambda: instante.astimezone(UTC)


def a_micros(instante: datetime) -> int:
    """Microseconds since 1970-01-01T00:00Z; exact (no float). Raises TypeError for a naive datetime."""
    return (instante - EPOCA) // MICROSEGUNDO


def desde_micros(micros: int) -> datetime:
    """The aware UTC instant of `micros` microseconds since 1970."""
    return EPOCA + timedelta(microseconds=micros)
