"""Schema of the sync's memory, forward only. Instants are microseconds since 1970 UTC."""

from __future__ import annotations

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

migraciones = Migrations("sincronizar")


@migraciones()
def m001_canales(db: Database) -> None:
    """A channel is a dataset at a head; its windows, newest first by `orden`; the pages it showed; its last pass."""
    for sentencia in (
        """CREATE TABLE sincronizar_canal(
            fuente TEXT NOT NULL, url TEXT NOT NULL, marca INTEGER, etag TEXT, last_modified TEXT, instante INTEGER,
            leida INTEGER NOT NULL, PRIMARY KEY(fuente, url)) WITHOUT ROWID""",
        """CREATE TABLE sincronizar_ventana(
            fuente TEXT NOT NULL, url TEXT NOT NULL, orden INTEGER NOT NULL,
            techo INTEGER NOT NULL, fondo INTEGER NOT NULL, suelo INTEGER NOT NULL, cursor TEXT NOT NULL,
            leidas INTEGER NOT NULL, minimo INTEGER NOT NULL, intentos INTEGER NOT NULL,
            PRIMARY KEY(fuente, url, orden)) WITHOUT ROWID""",
        # What a page said of itself, so that the same bytes at the same URL need not be parsed again.
        """CREATE TABLE sincronizar_pagina(
            url TEXT NOT NULL, huella BLOB NOT NULL, siguiente TEXT, maximo INTEGER, minimo INTEGER,
            cosas INTEGER NOT NULL, instante INTEGER, PRIMARY KEY(url, huella)) WITHOUT ROWID""",
        """CREATE TABLE sincronizar_pasada(
            fuente TEXT NOT NULL, url TEXT NOT NULL, terminada TEXT NOT NULL, completa INTEGER NOT NULL,
            paginas INTEGER NOT NULL, versiones_nuevas INTEGER NOT NULL, alarmas TEXT NOT NULL, error TEXT,
            PRIMARY KEY(fuente, url)) WITHOUT ROWID""",
    ):
        db.execute(sentencia)
