"""`sobre cola` from outside: what it prints, what it changes, how it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli import sobre
from nucleo import registro
from nucleo.bd import conectar
from nucleo.cola import servicio
from nucleo.errores import ErrorEntrada, ErrorSobre
from nucleo.reloj import reloj_del_sistema
from tests.cola.fabrica import TIPOS


@pytest.fixture(autouse=True)
def encolados(datos: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("app.cli.cola.tipos_de_trabajo", lambda _datos: TIPOS)
    with closing(conectar(registro.preparar(datos))) as con:
        for objeto in ("a", "b"):
            servicio.encolar(con, TIPOS, "criba", objeto, "{}", None, reloj_del_sistema())
    yield


def pedir(*partes: str) -> Result:
    resultado = CliRunner().invoke(sobre, ["cola", *partes])
    if resultado.exception is not None and not isinstance(resultado.exception, ErrorSobre | SystemExit):
        raise resultado.exception
    return resultado


def documento(*partes: str) -> dict[str, object]:
    leido: dict[str, object] = json.loads(pedir(*partes, "--json").stdout)
    return leido


def test_ver_dice_que_falta_un_hermes(datos: Path) -> None:
    assert documento("ver")["cuentas"] == {"criba": {"pendiente": 2}}
    assert "SOBRE_HERMES (docs/hermes.md)" in pedir("ver").output
    assert "SOBRE_HERMES" in str(documento("ver", "1")["motivo"])


def test_cancelar_reintentar_y_priorizar() -> None:
    assert documento("cancelar", "1")["estado"] == "cancelado"
    assert documento("reintentar", "1")["estado"] == "pendiente"
    assert documento("priorizar", "2", "--clase", "-3")["clase"] == -3


def test_pausar_y_reanudar() -> None:
    pedir("pausar", "--tipo", "criba")
    pedir("pausar")
    assert "Una persona ha pausado la cola" in pedir("ver").output
    assert documento("reanudar")["levantados"] == 1
    assert documento("reanudar", "--tipo", "criba")["levantados"] == 1
    assert documento("reanudar")["levantados"] == 0


def test_lo_que_no_puede_ser_se_rechaza_en_una_linea() -> None:
    assert isinstance(pedir("reintentar", "99").exception, ErrorSobre)
    assert isinstance(pedir("pausar", "--tipo", "otro").exception, ErrorSobre)
    pedir("cancelar", "1")
    assert isinstance(pedir("cancelar", "1").exception, ErrorSobre)
    assert pedir("reintentar", "x").exit_code == 2
    assert pedir("pausar", "--tipo", "criba", "--perfil", "critico").exit_code == 2


def test_gastos_y_comparar_sin_nada_que_contar() -> None:
    assert documento("gastos") == {"moneda": "USD", "grupos": []}
    assert documento("gastos", "--por", "objeto", "--dias", "1")["grupos"] == []
    assert documento("comparar", "criba")["grupos"] == []


@pytest.mark.parametrize(
    "orden", [("pausar", "--tipo", "nada"), ("reanudar", "--tipo", ""), ("comparar", "nada")]
)
def test_un_tipo_que_no_hay_se_rechaza_diciendo_los_que_hay(orden: tuple[str, ...]) -> None:
    fallo = pedir(*orden).exception
    assert isinstance(fallo, ErrorEntrada)
    assert "criba" in fallo.mensaje
