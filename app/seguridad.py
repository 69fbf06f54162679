"""Who may talk to the web and what a browser may do with its answers: one ASGI layer before everything else."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import re
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
        " frame-src 'none'; frame-ancestors 'none'; object-src 'none'; base-uri 'self'; form-action 'self'"
    )


class Puerta:
    """Refuses foreign hosts and cross-site sockets, and signs every answer with the security headers.

    Checking Host stops a page elsewhere from reaching this machine under a name of its own (DNS rebinding); a
    WebSocket must come from a page of this very origin, since browsers let any page open one.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.cabeceras = {
            "content-security-policy": politica_de_contenido(),
            "x-content-type-options": "nosniff",
            "x-frame-options": "DENY",
            "referrer-policy": "no-referrer",
            "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
            "cross-origin-opener-policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through, or refuse: 403 for a request, code 4403 for a WebSocket."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        motivo = _motivo_de_rechazo(scope)
        if motivo is None:
            await self.app(scope, receive, self._firmar(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": WS_PROHIBIDO, "reason": "origen no permitido"})
        else:
            respuesta = JSONResponse({"codigo": "origen_prohibido", "mensaje": motivo}, 403)
            await respuesta(scope, receive, self._firmar(send))

    def _firmar(self, send: Send) -> Send:
        async def enviar(mensaje: Message) -> None:
            if mensaje["type"] == "http.response.start":
                cabeceras = MutableHeaders(scope=mensaje)
                for nombre, valor in self.cabeceras.items():
                    cabeceras[nombre] = valor
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
