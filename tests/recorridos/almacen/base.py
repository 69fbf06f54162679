"""A database with the runs' schema, copied rather than made again, and everything that is in it."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from nucleo.bd import conectar, migrar
from nucleo.recorridos.artefactos import almacen as artefactos
from nucleo.recorridos.artefactos.modelo import Artefacto
from nucleo.recorridos.migraciones import migraciones
from tests.cola.mortal import Caida, conectar_mortal
from tests.recorridos.partida import INICIO
from tests.recorridos.planes import BUENOS
from tests.recorridos.secuencias import ANA

R = TypeVar("R")
RECHAZO = "recorrido_rechazo"
"""The one table where a refusal leaves something."""


@lru_cache(maxsize=1)
def _plantilla() -> Path:
    fichero = Path(tempfile.mkdtemp()) / "plantilla.db"
    migrar(fichero, migraciones)
    with closing(conectar(fichero)) as con:
        con.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return fichero


def base_nueva(carpeta: Path) -> Path:
    """An empty database of its own."""
    carpeta.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(_plantilla(), carpeta / "nucleo.db"))


def volcado(con: sqlite3.Connection, *sin: str) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table of the runs, but those named."""
    tablas = con.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'recorrido*' ORDER BY name"
    ).fetchall()
    return {
        t: con.execute(f"SELECT * FROM {t} ORDER BY 1, 2, 3").fetchall() for (t,) in tablas if t not in sin
    }


def con_ficheros_de_prueba(con: sqlite3.Connection, rid: str) -> None:
    """The run has the files that the random answers name."""
    for identificador in BUENOS["artefacto"]:
        artefacto = Artefacto(
            id=str(identificador),
            recorrido=rid,
            paso="alcance",
            intento=None,
            nombre="prueba.txt",
            tipo_medio="text/plain",
            bytes=0,
            sha256="0" * 64,
            actor=ANA,
            creado=INICIO,
        )
        artefactos.poner(con, artefacto)


def en_cada_sentencia(
    fichero: Path, hacer: Callable[[sqlite3.Connection], R], tras_morir: Callable[[sqlite3.Connection], None]
) -> R:
    """Die at the first statement, at the second… until it is done: I21, nothing has changed after each death."""
    with closing(conectar_mortal(fichero)) as con:
        antes = volcado(con)
    for quedan in range(50):
        with closing(conectar_mortal(fichero)) as con:
            con.quedan = quedan
            with suppress(Caida):
                return hacer(con)
        with closing(conectar_mortal(fichero)) as con:
            assert volcado(con) == antes, "I21"
            tras_morir(con)
    raise AssertionError


class ConexionConSorpresa(sqlite3.Connection):
    """Something happens elsewhere just before it begins to write, once: what it had looked at is not so any more."""

    sorpresa: Callable[[], None] | None = None

    def execute(self, sql: str, parameters: Iterable[object] = (), /) -> sqlite3.Cursor:
        sorpresa, comienza = self.sorpresa, sql == "BEGIN IMMEDIATE"
        if comienza and sorpresa is not None:
            self.sorpresa = None
            sorpresa()
        return super().execute(sql, parameters)  # type: ignore[arg-type]


def conectar_con_sorpresa(fichero: Path, sorpresa: Callable[[], None]) -> ConexionConSorpresa:
    """A connection with that in store."""
    con = sqlite3.connect(fichero, timeout=5, isolation_level=None, factory=ConexionConSorpresa)
    con.execute("PRAGMA foreign_keys=ON")
    con.sorpresa = sorpresa
    return con
