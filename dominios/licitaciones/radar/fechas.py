"""Published dates and times: instants with offset, local deadlines without it, and the absurd ones."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from nucleo.reloj import MADRID, a_micros

ANIO_MINIMO = 1900
ANIO_MAXIMO = 2200
"""Of an instant, which is read without a clock; of a date, see ANIOS_FUTUROS."""
ANIOS_FUTUROS = 50


def leer_instante(publicado: str | None) -> int | None:
    """Microseconds UTC of an RFC 3339 instant; None when it cannot be read, carries no offset or is absurd.

    Instants are always compared as numbers: +01:00 and +02:00 mix on the nights the clock changes.
    """
    if not publicado:
        return None
    try:
        instante = datetime.fromisoformat(publicado.strip())
    except ValueError:
        return None
    creible = instante.tzinfo is not None and ANIO_MINIMO <= instante.year <= ANIO_MAXIMO
    return a_micros(instante) if creible else None


@lru_cache(maxsize=4096)
def leer_fecha(publicada: str | None, anio_actual: int) -> date | None:
    """A published date, with or without offset (`2013-06-17+02:00`).

    None when it cannot be read or its year is outside 1900…now+50 (years such as 0202 have been published).
    """
    if not publicada:
        return None
    try:
        fecha = date.fromisoformat(publicada.strip()[:10])
    except ValueError:
        return None
    return fecha if ANIO_MINIMO <= fecha.year <= anio_actual + ANIOS_FUTUROS else None


def leer_hora(publicada: str | None) -> time | None:
    """A published time; its offset, if any, is kept. None when it cannot be read."""
    if not publicada:
        return None
    try:
        return time.fromisoformat(publicada.strip())
    except ValueError:
        return None


def instante_local(fecha: date, hora: time) -> datetime:
    """The UTC instant of a local time; Europe/Madrid is assumed where no offset was published."""
    zona = hora.tzinfo or MADRID
    return datetime.combine(fecha, hora.replace(tzinfo=None), tzinfo=zona).astimezone(UTC)


def comienzo_del_dia(fecha: date) -> datetime:
    """00:00 in Madrid, as UTC."""
    return instante_local(fecha, time.min)


def fin_del_dia(fecha: date) -> datetime:
    """The last microsecond of the day in Madrid, as UTC."""
    return instante_local(fecha + timedelta(days=1), time.min) - timedelta(microseconds=1)
