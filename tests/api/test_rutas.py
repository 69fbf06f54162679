"""Every route, asked by each kind of who may ask."""

from __future__ import annotations

import json

import httpx
import pytest

from nucleo.recorridos.api.despacho import DE_PERSONA, Ruta
from nucleo.recorridos.api.mensajes import CUERPO_MAX, JSON, LEER, PROPONER
from nucleo.recorridos.api.rutas import API
from tests.api.servida import NADIE, PERSONA, REVOCADO, Servida

SUYOS = {
    "lector": {LEER},
    "autor": {PROPONER},
    "guia": {LEER, PROPONER},
    PERSONA: {LEER, PROPONER, DE_PERSONA},
}
QUIENES = (NADIE, REVOCADO, "ajeno", *SUYOS)
CORRIENTE = "/api/eventos"


def direccion(ruta: Ruta) -> str:
    """With something at each of its names."""
    return ruta.patron.format(rid=f"rec_{'0' * 26}", version="1", ent="ent_0", art="art_0")


def pedir(api: Servida, quien: str, metodo: str, ruta: str) -> httpx.Response:
    """With a body that is JSON and nothing else; of a stream, only how it begins."""
    with (
        api.http(quien) as http,
        http.stream(metodo, ruta, json={} if metodo == "POST" else None) as respuesta,
    ):
        if not (ruta == CORRIENTE and respuesta.is_success):
            respuesta.read()
        return respuesta


@pytest.mark.parametrize("quien", QUIENES)
@pytest.mark.parametrize("ruta", API.rutas, ids=lambda r: f"{r.metodo}-{r.patron}")
def test_cada_ruta_solo_a_quien_puede(api: Servida, ruta: Ruta, quien: str) -> None:
    respuesta = pedir(api, quien, ruta.metodo, direccion(ruta))
    if quien in {NADIE, REVOCADO}:
        assert respuesta.status_code == 401 and respuesta.json()["codigo"] == "SIN_IDENTIDAD"
        assert respuesta.headers["www-authenticate"].startswith("Bearer")
    elif ruta.permiso in SUYOS.get(quien, ()):
        assert respuesta.status_code in {200, 400, 404, 415}
    else:
        assert respuesta.status_code == 403 and respuesta.json()["codigo"] == "PROHIBIDO"
    assert respuesta.headers["x-content-type-options"] == "nosniff"
    assert respuesta.headers["cache-control"] == "no-store"


def test_la_lista_de_rutas_es_la_que_es() -> None:
    assert len({(r.metodo, r.patron) for r in API.rutas}) == len(API.rutas)
    assert {r.permiso for r in API.rutas} == {LEER, PROPONER, DE_PERSONA}
    for ruta in API.rutas:
        assert (ruta.metodo == "GET") == (ruta.cuerpo_max == 0)
        assert ruta.metodo == "POST" or ruta.permiso != PROPONER
    assert [r.patron for r in API.rutas if r.atender is None] == [CORRIENTE]


@pytest.mark.parametrize(
    "ruta", ["/api/nada", "/api/recorridos/a/b/c", "/api/", "/api/openapi", "/api/recorridos/"]
)
def test_lo_que_no_hay_solo_se_dice_a_quien_es_alguien(api: Servida, ruta: str) -> None:
    assert pedir(api, NADIE, "GET", ruta).status_code == 401
    for quien in ("ajeno", PERSONA):
        respuesta = pedir(api, quien, "GET", ruta)
        assert respuesta.status_code == 404 and respuesta.json()["codigo"] == "NO_EXISTE"


@pytest.mark.parametrize("metodo", ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])
def test_otro_metodo_no_se_admite(api: Servida, metodo: str) -> None:
    respuesta = pedir(api, PERSONA, metodo, "/api/recorridos")
    assert respuesta.status_code == 405 and respuesta.headers["allow"] == "GET, POST"
    assert pedir(api, NADIE, metodo, "/api/recorridos").status_code == 401


@pytest.mark.parametrize(
    "consulta",
    [
        "limite=0",
        "limite=501",
        "limite=x",
        "estados=ido",
        "nada=1",
        "limite=1&limite=2",
        "texto=%ff",
        "texto=%ed%a0%80",
        "a",
    ],
)
def test_una_direccion_mal_escrita_es_un_400(api: Servida, consulta: str) -> None:
    respuesta = pedir(api, PERSONA, "GET", f"/api/recorridos?{consulta}")
    assert respuesta.status_code == 400 and respuesta.json()["codigo"] == "COMANDO_INVALIDO"


@pytest.mark.parametrize(
    ("cuerpo", "estado"),
    [
        (b"", 400),
        (b"no", 400),
        (b"[]", 400),
        (b'{"comando_id": "a", "comando_id": "b"}', 400),
        (b'{"comando_id": "a", "contexto": {"x": NaN}}', 400),
        (b'{"comando_id": "a", "contexto": {"x": Infinity}}', 400),
        (b'{"comando_id": "a", "contexto": {"x": 1e999}}', 400),
        (b'{"comando_id": "a", "contexto": {"x": 99999999999999999999}}', 400),
        (b'{"comando_id": "\\ud800"}', 400),
        (b'{"comando_id": "a\xff"}', 400),
        (b'{"contexto":' * 10_000, 400),
        (b'{"contexto":' + b"[" * 5_000 + b"]" * 5_000 + b"}", 400),
        (b'{"comando_id": "' + b"a" * CUERPO_MAX + b'"}', 413),
        (b" " * (6 * 1024 * 1024), 413),
    ],
    ids=lambda v: f"{v[:24]!r}-{len(v)}" if isinstance(v, bytes) else None,
)
def test_un_cuerpo_que_no_es_lo_que_debe(api: Servida, cuerpo: bytes, estado: int) -> None:
    with api.http("guia") as http:
        respuesta = http.post("/api/recorridos", content=cuerpo, headers={"Content-Type": JSON})
    assert respuesta.status_code == estado
    assert respuesta.json()["codigo"] == ("DEMASIADO_GRANDE" if estado == 413 else "COMANDO_INVALIDO")


def test_otro_tipo_de_cuerpo_es_un_415(api: Servida) -> None:
    with api.http("guia") as http:
        respuesta = http.post("/api/recorridos", data={"comando_id": "a"})
    assert respuesta.status_code == 415 and respuesta.json()["codigo"] == "TIPO_NO_ADMITIDO"


def test_un_plan_sin_forma_dice_en_que_pasos(api: Servida) -> None:
    plan = {"titulo": "", "pasos": [{"id": "uno", "titulo": "Uno", "clase": "magia", "sobra": 1}]}
    with api.http("guia") as http:
        respuesta = http.post("/api/recorridos", json={"comando_id": "p-1", "plan": plan})
    dicho = respuesta.json()
    assert respuesta.status_code == 400 and dicho["codigo"] == "PLAN_INVALIDO"
    assert sorted(p["paso"] or "" for p in dicho["problemas"]) == ["", "uno", "uno"]


@pytest.mark.parametrize("campo", ["actor", "quien", "rol", "coordina"])
def test_quien_es_no_se_dice_en_el_cuerpo(api: Servida, campo: str) -> None:
    orden = {"comando_id": "x", "tipo": "pausar", campo: {"clase": "persona", "nombre": "yo", "rol": "admin"}}
    with api.http("guia") as http:
        respuesta = http.post(f"/api/recorridos/rec_{'0' * 26}/comandos", content=json.dumps(orden))
    assert respuesta.status_code == 400 and campo in respuesta.json()["mensaje"]
