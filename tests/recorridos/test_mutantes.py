"""The properties catch what they say: each deliberate bug, on a copy of the engine, makes them fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.recorridos.mutante import Mutante
from tests.recorridos.mutantes import MUTANTES

RAIZ = Path(__file__).parents[2]
EJEMPLOS = "180"
"""Random runs that are enough for every one of these bugs."""
PRUEBAS = tuple(f"tests/recorridos/test_{nombre}.py" for nombre in ("valores", "validar", "propiedades"))


def _texto(mutante: Mutante) -> str:
    return (RAIZ / "nucleo" / "recorridos" / mutante.fichero).read_text(encoding="utf-8")


@pytest.mark.parametrize("mutante", MUTANTES, ids=lambda m: m.nombre)
def test_cada_mutante_cambia_un_solo_sitio(mutante: Mutante) -> None:
    """Otherwise the list has gone stale."""
    assert _texto(mutante).count(mutante.antes) == 1
    assert mutante.antes != mutante.despues


def _copia(carpeta: Path) -> Path:
    """The engine and its properties, and nothing else of ours."""
    sin = shutil.ignore_patterns("__pycache__")
    shutil.copytree(RAIZ / "nucleo", carpeta / "nucleo", ignore=sin)
    (carpeta / "tests" / "recorridos").mkdir(parents=True)
    for fichero in (RAIZ / "tests" / "recorridos").glob("*.py"):
        if fichero.name != "conftest.py":  # the store's, which asks for more than this copy has
            shutil.copy(fichero, carpeta / "tests" / "recorridos")
    (carpeta / "pytest.ini").write_text(
        "[pytest]\naddopts = --import-mode=importlib\npythonpath = .\nmarkers = nocturno\n", encoding="utf-8"
    )
    return carpeta


def _pasan(carpeta: Path) -> subprocess.CompletedProcess[str]:
    orden = (
        sys.executable,
        "-B",
        "-m",
        "pytest",
        "-q",
        "-x",
        "-m",
        "not nocturno",
        "-p",
        "no:cacheprovider",
        *PRUEBAS,
    )
    entorno = os.environ | {"SOBRE_EJEMPLOS": EJEMPLOS, "PYTHONPATH": str(carpeta)}
    return subprocess.run(
        orden, cwd=carpeta, env=entorno, capture_output=True, text=True, check=False, timeout=600
    )


@pytest.mark.nocturno
def test_la_copia_sin_cambios_pasa(tmp_path: Path) -> None:
    hecho = _pasan(_copia(tmp_path))
    assert hecho.returncode == 0, hecho.stdout


@pytest.mark.nocturno
@pytest.mark.parametrize("mutante", MUTANTES, ids=lambda m: m.nombre)
def test_las_propiedades_cazan_cada_mutante(mutante: Mutante, tmp_path: Path) -> None:
    carpeta = _copia(tmp_path)
    fichero = carpeta / "nucleo" / "recorridos" / mutante.fichero
    fichero.write_text(_texto(mutante).replace(mutante.antes, mutante.despues), encoding="utf-8")
    hecho = _pasan(carpeta)
    assert hecho.returncode == 1, hecho.stdout
    assert "1 failed" in hecho.stdout, hecho.stdout
