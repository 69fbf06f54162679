"""Who may talk to the web and what a browser may do with its answers: one ASGI layer before everything else."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.entrar import galletas
from app.entrar.acceso import Acceso
from app.entrar.hojas import POLITICA
from app.entrar.vivos import CIERRE, Conexion
from nucleo.configuracion import configuracion
from nucleo.personas.modelo import SesionViva

_NOMBRES_LOCALES = frozenset(("localhost", "127.0.0.1", "[::1]"))
_GUION_EN_LINEA = re.compile(r"<script>(.*?)</script>", re.DOTALL)
WS_PROHIBIDO = 4403


def politica_de_contenido() -> str:
    """The CSP for Streamlit's pages, with the hash of the inline script that its index.html carries today.

    blob: and wasm are what its own bundle loads; nothing outside this origin is ever allowed.
    """
    indice = (Path(streamlit.__file__).parent / "static" / "index.html").read_text("utf-8")
    huellas = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(guion.encode()).digest()).decode()}'"
        for guion in _GUION_EN_LINEA.findall(indice)
    )
    return (
        f"default-src 'self'; script-src 'self' blob: 'wasm-unsafe-eval' {huellas}; style-src 'self' 'unsafe-inline';"
        " img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:;"
        " frame-src 'self'; frame-ancestors 'none'; object-src 'none'; base-uri 'self'; form-action 'self'"
    )


COMUNES = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
}

_CON_FORMULARIOS = {"referrer-policy": "same-origin"}
"""Without any referrer, browsers send the origin of a form as «null», and ours would be taken for a stranger's."""
_INERTE = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""For files that somebody else wrote: nothing in them runs, reaches out or gets out of its frame."""
_ABIERTO = {"cross-origin-opener-policy": "unsafe-none"}
"""Browsers do not open a sandboxed document by itself together with any other opener policy."""
DE_ARTEFACTO = COMUNES | _ABIERTO | {"content-security-policy": f"{_INERTE}; frame-ancestors 'none'"}
DE_VISTA = (
    COMUNES
    | _ABIERTO
    | {"content-security-policy": f"{_INERTE}; frame-ancestors 'self'", "x-frame-options": "SAMEORIGIN"}
)
"""The inert view: the only thing that a page of ours, and no other, may frame."""
DE_ENTRADA = COMUNES | _CON_FORMULARIOS | {"content-security-policy": POLITICA, "cache-control": "no-store"}
DE_API = COMUNES | {"content-security-policy": "default-src 'none'; frame-ancestors 'none'"}
PUBLICAS = frozenset(("/entrar", "/entrar/clave", "/salir", "/_stcore/health", "/favicon.png"))
CON_CREDENCIAL = ("/api/", "/mcp")
"""Each request is asked who it is by what attends it; machines of the same network reach them by their names."""
RAMAS_PUBLICAS = ("/static/", *CON_CREDENCIAL)
LECTURAS = frozenset(("GET", "HEAD", "OPTIONS"))
_RUTA_DE_ARTEFACTO = re.compile(r"/api/artefactos/[^/]+(/vista)?/?")


class Puerta:
    """Refuses foreign hosts, foreign pages and nobodies, and signs every answer with the headers of its path.

    Checking Host stops a page elsewhere from reaching this machine under a name of its own (DNS rebinding); a
    WebSocket, or a request that changes something in a person's name, must come from a page of this very origin,
    since browsers let any page open one and send the other.
    """

    def __init__(self, app: ASGIApp, acceso: Acceso) -> None:
        self.app = app
        self._acceso = acceso
        self._de_paginas = COMUNES | _CON_FORMULARIOS | {"content-security-policy": politica_de_contenido()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through, or refuse: 403 for a request, code 4403 for a WebSocket."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        motivo = _motivo_de_rechazo(scope)
        firmado = _firmar(send, self._cabeceras_de(scope["path"]))
        if motivo is not None:
            await _negar(motivo, scope, receive, send if scope["type"] == "websocket" else firmado)
        elif scope["type"] == "websocket":
            await self._enchufar(scope, receive, send)
        elif es_publica(scope["path"]) or await self._sesion(scope) is not None:
            await self.app(scope, receive, firmado)
        else:
            await _a_la_entrada(scope)(scope, receive, firmado)

    async def _sesion(self, scope: Scope) -> SesionViva | None:
        """Who is logged in, and with a password that is theirs to keep."""
        sesion = await self._acceso.sesion(galletas.leer(HTTPConnection(scope)))
        return sesion if sesion is not None and not sesion.usuario.cambiar_clave else None

    async def _enchufar(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A socket of the pages lasts as long as its session."""
        sesion = await self._sesion(scope)
        if sesion is None:
            await receive()
            await send({"type": "websocket.close", "code": CIERRE, "reason": "sin sesion"})
            return
        conexion = Conexion(receive, send)
        with self._acceso.vivos.abierta(sesion.huella, conexion):
            await self.app(scope, conexion.receive, conexion.send)

    def _cabeceras_de(self, ruta: str) -> Mapping[str, str]:
        artefacto = _RUTA_DE_ARTEFACTO.fullmatch(ruta)
        if artefacto is not None:
            return DE_VISTA if artefacto[1] else DE_ARTEFACTO
        if ruta.startswith("/entrar"):
            return DE_ENTRADA
        return DE_API if ruta.startswith("/api/") else self._de_paginas


