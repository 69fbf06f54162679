"""The door of the web: only this machine, only its own pages, and every answer with its headers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from app.entrar.acceso import Acceso
from app.entrar.galletas import NOMBRE, NOMBRE_SEGURO
from app.entrar.vivos import CIERRE
from app.seguridad import WS_PROHIBIDO, Puerta, es_local
from nucleo.configuracion import configuracion
from nucleo.personas.modelo import Rol
from tests.app.servidor import con_sesion

LOCAL = "127.0.0.1:8080"


async def pasa(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that says yes to whatever reaches it."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"referrer-policy", b"origin")]})
    await send({"type": "http.response.body", "body": b"dentro"})


class Probador(NamedTuple):
    """The door over an installation where somebody has logged in."""

    puerta: Puerta
    sesion: str

    async def pedir(
        self, ruta: str = "/", metodo: str = "GET", base: str = f"http://{LOCAL}", **cabeceras: str
    ) -> httpx.Response:
        """As that person, unless the headers say otherwise."""
        transporte = httpx.ASGITransport(app=self.puerta)
        galleta = {"cookie": f"{NOMBRE}={self.sesion}; {NOMBRE_SEGURO}={self.sesion}"}
        async with httpx.AsyncClient(transport=transporte, base_url=base) as cliente:
            return await cliente.request(metodo, ruta, headers=galleta | cabeceras)

    async def abrir_socket(self, **cabeceras: str) -> Message:
        """The first answer to a WebSocket with those headers, as that person."""
        return await _abrir_socket(self.puerta, {"cookie": f"{NOMBRE}={self.sesion}"} | cabeceras)


@pytest.fixture
async def probador(datos: Path) -> AsyncIterator[Probador]:
    """Over an empty installation."""
    acceso = Acceso()
    async with acceso.vida(datos):
        yield Probador(Puerta(pasa, acceso), con_sesion(datos, "encargada", Rol.ADMIN))


async def _abrir_socket(puerta: Puerta, cabeceras: dict[str, str]) -> Message:
    dicho: list[Message] = []

    async def recibir() -> Message:
        return {"type": "websocket.connect"}

    async def enviar(mensaje: Message) -> None:
        dicho.append(mensaje)

    crudas = [(k.encode(), v.encode()) for k, v in cabeceras.items()]
    scope = {
        "type": "websocket",
        "path": "/_stcore/stream",
        "scheme": "ws",
        "query_string": b"",
        "headers": crudas,
    }
    await puerta(scope, recibir, enviar)
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


async def test_otro_host_u_otro_origen_no_pasan(probador: Probador) -> None:
    assert (await probador.pedir()).text == "dentro"
    assert (await probador.pedir(origin=f"http://{LOCAL}")).status_code == 200
    for cabeceras in ({"host": "fuera.invalid"}, {"origin": "http://fuera.invalid"}, {"origin": "null"}):
        respuesta = await probador.pedir(**cabeceras)
        assert respuesta.status_code == 403
        assert set(respuesta.json()) == {"codigo", "mensaje"}


async def test_un_socket_solo_se_abre_desde_una_pagina_de_aqui(probador: Probador) -> None:
    assert await probador.abrir_socket(host=LOCAL, origin=f"http://{LOCAL}") == {"type": "websocket.accept"}
    for origen in ({}, {"origin": "http://fuera.invalid"}, {"origin": "http://127.0.0.1:1"}):
        respuesta = await probador.abrir_socket(host=LOCAL, **origen)
        assert (respuesta["type"], respuesta["code"]) == ("websocket.close", WS_PROHIBIDO)


async def test_toda_respuesta_lleva_la_politica_y_la_nuestra_manda(probador: Probador) -> None:
    for respuesta in (await probador.pedir(), await probador.pedir(host="fuera.invalid")):
        politica = respuesta.headers["content-security-policy"]
        assert "default-src 'self'" in politica and "frame-ancestors 'none'" in politica
        assert "'unsafe-eval'" not in politica
        assert "script-src 'self' blob: 'wasm-unsafe-eval' 'sha256-" in politica
        assert respuesta.headers.get_list("referrer-policy") == ["same-origin"]
        assert respuesta.headers["x-content-type-options"] == "nosniff"


async def test_lo_que_escriben_otros_va_inerte_y_solo_lo_enmarca_una_pagina_de_aqui(
    probador: Probador,
) -> None:
    vista = (await probador.pedir("/api/artefactos/art_0/vista")).headers
    politica = vista["content-security-policy"].split("; ")
    assert politica[:4] == ["sandbox", "default-src 'none'", "style-src 'unsafe-inline'", "img-src data:"]
    assert "frame-ancestors 'self'" in politica and vista["x-frame-options"] == "SAMEORIGIN"
    fichero = (await probador.pedir("/api/artefactos/art_0")).headers
    assert fichero["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert "frame-ancestors 'none'" in fichero["content-security-policy"]
    assert fichero["x-frame-options"] == "DENY"
    for cabeceras in (vista, fichero):
        assert cabeceras["x-content-type-options"] == "nosniff" and "script-src" not in str(cabeceras)


@pytest.mark.parametrize(
    "ruta",
    ["/", "/api/artefactos", "/api/artefactos/a/b/vista", "/vista", "/api/recorridos/x", "/api/eventos"],
)
async def test_nada_mas_se_puede_enmarcar(probador: Probador, ruta: str) -> None:
    cabeceras = (await probador.pedir(ruta)).headers
    assert cabeceras["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in cabeceras["content-security-policy"]
    assert cabeceras["cross-origin-opener-policy"] == "same-origin"


async def test_sin_sesion_una_pagina_lleva_a_la_entrada_y_lo_demas_se_niega(probador: Probador) -> None:
    pagina = await probador.pedir("/?vista=licitacion&id=a%2Fb", cookie="")
    assert pagina.status_code == 303
    assert pagina.headers["location"] == "/entrar?ir=/%3Fvista%3Dlicitacion%26id%3Da%252Fb"
    for ruta in ("/_stcore/host-config", "/media/x", "/component/x", "/_stcore/upload_file/a/b"):
        negada = await probador.pedir(ruta, cookie="", **{"sec-fetch-mode": "cors"})
        assert (negada.status_code, negada.json()["codigo"]) == (401, "sin_sesion")
    suya = f"http://{LOCAL}"
    assert (await probador.pedir("/", "POST", cookie="", origin=suya)).status_code == 401
    assert (await probador.pedir("/", cookie=f"{NOMBRE}=otra-cosa")).status_code == 303
    assert (await probador.pedir("/")).text == "dentro"


@pytest.mark.parametrize("ruta", ["/static/a.js", "/api/licitaciones", "/mcp", "/entrar", "/_stcore/health"])
async def test_la_entrada_los_ficheros_y_lo_que_pregunta_por_su_cuenta_no_piden_sesion(
    probador: Probador, ruta: str
) -> None:
    assert (await probador.pedir(ruta, cookie="")).text == "dentro"


async def test_un_socket_sin_sesion_se_cierra_y_lo_dice(probador: Probador) -> None:
    for galleta in ("", f"{NOMBRE}=otra-cosa"):
        respuesta = await probador.abrir_socket(host=LOCAL, origin=f"http://{LOCAL}", cookie=galleta)
        assert (respuesta["type"], respuesta["code"]) == ("websocket.close", CIERRE)


@pytest.mark.parametrize("metodo", ["POST", "PUT", "PATCH", "DELETE"])
async def test_cambiar_algo_con_la_sesion_exige_venir_de_una_pagina_de_aqui(
    probador: Probador, metodo: str
) -> None:
    for ruta in ("/salir", "/api/recorridos", "/_stcore/upload_file/a/b"):
        assert (await probador.pedir(ruta, metodo)).status_code == 403
        assert (await probador.pedir(ruta, metodo, origin="null")).status_code == 403
        assert (await probador.pedir(ruta, metodo, origin=f"http://{LOCAL}")).text == "dentro"


async def test_fuera_de_esta_maquina_las_personas_solo_entran_por_https(
    probador: Probador, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOBRE_ANFITRIONES", "sobre.invalid")
    configuracion.cache_clear()
    assert (await probador.pedir("/", base="http://sobre.invalid")).status_code == 403
    assert (await probador.pedir("/entrar", base="http://sobre.invalid", cookie="")).status_code == 403
    assert (await probador.pedir("/", base="https://sobre.invalid")).text == "dentro"
    assert (await probador.pedir("/mcp", base="http://sobre.invalid", cookie="")).text == "dentro"
    ajeno = await probador.pedir("/", base="https://sobre.invalid", origin="http://sobre.invalid")
    assert ajeno.status_code == 403
