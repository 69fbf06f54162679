"""Schema of the company's profile, forward only: every version is kept, none is changed."""

from __future__ import annotations

from nucleo.migraciones import Database, Migrations

migraciones = Migrations("empresa")


@migraciones()
def m001_perfil(db: Database) -> None:
    """`datos` is the model as JSON; `creado` microseconds UTC; `autor` and `nota` are what people said."""
    db.execute(
        """CREATE TABLE empresa_perfil(
            version INTEGER PRIMARY KEY AUTOINCREMENT, datos TEXT NOT NULL, creado INTEGER NOT NULL,
            autor TEXT NOT NULL, nota TEXT NOT NULL)"""
    )
