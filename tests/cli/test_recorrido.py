"""`sobre recorrido` from outside: against a running server, without one, and where it must not send who is here."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.cli import sobre
from app.llave import leer_o_crear
from nucleo.configuracion import configuracion
from nucleo.errores import ErrorConfiguracion, ErrorSobre
from nucleo.recorridos.transporte import SinServidor
from tests.api.servida import Servida, servida
from tests.recorridos.casos import PLAN


@pytest.fixture(scope="module")
def servidor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servida]:
    with servida(tmp_path_factory.mktemp("cli")) as abierta:
        yield abierta


@pytest.fixture
def aqui(servidor: Servida, monkeypatch: pytest.MonkeyPatch) -> Iterator[Servida]:
    """The settings say where the server is, as those of an installation do."""
    monkeypatch.setenv("SOBRE_DATOS", str(servidor.datos))
    monkeypatch.setenv("SOBRE_PUERTO", servidor.url.rsplit(":", 1)[1])
    configuracion.cache_clear()
    yield servidor
    configuracion.cache_clear()


def pedir(*partes: str, entrada: str | None = None) -> Result:
    resultado = CliRunner().invoke(sobre, ["recorrido", *partes], input=entrada)
    if resultado.exception is not None and not isinstance(resultado.exception, ErrorSobre | SystemExit):
        raise resultado.exception
    return resultado


def documento(*partes: str, entrada: str | None = None) -> Any:
    resultado = pedir(*partes, "--json", entrada=entrada)
    assert resultado.exception is None, resultado.exception
    return json.loads(resultado.stdout)


@pytest.fixture
def rid(aqui: Servida, tmp_path: Path) -> str:
    fichero = tmp_path / "plan.json"
    fichero.write_text(json.dumps(PLAN), "utf-8")
    return str(
        documento(
            "crear", "--plan", str(fichero), "--titulo", "Otra \x1b[31mguía\u2028", "--coordinador", "guia"
        )["id"]
    )


def test_crear_ver_listar_y_bandeja(rid: str) -> None:
    assert documento("ver", rid)["recorrido"]["estado"] == "activo"
    assert rid in {
        r["id"] for r in documento("listar", "--estado", "activo", "--texto", "guía")["recorridos"]
    }
    assert documento("listar", "--archivados")["recorridos"] == []
    assert ("publico", 1) in {(p["paso"], p["revision"]) for p in documento("bandeja")["pendientes"]}


def test_lo_que_se_lee_no_trae_ordenes_para_el_terminal(rid: str) -> None:
    for orden in (("ver", rid), ("listar",), ("bandeja",)):
        salida = pedir(*orden).stdout
        assert rid in salida and "\x1b" not in salida and "\u2028" not in salida
    assert "[esperando] publico: Elegir el público" in pedir("ver", rid).stdout


def test_un_comando_y_lo_mismo_otra_vez(rid: str) -> None:
    orden = ["comando", rid, "responder", "--paso", "publico", "--revision", "1", "--clave", "mi-clave"]
    salidas = ["--salidas", '{"publico": "ventas"}']
    assert documento(*orden, *salidas)["repetido"] is False
    assert documento(*orden, *salidas)["repetido"] is True
    assert "ya estaba hecho" in pedir(*orden, *salidas).stdout
    assert "[completado] publico" in pedir("ver", rid).stdout
    assert isinstance(pedir(*orden, "--salidas", '{"publico": "técnicos"}').exception, ErrorSobre)


def test_esperar_dice_si_ha_cambiado(rid: str) -> None:
    assert documento("esperar", rid, "--tras", "0")["cambio"] is True
    assert documento("esperar", rid, "--segundos", "0")["cambio"] is False
    assert "Sin cambios" in pedir("esperar", rid, "--segundos", "0").stdout


def test_exportar(rid: str, tmp_path: Path) -> None:
    assert json.loads(pedir("exportar", rid, "--formato", "json").stdout)["recorrido"]["id"] == rid
    assert pedir("exportar", rid, "--salida", str(tmp_path / "e.html")).output == ""
    assert rid in (tmp_path / "e.html").read_text("utf-8")


@pytest.mark.parametrize(
    "partes",
    [
        ("comando", "rec_1", "aprobarlo"),
        ("comando", "rec_1"),
        ("crear", "--plan", "/no/hay"),
        ("exportar", "rec_1", "--formato", "pdf"),
        ("listar", "--limite", "0"),
    ],
    ids=" ".join,
)
def test_mal_uso(partes: tuple[str, ...]) -> None:
    assert pedir(*partes).exit_code == 2


@pytest.mark.parametrize("texto", ['{"a": 1, "a": 2}', "[", '{"a": NaN}', "[]"])
def test_un_json_dudoso_no_se_manda(rid: str, texto: str) -> None:
    rechazo = pedir("comando", rid, "responder", "--paso", "publico", "--revision", "1", "--salidas", texto)
    assert isinstance(rechazo.exception, ErrorSobre) and rechazo.exception.codigo == "COMANDO_INVALIDO"


def test_sin_servidor_se_dice_como_arrancarlo(datos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nunca = pedir("listar").exception
    assert isinstance(nunca, SinServidor) and "make up" in nunca.mensaje
    leer_o_crear(datos)
    with socket.socket() as libre:  # bound and not listening: nobody answers there
        libre.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{libre.getsockname()[1]}"
        parado = pedir("listar", "--url", url).exception
    assert isinstance(parado, SinServidor) and url in parado.mensaje and "make up" in parado.mensaje


@pytest.mark.parametrize(
    "url",
    [
        "http://fuera.invalid",
        "https://fuera.invalid",
        "ftp://127.0.0.1",
        "127.0.0.1",
        "http://",
        "http://10.0.0.1",
    ],
)
def test_la_llave_no_sale_de_esta_maquina(datos: Path, url: str) -> None:
    leer_o_crear(datos)
    assert isinstance(pedir("listar", "--url", url).exception, ErrorConfiguracion)
