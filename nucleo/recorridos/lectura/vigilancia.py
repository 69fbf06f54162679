"""What watches the runs: changes to tell, and work that somebody has to take up or look at."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from nucleo.recorridos.lectura import almacen
from nucleo.recorridos.lectura.modelo import Insistente, IntentoDe, Pulso
from nucleo.recorridos.rechazos import almacen as rechazos


def pulso(con: sqlite3.Connection, rid: str) -> Pulso:
    """What tells whether the run changed. Raises ErrorRecorrido NO_EXISTE."""
    return almacen.pulso(con, rid)


def cambios(con: sqlite3.Connection, tras: int, limite: int = 500) -> tuple[Pulso, ...]:
    """Runs that changed after the global number `tras`, each once, by the number of its last change."""
    return almacen.cambios(con, tras, limite)


def ultimo_cambio(con: sqlite3.Connection) -> int:
    """The global number of the last change; 0 when there are no runs."""
    return almacen.ultimo_cambio(con)


def vencidos(con: sqlite3.Connection, ahora: datetime, limite: int = 500) -> tuple[IntentoDe, ...]:
    """Attempts under way whose lease passed, in runs that have not ended: the clock has to say so."""
    return almacen.vencidos(con, ahora, limite)


def en_curso(con: sqlite3.Connection, limite: int = 500) -> tuple[IntentoDe, ...]:
    """Attempts under way in runs that have not ended, the nearest to losing their lease first."""
    return almacen.abiertos(con, "en_curso", limite)


def dudosos(con: sqlite3.Connection, limite: int = 500) -> tuple[IntentoDe, ...]:
    """Attempts of which nobody knows, in runs that have not ended: the reconciler asks for them outside."""
    return almacen.abiertos(con, "dudoso", limite)


def reclamables(con: sqlite3.Connection, limite: int = 500) -> tuple[str, ...]:
    """Runs with steps that the installation may begin now, oldest first."""
    return almacen.reclamables(con, limite)


def insistentes(con: sqlite3.Connection, desde: datetime, veces: int = 3) -> tuple[Insistente, ...]:
    """Actors refused for lack of permission at least that many times since then: an administrator should know."""
    return rechazos.insistentes(con, desde, veces)
