"""Schema of the misses, forward only. Instants are microseconds UTC."""

from __future__ import annotations

from nucleo.migraciones import Database, Migrations

migraciones = Migrations("criba_fallos")


@migraciones()
def m001_fallos(db: Database) -> None:
    """`criba_mirada` remembers which version of each awarded tender was looked at, with which company profile."""
    for sentencia in (
        """CREATE TABLE criba_fallo(
            id INTEGER PRIMARY KEY, licitacion_id INTEGER NOT NULL, quien TEXT NOT NULL, ganador TEXT NOT NULL,
            donde TEXT NOT NULL, cambios TEXT NOT NULL, creado INTEGER NOT NULL, atendido INTEGER, persona TEXT,
            UNIQUE(licitacion_id, ganador))""",
        """CREATE TABLE criba_mirada(
            licitacion_id INTEGER PRIMARY KEY, version_id INTEGER NOT NULL, perfil_version INTEGER NOT NULL)""",
        "CREATE INDEX prefiltro_candidata_licitacion ON prefiltro_candidata(licitacion_id, dentro)",
    ):
        db.execute(sentencia)
