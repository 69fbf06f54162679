"""`sobre radar sincronizar` as somebody outside sees it: one JSON on stdout, one line on stderr, exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.reproductor import faltas
from tests.reproductor.canal import Canal
from tests.reproductor.paginas import Anotacion
from tests.reproductor.servidor import Reproductor

AHORA = datetime.now(UTC)  # noqa: TID251 - the command's own process has the real clock


@pytest.fixture
def servidor() -> Iterator[Reproductor]:
    with Reproductor() as reproductor:
        yield reproductor


@pytest.fixture
def canal(servidor: Reproductor) -> Canal:
    canal = Canal(servidor, por_pagina=3)
    for i in range(7):
        cuando = AHORA - timedelta(hours=7 - i)
        canal.anotar([Anotacion(i, cuando)], cuando)
    return canal


def _sobre(datos: Path, *argumentos: str) -> subprocess.CompletedProcess[str]:
    entorno = {**os.environ, "SOBRE_DATOS": str(datos), "SOBRE_RED_PAUSA_SEGUNDOS": "0"}
    orden = [sys.executable, "-c", "from app.cli import principal; principal()", "radar", "sincronizar"]
    return subprocess.run(
        [*orden, *argumentos], env=entorno, capture_output=True, text=True, timeout=120, check=False
    )


def test_un_json_con_las_claves_del_contrato(datos: Path, servidor: Reproductor, canal: Canal) -> None:
    hecho = _sobre(datos, "--url", servidor.url(canal.ruta), "--json")
    assert hecho.returncode == 0, hecho.stderr
    assert json.loads(hecho.stdout) == {
        "fuente": "643",
        "paginas": 3,
        "entradas": 7,
        "lapidas": 0,
        "versiones_nuevas": 7,
        "sin_cambios": 0,
        "cuarentena": 0,
        "zona_conocida_alcanzada": True,
        "marca": min(c.instante for c in canal.cosas).isoformat(timespec="milliseconds")[:23] + "000+00:00",
        "alarmas": [],
    }


def test_para_personas_dice_lo_hecho_y_avisa_aparte(datos: Path, servidor: Reproductor, canal: Canal) -> None:
    servidor.fallar(canal.ruta_congelada(0), faltas.html_con_200)
    hecho = _sobre(datos, "--url", servidor.url(canal.ruta), "--fuente", "1044")
    assert hecho.returncode == 0
    assert "Queda un tramo por leer" in hecho.stdout
    assert "[pagina_ilegible]" in hecho.stderr


def test_sin_poder_leer_la_cabecera_sale_con_1_y_una_linea(
    datos: Path, servidor: Reproductor, canal: Canal
) -> None:
    for falta in (faltas.html_con_200, faltas.redirigir("https://malo.example/x"), faltas.estado(404)):
        servidor.fallar(canal.ruta, falta)
        hecho = _sobre(datos, "--url", servidor.url(canal.ruta), "--json")
        assert (hecho.returncode, hecho.stdout) == (1, "")
        assert len(hecho.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("url", ["http://10.0.0.1/a", "https://sitio.example/a", "ftp://127.0.0.1/a", "nada"])
def test_un_sitio_no_permitido_se_rechaza(datos: Path, url: str) -> None:
    hecho = _sobre(datos, "--url", url, "--json")
    assert (hecho.returncode, hecho.stdout) == (1, "")
    assert len(hecho.stderr.strip().splitlines()) == 1


def test_una_fuente_que_no_existe_es_un_mal_uso(datos: Path) -> None:
    assert _sobre(datos, "--fuente", "999").returncode == 2
