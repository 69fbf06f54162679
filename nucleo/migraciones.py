"""sqlite-utils' migrations, loaded without the data-frame libraries it brings along wherever they are installed.

Importing it next to pandas costs a second and 90 MB in every process, for conversions that we never ask of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def _sin(*modulos: str) -> Iterator[None]:
    """Make modules look absent to what is imported meanwhile; those already loaded cost nothing and stay."""
    ausentes = [m for m in modulos if m not in sys.modules]
    sys.modules.update(dict.fromkeys(ausentes))  # type: ignore[arg-type]  # None = «not importable» (import system)
    try:
        yield
    finally:
        for modulo in ausentes:
            del sys.modules[modulo]


with _sin("numpy", "pandas"):
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

__all__ = ["Database", "Migrations"]
