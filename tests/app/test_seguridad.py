"""The door of the web: only this machine, only its own pages, and every answer with its headers."""

from __future__ import annotations

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from app.seguridad import WS_PROHIBIDO, Puerta, es_local

LOCAL = "127.0.0.1:8080"


async def pasa(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that says yes to whatever reaches it."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"referrer-policy", b"origin")]})
    await send({"type": "http.response.body", "body": b"dentro"})


async def pedir(ruta: str = "/", **cabeceras: str) -> httpx.Response:
    transporte = httpx.ASGITransport(app=Puerta(pasa))
    async with httpx.AsyncClient(transport=transporte, base_url=f"http://{LOCAL}") as cliente:
        return await cliente.get(ruta, headers=cabeceras)


async def abrir_socket(**cabeceras: str) -> Message:
    """The first answer to a WebSocket with those headers."""
    dicho: list[Message] = []

    async def recibir() -> Message:
        return {"type": "websocket.connect"}

    async def enviar(mensaje: Message) -> None:
        dicho.append(mensaje)

    crudas = [(k.encode(), v.encode()) for k, v in cabeceras.items()]
    await Puerta(pasa)({"type": "websocket", "path": "/_stcore/stream", "headers": crudas}, recibir, enviar)
    return dicho[0]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8080", "localhost:1", "[::1]:8080", "127.8.8.8"])
def test_esta_maquina_por_cualquiera_de_sus_nombres(host: str) -> None:
    assert es_local(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "fuera.invalid",
        "127.0.0.1.fuera.invalid",
        "localhost.fuera.invalid",
        "10.0.0.1",
        "0.0.0.0",
        "127.0.0.1:x",
        "[::2]",
    ],
)
def test_otro_nombre_no_es_esta_maquina(host: str) -> None:
    assert not es_local(host)


async def test_otro_host_u_otro_origen_no_pasan() -> None:
    assert (await pedir()).text == "dentro"
    assert (await pedir(origin=f"http://{LOCAL}")).status_code == 200
    for cabeceras in ({"host": "fuera.invalid"}, {"origin": "http://fuera.invalid"}, {"origin": "null"}):
        respuesta = await pedir(**cabeceras)
        assert respuesta.status_code == 403
        assert set(respuesta.json()) == {"codigo", "mensaje"}


async def test_un_socket_solo_se_abre_desde_una_pagina_de_aqui() -> None:
    assert await abrir_socket(host=LOCAL, origin=f"http://{LOCAL}") == {"type": "websocket.accept"}
    for origen in ({}, {"origin": "http://fuera.invalid"}, {"origin": "http://127.0.0.1:1"}):
        respuesta = await abrir_socket(host=LOCAL, **origen)
        assert (respuesta["type"], respuesta["code"]) == ("websocket.close", WS_PROHIBIDO)


async def test_toda_respuesta_lleva_la_politica_y_la_nuestra_manda() -> None:
    for respuesta in (await pedir(), await pedir(host="fuera.invalid")):
        politica = respuesta.headers["content-security-policy"]
        assert "default-src 'self'" in politica and "frame-ancestors 'none'" in politica
        assert "'unsafe-eval'" not in politica
        assert "script-src 'self' blob: 'wasm-unsafe-eval' 'sha256-" in politica
        assert respuesta.headers.get_list("referrer-policy") == ["no-referrer"]
        assert respuesta.headers["x-content-type-options"] == "nosniff"


async def test_lo_que_escriben_otros_va_inerte_y_solo_lo_enmarca_una_pagina_de_aqui() -> None:
    vista = (await pedir("/api/artefactos/art_0/vista")).headers
    politica = vista["content-security-policy"].split("; ")
    assert politica[:4] == ["sandbox", "default-src 'none'", "style-src 'unsafe-inline'", "img-src data:"]
    assert "frame-ancestors 'self'" in politica and vista["x-frame-options"] == "SAMEORIGIN"
    fichero = (await pedir("/api/artefactos/art_0")).headers
    assert fichero["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert "frame-ancestors 'none'" in fichero["content-security-policy"]
    assert fichero["x-frame-options"] == "DENY"
    for cabeceras in (vista, fichero):
        assert cabeceras["x-content-type-options"] == "nosniff" and "script-src" not in str(cabeceras)


@pytest.mark.parametrize(
    "ruta",
    ["/", "/api/artefactos", "/api/artefactos/a/b/vista", "/vista", "/api/recorridos/x", "/api/eventos"],
)
async def test_nada_mas_se_puede_enmarcar(ruta: str) -> None:
    cabeceras = (await pedir(ruta)).headers
    assert cabeceras["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in cabeceras["content-security-policy"]
    assert cabeceras["cross-origin-opener-policy"] == "same-origin"
