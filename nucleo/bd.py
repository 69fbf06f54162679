"""SQLite as we use it: WAL, explicit BEGIN IMMEDIATE, forward-only migrations with a copy before each upgrade."""

from __future__ import annotations

import fcntl
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from nucleo.errores import ErrorBaseDatos
from nucleo.migraciones import Database, Migrations

FICHERO_COMUN = "nucleo.db"
"""The shared database, in the data folder."""
CACHE_KIB = 16 * 1024
"""Memory for a writer's pages: the indexes that an import keeps touching."""
PAGINAS_WAL = 4_000
"""Pages of 4 KiB in the WAL before they go to the file: the same ones are written many times in an import."""

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
        con.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        con.execute(f"PRAGMA wal_autocheckpoint={PAGINAS_WAL}")
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


def fichero_de(con: sqlite3.Connection) -> Path:
    """The file behind a connection."""
    return Path(con.execute("SELECT file FROM pragma_database_list WHERE name = 'main'").fetchone()[0])


@contextmanager
def transaccion(con: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """BEGIN IMMEDIATE … COMMIT, or ROLLBACK of everything when the body raises.

    IMMEDIATE because a deferred transaction that reads and then writes fails at once
    (SQLITE_BUSY_SNAPSHOT) instead of waiting its turn.
    """
    con.execute("BEGIN IMMEDIATE")
    try:
        yield con
        con.execute("COMMIT")
    except BaseException:
        if con.in_transaction:  # a full disk makes SQLite undo it by itself
            con.execute("ROLLBACK")
        raise


def migrar(fichero: Path, *conjuntos: Migrations) -> None:
    """Bring the file up to the code's schema, keeping a copy of what it was before.

    Raises ErrorBaseDatos when the file was written by a newer version of the program.
    The copy (`<name>.antes-de-<set>.<migration>.db`) is made with VACUUM INTO, only when an older schema is upgraded.
    A lock file serialises processes that open a new database at the same time.
    """
    try:
        fichero.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _inservible(fichero, error) from error
    with _turno(fichero), closing(conectar(fichero)) as con:
        aplicadas, declaradas = _aplicadas(con), _declaradas(conjuntos)
        _rechazar_esquema_futuro(fichero, [m for m in aplicadas if m not in declaradas])
        pendientes = [m for m in declaradas if m not in aplicadas]
        if pendientes and aplicadas:
            _copiar_antes(con, fichero, pendientes[0])
        for conjunto in conjuntos:
            conjunto.apply(Database(con))


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


def _aplicadas(con: sqlite3.Connection) -> list[str]:
    """Every migration the file has had, of sets this program knows or not, as `set.migration`."""
    tabla = Migrations.migrations_table
    if not con.execute("SELECT 1 FROM sqlite_master WHERE type='table' AND name=?", (tabla,)).fetchone():
        return []
    filas = con.execute(f"SELECT migration_set, name FROM {tabla} ORDER BY id")
    return [f"{conjunto}.{nombre}" for conjunto, nombre in filas]


def _declaradas(conjuntos: Iterable[Migrations]) -> list[str]:
    with closing(sqlite3.connect(":memory:")) as con:
        vacia = Database(con)
        return [f"{c.name}.{m.name}" for c in conjuntos for m in c.pending(vacia)]


def _rechazar_esquema_futuro(fichero: Path, futuras: list[str]) -> None:
    if futuras:
        raise ErrorBaseDatos(
            f"{fichero.name} la escribió una versión más nueva de Sobre Abierto"
            f" (migraciones desconocidas: {', '.join(futuras)})."
            " Actualiza el programa o restaura una copia.",
            codigo="esquema_mas_nuevo",
        )


def _copiar_antes(con: sqlite3.Connection, fichero: Path, migracion: str) -> None:
    copia = fichero.with_name(f"{fichero.stem}.antes-de-{migracion}.db")
    copia.unlink(missing_ok=True)
    con.execute("VACUUM INTO ?", (str(copia),))


class EstadoBase(BaseModel):
    """What a look at a database file shows, without changing it."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    fichero: str
    existe: bool
    fallo: str | None = None
    """What SQLite says is wrong with the file; None when it can be used."""
    esquema: tuple[str, ...] = ()
    """Migrations applied, oldest first, as `set.migration`."""
    pendientes: tuple[str, ...] = ()
    futuras: tuple[str, ...] = ()
    """Migrations this program does not know: a newer one wrote the file."""
    bytes: int = 0

    @property
    def sana(self) -> bool:
        """It is there and can be used."""
        return self.existe and self.fallo is None


def mirar(fichero: Path, conjuntos: Iterable[Migrations]) -> EstadoBase:
    """The state of a database file at a glance; a missing or damaged one is told, not raised."""
    return _examinar(fichero, conjuntos, "PRAGMA schema_version")


def revisar(fichero: Path, conjuntos: Iterable[Migrations]) -> EstadoBase:
    """Like `mirar`, and every page is read and checked (about a second for each 2 GB already in memory)."""
    return _examinar(fichero, conjuntos, "PRAGMA quick_check(1)")


def _examinar(fichero: Path, conjuntos: Iterable[Migrations], pregunta: str) -> EstadoBase:
    if not fichero.is_file():
        return EstadoBase(fichero=fichero.name, existe=False)
    declaradas = _declaradas(conjuntos)
    try:
        with closing(conectar_lectura(fichero)) as con:
            (dictamen,) = con.execute(pregunta).fetchone()
            aplicadas = _aplicadas(con)
    except sqlite3.Error as error:
        return EstadoBase(fichero=fichero.name, existe=True, fallo=str(error))
    return EstadoBase(
        fichero=fichero.name,
        existe=True,
        fallo=str(dictamen) if isinstance(dictamen, str) and dictamen != "ok" else None,
        esquema=tuple(aplicadas),
        pendientes=tuple(m for m in declaradas if m not in aplicadas),
        futuras=tuple(m for m in aplicadas if m not in declaradas),
        bytes=fichero.stat().st_size,
    )
