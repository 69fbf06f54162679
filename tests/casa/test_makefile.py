"""The Makefile's promises that can be seen without running the jobs themselves."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.casa.repositorio import RAIZ


def make(*objetivos: str) -> str:
    entorno = {v: valor for v, valor in os.environ.items() if not v.startswith("MAKE") and v != "MFLAGS"}
    return subprocess.run(
        ["make", *objetivos], cwd=RAIZ, env=entorno, capture_output=True, text=True, check=True, timeout=30
    ).stdout


def test_a_secas_enumera_los_objetivos() -> None:
    salida = make()
    assert [o for o in ("demo", "up", "test", "lint", "bench") if f"make {o} " not in salida] == []


@pytest.mark.parametrize(
    ("objetivo", "orden"),
    [
        ("demo", "SOBRE_DATOS=datos/demo exec .venv/bin/sobre demo"),
        ("up", "exec .venv/bin/sobre arriba"),
    ],
)
def test_la_orden_ocupa_el_lugar_del_interprete(objetivo: str, orden: str) -> None:
    """So that Ctrl-C and SIGTERM reach it and not a shell in between."""
    assert make("--dry-run", objetivo).splitlines()[-1] == orden


def test_limpiar_no_toca_los_datos() -> None:
    assert "datos" not in make("--dry-run", "limpiar")
