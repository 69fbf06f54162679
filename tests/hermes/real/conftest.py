"""Finds the real hermes-agent, in an environment of its own: its exact pins cannot live beside ours."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

VERSION = "0.19.0"
PREPARADO = Path(__file__).resolve().parents[3] / ".venv" / "hermes" / "bin" / "python"


@pytest.fixture(scope="session")
def hermes_python() -> Path:
    """The Python of an environment with hermes-agent 0.19.0; skips without it, fails when CI is set."""
    python = Path(os.environ.get("SOBRE_HERMES_PYTHON") or PREPARADO)
    hallada = _version(python) if python.is_file() else "ninguna"
    if hallada == VERSION:
        return python
    motivo = f"falta hermes-agent {VERSION} (hay: {hallada}); docs/hermes.md dice cómo instalarlo"
    if os.environ.get("CI"):
        pytest.fail(f"{motivo} (obligatorio con CI)", pytrace=False)
    pytest.skip(motivo)


def _version(python: Path) -> str:
    orden = "from importlib.metadata import version; print(version('hermes-agent'))"
    salida = subprocess.run([python, "-c", orden], check=False, capture_output=True, text=True, timeout=60)
    return salida.stdout.strip() or "ninguna"
