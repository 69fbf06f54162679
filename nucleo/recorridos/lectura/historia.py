"""What happened in a run, by pages of at most 500; each begins after the last thing of the one before."""

from __future__ import annotations

import sqlite3

from nucleo.recorridos import almacen as recorridos
from nucleo.recorridos.artefactos import almacen as de_artefactos
from nucleo.recorridos.artefactos.modelo import Artefacto
from nucleo.recorridos.entregas import almacen as de_entregas
from nucleo.recorridos.entregas.modelo import Entrega
from nucleo.recorridos.estado import Evento, Intento
from nucleo.recorridos.lectura import almacen
from nucleo.recorridos.rechazos import almacen as de_rechazos
from nucleo.recorridos.rechazos.modelo import Rechazo
from nucleo.recorridos.version_plan import VersionPlan

PAGINA = 500


def eventos(con: sqlite3.Connection, rid: str, desde: int = 0, limite: int = 100) -> tuple[Evento, ...]:
    """Events after number `desde`, in order. Raises ErrorRecorrido NO_EXISTE, as all of these."""
    _exigir(con, rid)
    return almacen.eventos(con, rid, desde, _pagina(limite))


def ultimos_eventos(con: sqlite3.Connection, rid: str, limite: int = 100) -> tuple[Evento, ...]:
    """The newest events, in order."""
    desde = recorridos.recorrido(con, rid).secuencia - _pagina(limite)
    return almacen.eventos(con, rid, max(desde, 0), _pagina(limite))


def intentos(
    con: sqlite3.Connection, rid: str, paso: str, desde: int = 0, limite: int = 100
) -> tuple[Intento, ...]:
    """The step's attempts after number `desde`."""
    _exigir(con, rid)
    return almacen.intentos(con, rid, paso, desde, _pagina(limite))


def planes(con: sqlite3.Connection, rid: str, desde: int = 0, limite: int = 100) -> tuple[VersionPlan, ...]:
    """The plan's versions after that one, without their text (`almacen.plan` has it)."""
    _exigir(con, rid)
    return almacen.versiones(con, rid, desde, _pagina(limite))


def rechazos(con: sqlite3.Connection, rid: str, desde: int = 0, limite: int = 100) -> tuple[Rechazo, ...]:
    """The refused commands that were kept, after that id."""
    _exigir(con, rid)
    return de_rechazos.de_recorrido(con, rid, desde, _pagina(limite))


def artefactos(
    con: sqlite3.Connection, rid: str, desde: str = "", limite: int = 100
) -> tuple[Artefacto, ...]:
    """The run's files after that id."""
    _exigir(con, rid)
    return de_artefactos.de_recorrido(con, rid, desde, _pagina(limite))


def entregas(con: sqlite3.Connection, rid: str, desde: str = "", limite: int = 100) -> tuple[Entrega, ...]:
    """The run's deliveries after that id, settled ones too."""
    _exigir(con, rid)
    return de_entregas.todas_de(con, rid, desde, _pagina(limite))


def _exigir(con: sqlite3.Connection, rid: str) -> None:
    if recorridos.revision(con, rid) is None:
        raise recorridos.no_existe(rid)


def _pagina(limite: int) -> int:
    return min(max(limite, 1), PAGINA)
