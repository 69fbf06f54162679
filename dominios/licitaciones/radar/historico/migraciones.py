"""Schema of the history's checkpoint, forward only."""

from __future__ import annotations

from nucleo.migraciones import Database, Migrations

migraciones = Migrations("historico")


@migraciones()
def m001_ficheros(db: Database) -> None:
    """One row per ZIP wholly imported. Its members need none: a page stored is known by its hash (table `pagina`)."""
    db.execute(
        """CREATE TABLE historico_zip(
            url TEXT PRIMARY KEY, fuente TEXT NOT NULL, periodo TEXT NOT NULL, entradas INTEGER NOT NULL,
            versiones_nuevas INTEGER NOT NULL, terminado TEXT NOT NULL) WITHOUT ROWID"""
    )
