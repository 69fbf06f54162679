"""What the outside knows of this domain: where its database is and how it is opened."""

from __future__ import annotations

from pathlib import Path

from dominios.licitaciones.radar.migraciones import migraciones as radar
from nucleo.bd import migrar

FICHERO = "licitaciones.db"


def preparar(datos: Path) -> Path:
    """Create or upgrade the domain's database under the data folder and return its path."""
    fichero = datos / FICHERO
    migrar(fichero, radar)
    return fichero
