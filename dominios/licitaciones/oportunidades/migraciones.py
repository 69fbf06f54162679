"""Indexes of the list of opportunities over the radar's current view, forward only."""

from __future__ import annotations

from nucleo.migraciones import Database, Migrations

migraciones = Migrations("oportunidades")


@migraciones()
def m001_indices_de_la_lista(db: Database) -> None:
    """One index that holds every cheap condition and sort key (scanned whole when no other is good), one by date."""
    db.execute(
        """CREATE INDEX licitacion_filtro ON licitacion(
            vigente, tipo_registro, fuente, estado, tipo, procedimiento,
            importe, cierre, instante, publicada, avisos)"""
    )
    db.execute(
        "CREATE INDEX licitacion_publicada"
        " ON licitacion(vigente, CAST(replace(substr(publicada, 1, 10), '-', '') AS INTEGER))"
    )
