"""Our own code tables: small CSV files beside this module, read when first asked for."""

from __future__ import annotations

import csv
from pathlib import Path


def leer_tabla(fichero: str) -> list[list[str]]:
    """The rows of `fichero`, without its header."""
    with Path(__file__).with_name(fichero).open(encoding="utf-8", newline="") as lineas:
        return list(csv.reader(lineas))[1:]