def es_publica(ruta: str) -> bool:
    """Paths that ask nobody for a session: the door itself, what asks for its own credentials, and the program's
    files, which are the same for all.
    """
    return ruta in PUBLICAS or ruta.startswith(RAMAS_PUBLICAS)


async def _negar(motivo: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": WS_PROHIBIDO, "reason": "origen no permitido"})
    else:
        await JSONResponse({"codigo": "origen_prohibido", "mensaje": motivo}, 403)(scope, receive, send)


def _a_la_entrada(scope: Scope) -> Response:
    """A page that somebody opens leads to the form and back; anything else is simply refused."""
    if scope["method"] != "GET" or Headers(scope=scope).get("sec-fetch-mode", "navigate") != "navigate":
        return JSONResponse(
            {"codigo": "sin_sesion", "mensaje": "Tu sesión ha terminado: entra otra vez."}, 401
        )
    consulta = scope["query_string"].decode("latin-1")
    return RedirectResponse(
        f"/entrar?ir={quote(scope['path'] + (f'?{consulta}' if consulta else ''), safe='/')}", 303
    )


def _firmar(send: Send, cabeceras: Mapping[str, str]) -> Send:
    async def enviar(mensaje: Message) -> None:
        if mensaje["type"] == "http.response.start":
            propias = MutableHeaders(scope=mensaje)
            for nombre, valor in cabeceras.items():
                propias[nombre] = valor
        await send(mensaje)

    return enviar


def _motivo_de_rechazo(scope: Scope) -> str | None:
    cabeceras = Headers(scope=scope)
    host = cabeceras.get("host", "")
    if not es_local(host) and host not in configuracion().anfitriones:
        return "Este servicio solo atiende en esta máquina: entra por 127.0.0.1 o localhost."
    origen = cabeceras.get("origin")
    segura = scope["scheme"] in {"https", "wss"}
    if not segura and not es_local(host) and not scope["path"].startswith(CON_CREDENCIAL):
        return "Fuera de esta máquina solo se entra por https: pon delante un proxy con su certificado."
    if origen is None and _habla_por_una_persona(scope, cabeceras):
        return "Falta el origen."
    if origen is not None and origen != f"{'https' if segura else 'http'}://{host}":
        return "La petición viene de otra página."
    return None


def _habla_por_una_persona(scope: Scope, cabeceras: Headers) -> bool:
    """What a browser could be made to send with the person's cookie, unlike a token, which no page elsewhere has."""
    if scope["type"] == "websocket":
        return True
    return scope["method"] not in LECTURAS and "authorization" not in cabeceras and "cookie" in cabeceras


def es_local(host: str) -> bool:
    """Whether a Host header (with or without port) names this machine's loopback."""
    nombre = re.sub(r":\d{1,5}$", "", host)
    if nombre in _NOMBRES_LOCALES:
        return True
    try:
        return ipaddress.IPv4Address(nombre).is_loopback
    except ValueError:
        return False
