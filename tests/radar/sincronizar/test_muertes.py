"""The command killed without warning, many times, ends where an undisturbed one does."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dominios.licitaciones import registro
from nucleo.bd import conectar
from tests.radar.sincronizar.almacen_visto import AlmacenVisto, ver_almacen
from tests.reproductor import faltas
from tests.reproductor.canal import Canal
from tests.reproductor.paginas import Anotacion, LapidaMuestra
from tests.reproductor.servidor import Reproductor

SOBRE = [sys.executable, "-c", "from app.cli import principal; principal()"]
INICIO = datetime.now(UTC) - timedelta(days=10)  # noqa: TID251 - the command's own process has the real clock


def _canal(servidor: Reproductor, cuantas: int) -> Canal:
    """Versions of some tenders, one every two hours, and a tombstone now and then."""
    canal = Canal(servidor, por_pagina=4)
    for i in range(cuantas):
        _crecer(canal, i)
    return canal


def _crecer(canal: Canal, i: int) -> None:
    cuando = INICIO + timedelta(hours=2 * i)
    cosa = LapidaMuestra(i % 7, cuando) if i % 9 == 8 else Anotacion(i % 31, cuando, f"Suministro {i}")
    canal.anotar([cosa], cuando)


def _lanzar(datos: Path, url: str) -> subprocess.Popen[str]:
    entorno = {**os.environ, "SOBRE_DATOS": str(datos), "SOBRE_RED_PAUSA_SEGUNDOS": "0"}
    return subprocess.Popen(
        [*SOBRE, "radar", "sincronizar", "--url", url, "--json"],
        env=entorno,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _terminar(datos: Path, url: str) -> dict[str, object]:
    proceso = _lanzar(datos, url)
    salida, errores = proceso.communicate(timeout=120)
    assert proceso.returncode == 0, errores
    resumen: dict[str, object] = json.loads(salida)
    return resumen


def _matar_tras(servidor: Reproductor, datos: Path, url: str, peticiones: int, pausa_s: float) -> bool:
    """SIGKILL a moment after the request number `peticiones`; False when it had ended by itself."""
    llegada = threading.Event()
    cuenta = iter(range(1, 10**6))
    servidor.al_pedir = lambda _: llegada.set() if next(cuenta) >= peticiones else None
    proceso = _lanzar(datos, url)
    fin = time.monotonic() + 60
    while proceso.poll() is None and not llegada.wait(0.02):
        assert time.monotonic() < fin, "la orden no pide nada"
    time.sleep(pausa_s)
    proceso.send_signal(signal.SIGKILL)
    proceso.communicate(timeout=30)
    servidor.al_pedir = None
    return proceso.returncode == -signal.SIGKILL


def _ver(datos: Path) -> AlmacenVisto:
    with closing(conectar(datos / registro.FICHERO)) as con:
        assert con.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return ver_almacen(con)


def _matar_y_comparar(tmp_path: Path, muertes: int, semilla: int) -> None:
    azar = random.Random(semilla)
    with Reproductor() as servidor:
        canal = _canal(servidor, 80)
        url = servidor.url(canal.ruta)
        matadas = sum(
            _matar_tras(servidor, tmp_path / "matada", url, azar.randint(1, 4), azar.uniform(0, 0.06))
            for _ in range(muertes)
        )
        final = _terminar(tmp_path / "matada", url)
        _terminar(tmp_path / "tranquila", url)
    assert matadas > muertes // 3
    assert final["zona_conocida_alcanzada"]
    assert _ver(tmp_path / "matada") == _ver(tmp_path / "tranquila")


def _matar_con_el_canal_vivo(tmp_path: Path, muertes: int, semilla: int) -> None:
    azar = random.Random(semilla)
    with Reproductor() as servidor:
        canal = _canal(servidor, 40)
        url = servidor.url(canal.ruta)
        series = iter(range(40, 10**6))
        for i in range(muertes):
            for _ in range(azar.randint(0, 3)):
                _crecer(canal, next(series))
            if azar.random() < 0.5:
                canal.renombrar(azar.randint(0, 8), INICIO + timedelta(hours=100 + i))
            _matar_tras(servidor, tmp_path / "matada", url, azar.randint(1, 6), azar.uniform(0, 0.06))
        _terminar(tmp_path / "matada", url)
        _terminar(tmp_path / "matada", url)
        _terminar(tmp_path / "tranquila", url)
    matada, tranquila = _ver(tmp_path / "matada"), _ver(tmp_path / "tranquila")
    assert matada._replace(marcas=[]) == tranquila._replace(marcas=[])
    assert matada.ventanas == 0


def test_matada_muchas_veces_no_pierde_ni_dobla_nada(tmp_path: Path) -> None:
    _matar_y_comparar(tmp_path, muertes=14, semilla=7)


def test_matada_mientras_el_canal_crece_y_se_renombra_tampoco(tmp_path: Path) -> None:
    _matar_con_el_canal_vivo(tmp_path, muertes=11, semilla=11)


@pytest.mark.nocturno
@pytest.mark.parametrize("semilla", range(5))
def test_matada_cientos_de_veces(tmp_path: Path, semilla: int) -> None:
    _matar_y_comparar(tmp_path / "quieto", muertes=60, semilla=semilla)
    _matar_con_el_canal_vivo(tmp_path / "vivo", muertes=60, semilla=semilla)


def test_dos_procesos_a_la_vez_uno_lee_y_el_otro_lo_dice_y_acaba(tmp_path: Path) -> None:
    with Reproductor() as servidor:
        canal = _canal(servidor, 12)
        url = servidor.url(canal.ruta)
        _terminar(tmp_path, url)
        _crecer(canal, 12)
        pedida = threading.Event()
        servidor.al_pedir = lambda _: pedida.set()
        servidor.fallar(canal.ruta, faltas.gotear(trozo=500, cada_s=0.3))
        primera = _lanzar(tmp_path, url)
        assert pedida.wait(60)
        segunda = _lanzar(tmp_path, url)
        salida, errores = segunda.communicate(timeout=60)
        assert (segunda.returncode, salida) == (1, "")
        assert errores.splitlines() == [
            "Ya hay una pasada en marcha sobre la fuente 643: espera a que acabe."
        ]
        assert primera.communicate(timeout=60) and primera.returncode == 0
