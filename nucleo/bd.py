"""SQLite as we use it: WAL, explicit BEGIN IMMEDIATE, forward-only migrations with a copy before each upgrade."""

from __future__ import annotations

import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import sqlite_utils
from sqlite_utils.migrations import Migrations

from nucleo.errores import ErrorBaseDatos

ESPERA_S = 60.0
"""Seconds a writer waits for another one before it gives up."""


def conectar(fichero: Path) -> sqlite3.Connection:
    """A read-write connection in autocommit mode (transactions are explicit: see `transaccion`).

    Raises ErrorBaseDatos when the file is not a database or cannot be opened.
    """
    try:
        con = sqlite3.connect(fichero, timeout=ESPERA_S, isolation_level=None)
    except sqlite3.Error as error:
        raise _inservible(fichero, error) from error
    try:
        con.execute("PRAGMA journal_mode=WAL")
        con.execute("PRAGMA synchronous=NORMAL")
        con.execute("PRAGMA foreign_keys=ON")
        con.execute("PRAGMA temp_store=MEMORY")
    except sqlite3.Error as error:
        con.close()
        raise _inservible(fichero, error) from error
    return con


def conectar_lectura(fichero: Path) -> sqlite3.Connection:
    """A read-only connection; raises ErrorBaseDatos when there is no database yet."""
    if not fichero.is_file():
        raise ErrorBaseDatos(f"Aún no hay datos en {fichero}: ejecuta «sobre init» o importa una página.")
    con = sqlite3.connect(
        f"{fichero.resolve().as_uri()}?mode=ro", uri=True, timeout=ESPERA_S, isolation_level=None
    )
    con.execute("PRAGMA query_only=ON")
    return con


@contextmanager
def transaccion(con: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """BEGIN IMMEDIATE … COMMIT, or ROLLBACK of everything when the body raises.

    IMMEDIATE because a deferred transaction that reads and then writes fails at once
    (SQLITE_BUSY_SNAPSHOT) instead of waiting its turn.
    """
    con.execute("BEGIN IMMEDIATE")
    try:
        yield con
    except BaseException:
        con.execute("ROLLBACK")
        raise
    con.execute("COMMIT")


def migrar(fichero: Path, *conjuntos: Migrations) -> None:
    """Bring the file up to the code's schema, keeping a copy of what it was before.

    Raises ErrorBaseDatos when the file was written by a newer version of the program.
    The copy (`<name>.antes-de-<migration>.db`) is made with VACUUM INTO, only when an older schema is upgraded.
    A lock file serialises processes that open a new database at the same time.
    """
    try:
        fichero.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _inservible(fichero, error) from error
    with _turno(fichero), closing(conectar(fichero)) as con:
        db = sqlite_utils.Database(con)
        aplicadas = {m.name for c in conjuntos for m in c.applied(db)}
        _rechazar_esquema_futuro(fichero, aplicadas - _declaradas(conjuntos))
        pendientes = [m.name for c in conjuntos for m in c.pending(db)]
        if pendientes and aplicadas:
            _copiar_antes(con, fichero, pendientes[0])
        for conjunto in conjuntos:
            conjunto.apply(db)


@contextmanager
def _turno(fichero: Path) -> Iterator[None]:
    try:
        candado = fichero.with_name(f".{fichero.name}.migrando").open("w")
    except OSError as error:
        raise _inservible(fichero, error) from error
    with candado:
        fcntl.flock(candado, fcntl.LOCK_EX)
        yield


def _inservible(fichero: Path, error: Exception) -> ErrorBaseDatos:
    return ErrorBaseDatos(
        f"No se puede usar la base de datos {fichero}: {error}."
        " Comprueba la carpeta y sus permisos, o restaura una copia."
    )


def _declaradas(conjuntos: tuple[Migrations, ...]) -> set[str]:
    vacia = sqlite_utils.Database(memory=True)
    return {m.name for c in conjuntos for m in c.pending(vacia)}


def _rechazar_esquema_futuro(fichero: Path, futuras: set[str]) -> None:
    if futuras:
        raise ErrorBaseDatos(
            f"{fichero.name} la escribió una versión más nueva de Sobre Abierto"
            f" (migraciones desconocidas: {', '.join(sorted(futuras))})."
            " Actualiza el programa o restaura una copia.",
            codigo="esquema_mas_nuevo",
        )


def _copiar_antes(con: sqlite3.Connection, fichero: Path, migracion: str) -> None:
    copia = fichero.with_name(f"{fichero.stem}.antes-de-{migracion}.db")
    copia.unlink(missing_ok=True)
    con.execute("VACUUM INTO ?", (str(copia),))
