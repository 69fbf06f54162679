"""`sobre demo` from nothing: twice, with a folder of pages, and interrupted."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import app.demo
from app.arriba import restos
from app.demo.carpeta import es_demostracion, reclamar
from app.demo.origen import elegir_origen
from app.demo.sustituto import cabeceras_en
from dominios.licitaciones import registro
from dominios.licitaciones.radar.muestra.servir import paginas
from nucleo.errores import ErrorConfiguracion, ErrorEntrada
from tests.conftest import AHORA
from tests.espera import esperar

SOBRE = str(Path(sys.executable).with_name("sobre"))


def _demo(datos: Path, **entorno: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SOBRE, "demo"],
        env={**os.environ, "SOBRE_DATOS": str(datos), **entorno},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def _nuevas(salida: str) -> int:
    return sum(int(n) for n in re.findall(r"nuevas +(\d+)", salida))


@pytest.mark.prefect
def test_de_la_nada_al_prefiltro_y_la_segunda_vez_no_hay_nada_nuevo(datos: Path) -> None:
    primera = _demo(datos)
    assert primera.returncode == 0, primera.stdout + primera.stderr
    assert "datos INVENTADOS" in primera.stdout
    assert "sustituto de PLACSP" in primera.stdout
    assert all(re.search(rf"^\s+{f} ", primera.stdout, re.MULTILINE) for f in (643, 1044, 1143, 1383, 1403))
    assert re.search(r"4 Prefiltro +perfil «.+»: \d+ abiertas encajan", primera.stdout)
    assert f"SOBRE_DATOS={datos} make up" in primera.stdout
    assert _nuevas(primera.stdout) > 0
    assert not (datos / "arriba" / "procesos.json").exists()
    segunda = _demo(datos)
    assert segunda.returncode == 0, segunda.stdout + segunda.stderr
    assert _nuevas(segunda.stdout) == 0


@pytest.mark.prefect
def test_tambien_con_una_carpeta_de_paginas(datos: Path, tmp_path: Path) -> None:
    paginas_mias = tmp_path / "mias"
    paginas_mias.mkdir()
    for numero, cuerpo in enumerate(paginas(AHORA).values()):
        (paginas_mias / f"{numero}.atom").write_bytes(cuerpo)
    hecha = _demo(datos, SOBRE_DEMO_FEED=str(paginas_mias))
    assert hecha.returncode == 0, hecha.stdout + hecha.stderr
    assert "9 ficheros" in hecha.stdout
    assert "4 Prefiltro" in hecha.stdout


@pytest.mark.prefect
def test_si_no_se_puede_leer_lo_dice_en_una_frase(datos: Path) -> None:
    fallida = _demo(datos, SOBRE_DEMO_FEED="https://ejemplo.invalid/sindicacion/otra.atom")
    assert fallida.returncode == 1
    ultima = fallida.stdout.strip().splitlines()[-1]
    assert ultima.startswith("La demostración se para aquí:")
    assert "no está entre los sitios permitidos" in ultima
    assert "Traceback" not in fallida.stdout + fallida.stderr


@pytest.mark.prefect
def test_interrumpida_no_deja_ningun_proceso(datos: Path) -> None:
    proceso = subprocess.Popen(
        [SOBRE, "demo"],
        env={**os.environ, "SOBRE_DATOS": str(datos)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    fichero = datos / "arriba" / "procesos.json"
    esperar(lambda: (r := restos.leer(fichero)) is not None and len(r.procesos) == 2, 30)
    marcados = restos.leer(fichero)
    assert marcados is not None
    assert len(restos.vivos(marcados)) >= 2
    proceso.send_signal(signal.SIGINT)
    salida, _ = proceso.communicate(timeout=30)
    assert proceso.returncode == 1
    assert "Interrumpida" in salida
    assert restos.vivos(marcados) == []


def test_no_toca_una_carpeta_con_datos_de_verdad(datos: Path) -> None:
    registro.preparar(datos)
    with pytest.raises(ErrorEntrada, match="datos de verdad"):
        reclamar(datos)
    assert not es_demostracion(datos)


def test_una_carpeta_sin_paginas_se_rechaza_antes_de_empezar(datos: Path, tmp_path: Path) -> None:
    vacia = tmp_path / "vacia"
    vacia.mkdir()
    with pytest.raises(ErrorConfiguracion, match="ahí no hay páginas"):
        elegir_origen(str(vacia))
    assert elegir_origen(None).clase == "muestra"
    url = "https://contrataciondelsectorpublico.gob.es/sindicacion/sindicacion_1403/CPM_SectorPublico.atom"
    assert elegir_origen(url).fuente == "1403"


def test_el_perfil_que_va_dentro_es_el_de_ejemplo() -> None:
    dentro = Path(app.demo.__file__).with_name("perfil.yaml")
    ejemplo = Path(__file__).resolve().parents[2] / "deploy" / "perfil.ejemplo.yaml"
    assert dentro.read_bytes() == ejemplo.read_bytes()


def test_cada_conjunto_de_la_muestra_tiene_su_cabecera() -> None:
    cabeceras = cabeceras_en("http://127.0.0.1:1", paginas(AHORA))
    assert set(cabeceras) == {"643", "1044", "1143", "1383", "1403"}
