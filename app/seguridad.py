"""Who may talk to the web and what a browser may do with its answers: one ASGI layer before everything else."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import re
from collections.abc import Mapping
from pathlib import Path

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nucleo.configuracion import configuracion

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
DE_API = COMUNES | {"content-security-policy": "default-src 'none'; frame-ancestors 'none'"}
_RUTA_DE_ARTEFACTO = re.compile(r"/api/artefactos/[^/]+(/vista)?/?")


class Puerta:
    """Refuses foreign hosts and cross-site sockets, and signs every answer with the security headers of its path.

    Checking Host stops a page elsewhere from reaching this machine under a name of its own (DNS rebinding); a
    WebSocket must come from a page of this very origin, since browsers let any page open one.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._de_paginas = COMUNES | {"content-security-policy": politica_de_contenido()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through, or refuse: 403 for a request, code 4403 for a WebSocket."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        motivo = _motivo_de_rechazo(scope)
        firmado = _firmar(send, self._cabeceras_de(scope["path"]))
        if motivo is None:
            await self.app(scope, receive, firmado)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": WS_PROHIBIDO, "reason": "origen no permitido"})
        else:
            respuesta = JSONResponse({"codigo": "origen_prohibido", "mensaje": motivo}, 403)
            await respuesta(scope, receive, firmado)

    def _cabeceras_de(self, ruta: str) -> Mapping[str, str]:
        artefacto = _RUTA_DE_ARTEFACTO.fullmatch(ruta)
        if artefacto is not None:
            return DE_VISTA if artefacto[1] else DE_ARTEFACTO
        return DE_API if ruta.startswith("/api/") else self._de_paginas


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
    if scope["type"] == "websocket" and origen is None:
        return "Falta el origen."
    if origen is not None and origen != f"http://{host}":
        return "La petición viene de otra página."
    return None


def es_local(host: str) -> bool:
    """Whether a Host header (with or without port) names this machine's loopback."""
    nombre = re.sub(r":\d{1,5}$", "", host)
    if nombre in _NOMBRES_LOCALES:
        return True
    try:
        return ipaddress.IPv4Address(nombre).is_loopback
    except ValueError:
        return False
