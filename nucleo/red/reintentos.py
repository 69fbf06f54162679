"""When to ask again and how long to wait first: pure rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

ESPERAS_S = (2.0, 5.0, 10.0)
"""Seconds before the second, third and fourth attempt."""

ESPERA_MAXIMA_S = 60.0
"""A Retry-After beyond this is cut down: the next pass will come anyway."""

DEMASIADAS = 429


def merece_otro_intento(estado: int) -> bool:
    """Too many requests, or the server's own trouble."""
    return estado == DEMASIADAS or 500 <= estado <= 599


def espera(
    intento: int, retry_after: str | None, ahora: datetime, esperas: Sequence[float] = ESPERAS_S
) -> float | None:
    """Seconds to wait after attempt number `intento` (from 0) failed; None when there are no more.

    `retry_after` is the header as received (seconds or HTTP date); it can lengthen the wait, not shorten it.
    """
    if intento >= len(esperas):
        return None
    return max(esperas[intento], min(_pedida(retry_after, ahora), ESPERA_MAXIMA_S))


def _pedida(retry_after: str | None, ahora: datetime) -> float:
    texto = (retry_after or "").strip()
    if texto.isascii() and texto.isdigit():
        return float(texto[:6])
    try:
        fecha = parsedate_to_datetime(texto)
    except ValueError:
        return 0.0
    return (fecha if fecha.tzinfo else fecha.replace(tzinfo=UTC)).timestamp() - ahora.timestamp()
