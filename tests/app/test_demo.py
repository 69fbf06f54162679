"""`sobre demo` from nothing to a first decision: twice, with a folder of pages, and interrupted."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import app.demo
from app.arriba import restos
from app.demo.criba import PERSONA
from app.demo.origen import elegir_origen
from app.demo.sustituto import cabeceras_en
from dominios.licitaciones.radar.muestra.servir import paginas
from nucleo import registro as registro_nucleo
from nucleo.agentes import auditoria
from nucleo.agentes import servicio as agentes
from nucleo.agentes.modelo import FiltroLlamadas
from nucleo.bd import conectar
from nucleo.cola import almacen as cola
from nucleo.errores import ErrorConfiguracion
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


def _cribadas(datos: Path) -> list[dict[str, Any]]:
    """What `sobre criba ver --json` says."""
    lista: list[dict[str, Any]] = json.loads(_sobre(datos, "criba", "ver", "--json"))["licitaciones"]
    return lista


def _sobre(datos: Path, *orden: str) -> str:
    """What the command prints."""
    entorno = {**os.environ, "SOBRE_DATOS": str(datos)}
    return subprocess.run(
        [SOBRE, *orden], env=entorno, capture_output=True, text=True, timeout=60, check=True
    ).stdout


def _nuevas(salida: str) -> int:
    return sum(int(n) for n in re.findall(r"nuevas +(\d+)", salida))


@pytest.mark.prefect
def test_de_la_nada_a_una_decision_y_la_segunda_vez_no_se_pregunta_nada(datos: Path) -> None:
    primera = _demo(datos, SOBRE_HERMES=str(datos / "el-de-verdad.json"))
    assert primera.returncode == 0, primera.stdout + primera.stderr
    assert "datos INVENTADOS" in primera.stdout
    assert "sustituto de PLACSP" in primera.stdout
    assert all(re.search(rf"^\s+{f} ", primera.stdout, re.MULTILINE) for f in (643, 1044, 1143, 1383, 1403))
    assert re.search(r"4 Prefiltro +perfil «.+»: \d+ abiertas encajan", primera.stdout)
    assert f"SOBRE_DATOS={datos} make up" in primera.stdout
    assert _nuevas(primera.stdout) > 0
    assert "7 Agente          Hermes SIMULADO" in primera.stdout
    cribadas = _cribadas(datos)
    assert f"Veredictos nuevos: {len(cribadas)}." in primera.stdout
    assert all("simulado" in c["agente"]["motivo"].lower() for c in cribadas), "todo lo suyo dice qué es"
    assert "simulados" in _sobre(datos, "cola", "ver")
    assert "(simulado)" in _sobre(datos, "cola", "ver", "1")
    assert [c["persona"]["persona"] for c in cribadas if c["persona"]] == [PERSONA]
    _exigir_que_no_queda_nada(datos)

    segunda = _demo(datos)
    assert segunda.returncode == 0, segunda.stdout + segunda.stderr
    assert _nuevas(segunda.stdout) == 0
    assert "no hay nada nuevo que preguntar" in segunda.stdout
    assert "Veredictos nuevos: 0." in segunda.stdout
    assert "ya decidió" in segunda.stdout
    assert _cribadas(datos) == cribadas
    _exigir_que_no_queda_nada(datos)

    orden = re.search(r"^ +SOBRE_DATOS=(\S+) (.+ criba decidir .+)$", segunda.stdout, re.MULTILINE)
    assert orden is not None
    partes = [*shlex.split(orden[2]), "--persona", "Persona Inventada"]
    subprocess.run(partes, env={**os.environ, "SOBRE_DATOS": orden[1]}, check=True, timeout=60)
    assert sum(c["persona"] is not None for c in _cribadas(datos)) == 2


def _exigir_que_no_queda_nada(datos: Path) -> None:
    """One job, done at the first attempt through the real server; no process, token, key or profile stays."""
    with closing(conectar(datos / registro_nucleo.FICHERO)) as con:
        (agente,) = agentes.listar(con)
        assert agente.revocado is not None
        assert cola.contar(con) == {("criba", "hecho"): 1}
        llamadas = [llamada.herramienta for _, llamada in auditoria.buscar(con, FiltroLlamadas())]
    assert llamadas == ["criba_proponer", "criba_lote"]
    assert not (datos / "arriba" / "procesos.json").exists()
    assert not (datos / "hermes-simulado").exists()


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


def test_una_carpeta_sin_paginas_se_rechaza_antes_de_empezar(datos: Path, tmp_path: Path) -> None:
    vacia = tmp_path / "vacia"
    vacia.mkdir()
    with pytest.raises(ErrorConfiguracion, match="ahí no hay páginas"):
        elegir_origen(str(vacia))
    assert elegir_origen(None).clase == "muestra"
    url = "https://contrataciondelsectorpublico.gob.es/sindicacion/sindicacion_1403/CPM_SectorPublico.atom"
    assert elegir_origen(url).fuente == "1403"


@pytest.mark.parametrize("nombre", ["perfil", "empresa"])
def test_los_perfiles_que_van_dentro_son_los_de_ejemplo(nombre: str) -> None:
    dentro = Path(app.demo.__file__).with_name(f"{nombre}.yaml")
    ejemplo = Path(__file__).resolve().parents[2] / "deploy" / f"{nombre}.ejemplo.yaml"
    assert dentro.read_bytes() == ejemplo.read_bytes()


def test_cada_conjunto_de_la_muestra_tiene_su_cabecera() -> None:
    cabeceras = cabeceras_en("http://127.0.0.1:1", paginas(AHORA))
    assert set(cabeceras) == {"643", "1044", "1143", "1383", "1403"}
