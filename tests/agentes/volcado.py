"""Everything that a database keeps, to compare before and after."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def volcado(fichero: Path, *menos: str) -> list[str]:
    """Its rows as text, table by table, without the tables in `menos`."""
    with closing(sqlite3.connect(f"file:{fichero}?mode=ro", uri=True)) as con:
        tablas = con.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
        ).fetchall()
        return [
            f"{tabla}: {fila}"
            for (tabla,) in tablas
            if tabla not in menos
            for fila in sorted(map(repr, con.execute(f'SELECT * FROM "{tabla}"')))
        ]
