"""`sobre criba` from outside: put in the queue, list everything, and a person's word."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.criba.taller import Taller, abrir, cerrar
from tests.radar.constructor import entrada, proceso, proyecto

AHORA = datetime.now(UTC)  # noqa: TID251 - the command's own process has the real clock


def sobre(*partes: str, **entorno: str) -> subprocess.CompletedProcess[str]:
    orden = [sys.executable, "-c", "from app.cli import principal; principal()", *partes]
    return subprocess.run(
        orden, capture_output=True, text=True, check=False, timeout=60, env=os.environ | entorno
    )


@pytest.fixture
def taller(datos: Path) -> Iterator[Taller]:
    abierto = abrir(datos)
    abierto.ahora = AHORA
    hasta = (AHORA + timedelta(days=20)).date().isoformat()
    abierto.guardar(
        *(
            entrada(n, f"{AHORA:%Y-%m-%d}T0{n}:00:00.000+01:00", proyecto(f"Objeto {n}"), proceso(hasta))
            for n in (1, 2)
        )
    )
    (datos / "perfil.yaml").write_text("nombre: Empresa Ficticia, S.L.\ncpv: {incluir: [72]}\n")
    yield abierto
    cerrar(abierto)


def test_sin_perfil_de_empresa_se_dice_que_hacer(taller: Taller) -> None:
    hecho = sobre("criba", "lanzar")
    assert hecho.returncode == 1
    assert "sobre perfil importar" in hecho.stderr


def test_lanzar_ver_y_decidir(taller: Taller) -> None:
    taller.perfilar()
    lanzada = json.loads(sobre("criba", "lanzar", "--json").stdout)
    assert (lanzada["preguntadas"], lanzada["tandas"], lanzada["perfil_version"]) == (2, 1, 1)
    otra = sobre("criba", "lanzar")
    assert "0 licitaciones por juzgar; 1 tandas esperan" in otra.stdout
    assert "SOBRE_HERMES" in otra.stdout
    vista = json.loads(sobre("criba", "ver", "--json").stdout)
    assert (vista["total"], vista["recuento"]["pendiente"]) == (2, 2)
    decidido = sobre(
        "criba", "decidir", "2", "encaja", "--motivo", "La pidió un cliente", "--persona", "Persona Inventada"
    )
    assert decidido.stdout == "Anotado: encaja, según Persona Inventada.\n"
    elegidas = json.loads(sobre("criba", "ver", "--situacion", "encaja", "--json").stdout)
    assert (elegidas["total"], len(elegidas["licitaciones"])) == (2, 1), "el recuento es de todas"
    assert elegidas["licitaciones"][0]["persona"]["motivo"] == "La pidió un cliente"
    assert "Persona Inventada dice «encaja»: La pidió un cliente" in sobre("criba", "ver").stdout
    assert sobre("criba", "decidir", "77", "encaja").returncode == 1
    assert sobre("criba", "decidir", "1", "aprobada").returncode == 2
