"""The bundled sample: invented Atom pages of the five datasets, true to the schema and to its quirks."""

from __future__ import annotations

from pathlib import Path


def carpeta() -> Path:
    """Folder with one subfolder per dataset (643, 1044, 1143, 1383, 1403), each with its chain of pages."""
    return Path(__file__).parent
