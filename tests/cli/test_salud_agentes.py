"""What `sobre salud` says of the agents: who waits without a Hermes, and how to give them one."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli import sobre
from dominios.licitaciones import registro as licitaciones
from nucleo import registro
from nucleo.bd import conectar
from nucleo.cola import servicio
from nucleo.configuracion import configuracion
from nucleo.reloj import reloj_del_sistema
from tasks.tipos import tipos_de_trabajo
from tests.hermes.doble import CLAVE


def salud(*opciones: str) -> tuple[int, str]:
    hecho = CliRunner().invoke(sobre, ["salud", *opciones])
    return hecho.exit_code, hecho.stdout


def con_hermes(
    datos: Path, monkeypatch: pytest.MonkeyPatch, perfil: str, contenido: str | None = None
) -> None:
    documento = {"perfiles": {perfil: {"url": "http://127.0.0.1:9", "clave_env": "CLAVE_DE_HERMES"}}}
    (datos / "hermes.json").write_text(contenido or json.dumps(documento))
    monkeypatch.setenv("CLAVE_DE_HERMES", CLAVE)
    monkeypatch.setenv("SOBRE_HERMES", str(datos / "hermes.json"))
    configuracion.cache_clear()


@pytest.fixture
def encolado(datos: Path) -> None:
    licitaciones.preparar(datos)
    with closing(conectar(registro.preparar(datos))) as con:
        servicio.encolar(con, tipos_de_trabajo(datos), "criba", "1", "{}", None, reloj_del_sistema())


def test_sin_nada_encolado_no_hace_falta_ningun_hermes(datos: Path) -> None:
    licitaciones.preparar(datos)
    codigo, salida = salud()
    assert codigo == 0
    assert "docs/hermes.md" not in salida
    assert "Agentes: 0 trabajos esperan. Hermes: ninguno configurado (SOBRE_HERMES)" in salida


@pytest.mark.usefixtures("encolado")
def test_lo_que_espera_sin_hermes_se_avisa_y_no_es_un_fallo() -> None:
    codigo, salida = salud()
    assert codigo == 0
    assert (
        "ningún Hermes configurado pueda hacerlos: 1. Di dónde está con SOBRE_HERMES (docs/hermes.md)."
        in salida
    )
    documento = json.loads(salud("--json")[1])
    assert documento["estado"] == "avisos"
    assert (documento["agentes"]["esperan"], documento["agentes"]["sin_perfil"]) == (1, 1)


@pytest.mark.usefixtures("encolado")
def test_con_su_perfil_configurado_no_hay_aviso(datos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    con_hermes(datos, monkeypatch, "critico")
    assert json.loads(salud("--json")[1])["agentes"]["sin_perfil"] == 1, "ese perfil no es el suyo"
    con_hermes(datos, monkeypatch, "licitaciones")
    agentes = json.loads(salud("--json")[1])["agentes"]
    assert (agentes["esperan"], agentes["sin_perfil"], agentes["avisos"]) == (1, 0, [])


@pytest.mark.usefixtures("encolado")
def test_un_fichero_de_perfiles_que_no_vale_hay_que_arreglarlo(
    datos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    con_hermes(datos, monkeypatch, "licitaciones", "{")
    codigo, salida = salud()
    assert codigo == 1
    assert "✗ hermes.json no sirve como configuración de Hermes" in salida


@pytest.mark.usefixtures("encolado")
def test_una_base_rota_se_dice_y_no_rompe_nada(datos: Path) -> None:
    (datos / registro.FICHERO).write_bytes(b"esto no es una base de datos" * 100)
    codigo, salida = salud()
    assert codigo == 1
    assert "✗ nucleo.db está dañada" in salida
