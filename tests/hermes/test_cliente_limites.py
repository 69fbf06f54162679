"""What the client refuses: strange answers, orders badly made, other machines; and that it keeps its key to itself."""

from __future__ import annotations

import json
import logging

import pytest

from app.hermes.curso import Curso
from app.hermes.memoria import Contrato
from nucleo.errores import ErrorConfiguracion, ErrorEntrada
from nucleo.hermes.cliente import ClienteHermes
from nucleo.hermes.errores import ClaveRechazada, ContratoRoto
from tests.hermes.doble import CLAVE, Doble, cliente

SESION = "so-7-1-a1b2c3d4"


async def acabar(_curso: Curso) -> str:
    return "hecho"


async def test_la_clave_no_aparece_en_ningun_sitio(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    doble = Doble(Contrato.V019, acabar)
    eco = json.dumps({"error": {"message": f"bad key {CLAVE} in header", "code": "x"}}).encode()
    doble.averia.suplanta = (418, {}, eco)
    doble.averia.donde, doble.averia.modo, doble.averia.veces = "GET /v1/runs", "suplanta", 1
    with doble.en_marcha() as base:
        async with cliente(base, clave="otra-clave-9876543210fedcba") as hermes:
            with pytest.raises(ClaveRechazada) as rechazo:
                await hermes.salud()
        async with cliente(base) as hermes:
            with pytest.raises(ContratoRoto) as roto:
                await hermes.consultar("run_1")
            dicho = f"{hermes!r} {roto.value} {rechazo.value} {caplog.text}"
    assert "bad key •••" in str(roto.value)
    assert CLAVE not in dicho
    assert "otra-clave-9876543210fedcba" not in dicho


@pytest.mark.parametrize(
    "cuerpo", [b"", b"[]", b'{"run_id": "r", "status": 5}', b'{"run_id": "r"}', b"\xff\xfe", b"[" * 100_000]
)
async def test_un_estado_que_no_es_del_contrato_se_rechaza(cuerpo: bytes) -> None:
    doble = Doble(Contrato.V019, acabar)
    doble.averia.suplanta = (200, {}, cuerpo)
    doble.averia.donde, doble.averia.modo, doble.averia.veces = "GET /v1/runs", "suplanta", 1
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            with pytest.raises(ContratoRoto):
                await hermes.consultar("run_1")


async def test_una_respuesta_enorme_no_se_traga() -> None:
    doble = Doble(Contrato.V019, acabar)
    doble.averia.suplanta = (200, {}, b'{"relleno": "' + b"x" * (9 * 2**20))
    doble.averia.donde, doble.averia.modo, doble.averia.veces = "GET /v1/runs", "suplanta", 1
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            with pytest.raises(ContratoRoto, match="demasiado grande"):
                await hermes.consultar("run_1")


async def test_no_se_sigue_una_redireccion() -> None:
    doble = Doble(Contrato.V019, acabar)
    with doble.en_marcha() as base:
        doble.averia.suplanta = (307, {"Location": f"{base}/v1/runs/otro"}, b"")
        doble.averia.donde, doble.averia.modo, doble.averia.veces = "GET /v1/runs", "suplanta", 1
        async with cliente(base) as hermes:
            with pytest.raises(ContratoRoto):
                await hermes.consultar("run_1")
        assert "GET /v1/runs/otro" not in doble.averia.vistas


@pytest.mark.parametrize(
    ("encargo"),
    [
        ("i", "", SESION, SESION),
        ("i", "e", "corta", SESION),
        ("i", "e", "../../etc/passwd", SESION),
        ("i", "e", SESION, "con espacios"),
        ("i", "e", SESION, ""),
        ("i", "\ud800", SESION, SESION),
        ("i", "e" * (5 * 2**20), SESION, SESION),
    ],
)
async def test_un_encargo_mal_hecho_no_sale(encargo: tuple[str, str, str, str]) -> None:
    doble = Doble(Contrato.V019, acabar)
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            with pytest.raises(ErrorEntrada):
                await hermes.lanzar(*encargo)
    assert "POST /v1/runs" not in doble.averia.vistas


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1:8642",
        "http://hermes.example:8642",
        "http://10.0.0.1:8642",
        "http://127.0.0.1.nip.example",
        "http://u:p@127.0.0.1:8642",
        "http://127.0.0.1:8642/p/critico",
        "http://127.0.0.1:99999",
        "http://[::1",
        "file:///etc/passwd",
        "",
    ],
)
def test_solo_se_habla_con_esta_maquina(url: str) -> None:
    with pytest.raises(ErrorConfiguracion, match=r"http://127\.0\.0\.1"):
        ClienteHermes(url, CLAVE)
