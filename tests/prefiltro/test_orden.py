"""`sobre prefiltro` as a person and a program run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from nucleo.bd import conectar
from nucleo.reloj import reloj_del_sistema
from tests.prefiltro.filas import insertar

SOBRE = Path(sys.executable).with_name("sobre")
PERFIL = "nombre: Empresa Ficticia, S.L.\ncpv: {incluir: [72]}\npalabras: [jardín]\n"


def sobre(*orden: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(SOBRE), "prefiltro", *orden],
        env=os.environ.copy(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def lleno(fichero_bd: Path, datos: Path) -> Path:
    """Three open tenders: by CPV, by word, and one that does not enter; and the profile in its place."""
    plazo = reloj_del_sistema() + timedelta(days=20)
    dia = datetime(2026, 3, 2, 9, tzinfo=UTC)
    with closing(conectar(fichero_bd)) as con:
        insertar(con, 1, plazo=plazo, instante=dia)
        insertar(con, 2, plazo=plazo, instante=dia, cpv=["45000000"], objeto="Jardines", importe=None)
        insertar(con, 3, plazo=plazo, instante=dia - timedelta(days=1), cpv=["45000000"])
    (datos / "perfil.yaml").write_text(PERFIL, encoding="utf-8")
    return datos


@pytest.mark.usefixtures("lleno")
def test_en_json_cada_fila_dice_que_reglas_la_hacen_entrar() -> None:
    salida = sobre("--json")
    assert salida.returncode == 0
    documento = json.loads(salida.stdout)
    assert documento["perfil"] == "Empresa Ficticia, S.L."
    assert (documento["evaluadas"], documento["dentro"], documento["fuera"]) == (3, 2, 1)
    assert documento["por_dia"] == {
        "2026-03-02": {"dentro": 2, "fuera": 0},
        "2026-03-01": {"dentro": 0, "fuera": 1},
    }
    primera, segunda = documento["licitaciones"]
    assert set(primera) == {"id", "titulo", "organo", "importe", "plazo", "dentro", "reglas"}
    assert (primera["importe"], segunda["importe"]) == ("50000.00", None)
    assert [r["nombre"] for r in primera["reglas"]] == ["cpv"]
    assert [r["nombre"] for r in segunda["reglas"]] == ["palabras"]
    assert datetime.fromisoformat(primera["plazo"]).utcoffset() in {timedelta(hours=1), timedelta(hours=2)}


@pytest.mark.usefixtures("lleno")
def test_repetida_dice_lo_mismo_sin_juzgar_nada() -> None:
    primera, segunda = (json.loads(sobre("--json").stdout) for _ in range(2))
    assert (primera.pop("evaluadas_ahora"), segunda.pop("evaluadas_ahora")) == (3, 0)
    assert primera == segunda
    assert json.loads(sobre("--json", "--reevaluar").stdout)["evaluadas_ahora"] == 3


@pytest.mark.usefixtures("lleno")
def test_todas_y_dia_eligen_las_filas() -> None:
    todas = json.loads(sobre("--json", "--todas").stdout)["licitaciones"]
    assert [f["dentro"] for f in todas] == [True, True, False]
    del_dia = json.loads(sobre("--json", "--todas", "--dia", "2026-03-01").stdout)["licitaciones"]
    assert [f["dentro"] for f in del_dia] == [False]


@pytest.mark.usefixtures("lleno")
def test_para_personas_se_lee_el_porque() -> None:
    salida = sobre("--todas")
    assert "+ palabras: Contiene «jardín» en el objeto." in salida.stdout
    assert "[fuera]" in salida.stdout
    assert "2 dentro y 1 fuera" in salida.stdout


def test_otro_perfil_y_la_variable_de_entorno(lleno: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    otro = lleno / "otro.yaml"
    otro.write_text("nombre: Obras Ficticias\ncpv: {incluir: [45]}\n", encoding="utf-8")
    assert json.loads(sobre("--json", "--perfil", str(otro)).stdout)["perfil"] == "Obras Ficticias"
    monkeypatch.setenv("SOBRE_PERFIL", str(otro))
    assert json.loads(sobre("--json").stdout)["perfil"] == "Obras Ficticias"


@pytest.mark.usefixtures("datos")
def test_sin_perfil_se_dice_que_hacer_en_una_linea() -> None:
    salida = sobre("--json")
    assert (salida.returncode, salida.stdout) == (1, "")
    assert salida.stderr.count("\n") == 1
    assert "perfil.ejemplo.yaml" in salida.stderr


def test_un_perfil_malo_se_rechaza_en_una_linea(datos: Path) -> None:
    (datos / "perfil.yaml").write_text(PERFIL + "regiones: [Málaga]\n", encoding="utf-8")
    salida = sobre()
    assert (salida.returncode, salida.stdout) == (1, "")
    assert salida.stderr.count("\n") == 1
    assert "línea 4, campo «regiones[1]»" in salida.stderr
