"""Files of the steps: sent whole or not at all, given back as they were, and shown unable to do anything."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx
import pytest

from app.api.pase import direccion_de_vista
from nucleo.recorridos.artefactos.limites import BYTES_MAX
from nucleo.reloj import reloj_del_sistema
from tests.api.servida import NADIE, PERSONA, Servida
from tests.recorridos.casos import EN_CURSO

HOSTIL = (
    "<html><script>parent.document.title='x';fetch('/api/recorridos')</script><b>hola ñ</b></html>".encode()
)
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
PDF = b"%PDF-1.7\n"
POLITICA = ["sandbox", "default-src 'none'", "style-src 'unsafe-inline'", "img-src data:"]


@pytest.fixture(scope="module")
def rid(api: Servida) -> str:
    """A run whose agent is at its step."""
    numero = ""
    for orden in EN_CURSO:
        with api.http(orden.quien) as http:
            cuerpo = {"comando_id": uuid4().hex, **orden.campos}
            if orden.tipo == "crear":
                numero = http.post("/api/recorridos", json=cuerpo).json()["id"]
            else:
                http.post(f"/api/recorridos/{numero}/comandos", json=cuerpo | {"tipo": orden.tipo})
    return numero


def subir(  # noqa: PLR0917 - a file and what is said of it
    api: Servida,
    rid: str,
    contenido: bytes,
    tipo: str,
    nombre: str = "guía.html",
    quien: str = "guia",
    **mas: str,
) -> httpx.Response:
    consulta = {
        "recorrido": rid,
        "comando_id": uuid4().hex,
        "paso": "redactar",
        "intento": "1",
        "nombre": nombre,
    }
    with api.http(quien) as http:
        return http.post(
            "/api/artefactos", params=consulta | mas, content=contenido, headers={"Content-Type": tipo}
        )


def guardado(api: Servida, rid: str, contenido: bytes, tipo: str) -> str:
    respuesta = subir(api, rid, contenido, tipo)
    assert respuesta.status_code == 201, respuesta.text
    return str(respuesta.json()["artefacto"]["id"])


def test_se_guarda_una_vez_y_vuelve_como_era(api: Servida, rid: str) -> None:
    clave = uuid4().hex
    primera, segunda = (subir(api, rid, HOSTIL, "text/html", comando_id=clave) for _ in range(2))
    assert (primera.status_code, segunda.status_code) == (201, 200)
    assert segunda.json()["repetido"] and primera.json()["artefacto"] == segunda.json()["artefacto"]
    assert subir(api, rid, b"otro", "text/html", comando_id=clave).json()["codigo"] == "CLAVE_REUTILIZADA"
    with api.http("lector") as http:
        bajado = http.get(f"/api/artefactos/{primera.json()['artefacto']['id']}")
    assert bajado.content == HOSTIL
    assert bajado.headers["content-disposition"].startswith("attachment; ")
    assert "filename*=UTF-8''gu%C3%ADa.html" in bajado.headers["content-disposition"]
    assert bajado.headers["content-security-policy"].split("; ")[:4] == POLITICA


@pytest.mark.parametrize("nombre", ['a"; x="b', "a\r\nX: y", "../../x", "a/b", "", "x" * 161, 'a"b'])
def test_un_nombre_no_sale_de_su_sitio(api: Servida, rid: str, nombre: str) -> None:
    respuesta = subir(api, rid, b"hola", "text/plain", nombre)
    assert respuesta.status_code == 400 and "nombre" in respuesta.json()["mensaje"]


@pytest.mark.parametrize(
    ("contenido", "tipo", "mostrado"),
    [
        (HOSTIL, "text/html", "text/html; charset=utf-8"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "image/svg+xml", "image/svg+xml"),
        (b"# hola <script>alert(1)</script>", "text/markdown", "text/plain; charset=utf-8"),
        ("ñ".encode(), "text/plain", "text/plain; charset=utf-8"),
        (b"{}", "application/json", "text/plain; charset=utf-8"),
        (PNG, "image/png", "image/png"),
    ],
    ids=lambda v: v if isinstance(v, str) else None,
)
def test_la_vista_es_inerte(api: Servida, rid: str, contenido: bytes, tipo: str, mostrado: str) -> None:
    art = guardado(api, rid, contenido, tipo)
    with api.http("lector") as http:
        vista = http.get(f"/api/artefactos/{art}/vista")
    assert (vista.status_code, vista.content, vista.headers["content-type"]) == (200, contenido, mostrado)
    politica = vista.headers["content-security-policy"].split("; ")
    assert politica[:4] == POLITICA and "frame-ancestors 'self'" in politica
    assert vista.headers["x-frame-options"] == "SAMEORIGIN"
    assert vista.headers["x-content-type-options"] == "nosniff"


def test_lo_que_no_se_puede_ver_inerte_solo_se_descarga(api: Servida, rid: str) -> None:
    art = guardado(api, rid, PDF, "application/pdf")
    with api.http("lector") as http:
        vista, bajado = http.get(f"/api/artefactos/{art}/vista"), http.get(f"/api/artefactos/{art}")
    assert (vista.status_code, vista.json()["codigo"]) == (415, "TIPO_NO_ADMITIDO")
    assert bajado.content == PDF


def test_lo_que_no_cabe_o_no_es_no_deja_nada(api: Servida, rid: str) -> None:
    antes = _ficheros(api)
    grande = subir(api, rid, b"a" * (BYTES_MAX + 1), "text/plain")
    assert (grande.status_code, grande.json()["codigo"]) == (413, "DEMASIADO_GRANDE")
    for contenido, tipo in ((b"MZ", "application/x-msdownload"), (b"no soy", "image/png"), (b"x", "")):
        respuesta = subir(api, rid, contenido, tipo)
        assert (respuesta.status_code, respuesta.json()["codigo"]) == (415, "TIPO_NO_ADMITIDO")
    assert subir(api, rid, b"hola", "text/plain", intento="2").json()["codigo"] == "INTENTO_VIEJO"
    assert subir(api, rid, b"hola", "text/plain", quien="otro").json()["codigo"] == "PROHIBIDO"
    assert subir(api, rid, b"hola", "text/plain", quien="lector").status_code == 403
    assert subir(api, rid, b"hola", "text/plain", quien=NADIE).status_code == 401
    assert _ficheros(api) == antes


def _ficheros(api: Servida) -> list[Path]:
    return sorted(f for f in (api.datos / "artefactos").rglob("*") if f.is_file())


def test_un_pase_ensena_uno_y_nada_mas(api: Servida, rid: str) -> None:
    uno, otro = (guardado(api, rid, contenido, "text/plain") for contenido in (b"uno", b"dos"))
    direccion = direccion_de_vista(api.datos, uno, reloj_del_sistema())
    pase = parse_qs(urlsplit(direccion).query)["pase"][0]
    with api.http(NADIE) as http:
        assert http.get(direccion).text == "uno"
        assert http.get(f"/api/artefactos/{uno}?pase={pase}").text == "uno"
        for ajena in (
            f"/api/artefactos/{otro}/vista",
            f"/api/recorridos/{rid}",
            "/api/recorridos",
            "/api/eventos",
        ):
            assert http.get(f"{ajena}?pase={pase}").status_code == 401
        assert http.get(f"{direccion}0").status_code == 401
    with api.http(PERSONA) as http:
        assert http.get(f"/api/artefactos/{uno}/vista").text == "uno"


def test_por_mcp_se_deja_un_fichero(api: Servida, rid: str) -> None:
    comun = {
        "recorrido": rid,
        "paso": "redactar",
        "intento": 1,
        "nombre": "a.md",
        "tipo_medio": "text/markdown",
    }

    def dejar(**mas: object) -> dict[str, object]:
        return api.herramienta("guia", "artefacto_registrar", comun | {"comando_id": uuid4().hex} | mas)

    assert dejar(texto="# Hola ñ")["ok"] and dejar(base64="aG9sYQ==")["ok"]
    assert (
        dejar()["codigo"]
        == dejar(texto="a", base64="YQ==")["codigo"]
        == dejar(base64="?")["codigo"]
        == "argumentos"
    )
    assert dejar(texto="a", tipo_medio="text/x")["codigo"] == "TIPO_NO_ADMITIDO"
