"""Schema of the prefilter, forward only: what each profile decided of each version of each tender."""

from __future__ import annotations

from nucleo.migraciones import Database, Migrations

migraciones = Migrations("prefiltro")


@migraciones()
def m001_candidatas(db: Database) -> None:
    """`dia` is the Madrid day on which the version was published; `evaluada` an instant (microseconds UTC)."""
    db.execute(
        """CREATE TABLE prefiltro_candidata(
            perfil_huella TEXT NOT NULL, licitacion_id INTEGER NOT NULL, version_id INTEGER NOT NULL,
            dentro INTEGER NOT NULL, reglas TEXT NOT NULL, dia TEXT NOT NULL, evaluada INTEGER NOT NULL,
            PRIMARY KEY(perfil_huella, licitacion_id, version_id)) WITHOUT ROWID"""
    )
    db.execute("CREATE INDEX prefiltro_candidata_dia ON prefiltro_candidata(perfil_huella, dia, dentro)")
