"""How long whoever fails has to wait: by account and by address, longer each time; and a brake for all together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

VENTANA = timedelta(minutes=15)
"""Failures older than this no longer count."""
GRATIS = 5
"""Failures of an account without any wait: people mistype."""
GRATIS_DIRECCION = 20
"""Failures from an address without any wait: a whole office may share it."""
PRIMERA = timedelta(seconds=30)
MAXIMA = VENTANA
VENTANA_COMUN = timedelta(minutes=5)
COMUN = 100
"""Failures of everybody together in five minutes that brake addresses nobody has come in from in a day."""
CONOCIDA = timedelta(hours=24)


def espera(fallos: Sequence[datetime], ahora: datetime, gratis: int = GRATIS) -> timedelta:
    """From `ahora`, given the instants of the failures: after `gratis` of them in a quarter of an hour, 30 s from the
    last one, twice as much after each other, a quarter of an hour at most. Zero when it can be tried now.
    """
    recientes = [f for f in fallos if ahora - VENTANA < f <= ahora]
    if len(recientes) < gratis:
        return timedelta(0)
    pena = min(MAXIMA, PRIMERA * (1 << min(len(recientes) - gratis, 16)))
    return max(timedelta(0), max(recientes) + pena - ahora)


def freno_comun(fallos_de_todos: int, conocida: bool) -> timedelta:
    """Whoever attacks from many addresses is braked; those who came in from theirs in the last day are not."""
    return timedelta(0) if conocida or fallos_de_todos < COMUN else PRIMERA
