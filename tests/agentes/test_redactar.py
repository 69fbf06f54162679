"""What is kept of the arguments: bounded, readable as JSON, without secrets nor people."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nucleo.agentes import tokens
from nucleo.agentes.redactar import TOTAL_MAX, redactar, redactar_del_todo
from tests.agentes.test_validar import JSON

TOKEN = tokens.nuevo()


@pytest.mark.parametrize(
    "oculto",
    [
        "12345678Z",
        "12.345.678-Z",
        "X1234567L",
        "alguien.ficticio@example.invalid",
        "600 123 456",
        "+34 912345678",
        "ES91 2100 0418 4502 0005 1332",
        pytest.param(TOKEN, id="token"),
        "Bearer abc.def",
    ],
)
def test_lo_que_es_de_personas_o_secreto_se_tapa_tambien_dentro_de_un_texto(oculto: str) -> None:
    guardado = redactar({"motivo": f"vale {oculto} y ya", "lista": [{"x": oculto}]})
    assert oculto not in guardado
    assert guardado.count("***") == 2
    assert oculto not in redactar({f"k {oculto}": 1})


@pytest.mark.parametrize(
    "clave", ["token", "Clave", "contraseña", "api_key", "nonce", "nif", "correo", "email"]
)
def test_por_el_nombre_de_la_clave_tambien(clave: str) -> None:
    assert json.loads(redactar({clave: {"dentro": "valor"}})) == {clave: "***"}


def test_lo_corriente_se_lee() -> None:
    argumentos = {
        "id": "https://example.invalid/18712345",
        "cpv": ["72260000"],
        "importe_min": "150000.00",
        "n": 3,
    }
    assert json.loads(redactar(argumentos)) == argumentos


def test_lo_largo_se_corta_y_se_dice() -> None:
    guardado = json.loads(redactar({"texto": "x" * 9000, "lista": list(range(500))}))
    assert guardado["texto"] == "x" * 200 + "… (9000 caracteres)"
    assert guardado["lista"][-1] == "… 500 en total"


def test_un_token_cortado_por_el_limite_no_se_escapa() -> None:
    guardado = redactar({"texto": "x" * 180 + " " + TOKEN + "y" * 300})
    assert TOKEN[:12] not in guardado


def test_de_las_personales_solo_quedan_las_claves() -> None:
    assert json.loads(redactar_del_todo({"persona": "Persona Ficticia", "anos": 40})) == {
        "persona": "***",
        "anos": "***",
    }


@given(JSON | st.binary() | st.lists(st.text(min_size=300), min_size=30, max_size=40))
def test_llegue_lo_que_llegue_cabe_y_es_json(argumentos: object) -> None:
    for guardado in (redactar(argumentos), redactar_del_todo(argumentos)):
        json.loads(guardado)
        assert len(guardado) <= 3 * TOTAL_MAX  # a cut text may be escaped once more
        guardado.encode()


def test_lo_monstruoso_no_tumba_nada() -> None:
    hondo: object = 1
    for _ in range(100_000):
        hondo = {"a": hondo}
    assert json.loads(redactar(hondo)) == {"a": {"a": {"a": {"a": {"a": "…"}}}}}
    assert json.loads(redactar({"n": 10**5000})) == {"n": "entero enorme"}
