"""The files of the repository as git knows them, for the tests that read them."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

RAIZ = Path(__file__).resolve().parents[2]
CODIGO = ("nucleo", "dominios", "tasks", "flows", "app")


@cache
def ficheros() -> tuple[str, ...]:
    """Tracked files, relative to the root; the ones just deleted are left out."""
    salida = subprocess.run(
        ["git", "ls-files", "-z"], cwd=RAIZ, capture_output=True, text=True, check=True, timeout=30
    ).stdout
    return tuple(nombre for nombre in salida.split("\0") if nombre and (RAIZ / nombre).is_file())


def leer(nombre: str) -> str:
    """Text of a file of the repository."""
    return (RAIZ / nombre).read_text("utf-8")


def modulos(*carpetas: str) -> Iterator[tuple[str, ast.Module]]:
    """Python modules under those folders, parsed."""
    for nombre in ficheros():
        if nombre.endswith(".py") and nombre.split("/")[0] in carpetas:
            yield nombre, ast.parse(leer(nombre), nombre)
