"""The door of /mcp: only POST, only with the token of an agent that is not revoked; everyone else gets the same 401."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.mcp.trabajadores import Trabajadores
from nucleo.agentes.modelo import Agente
from nucleo.agentes.servicio import autenticar
from nucleo.reloj import Reloj

CLAVE = "sobre.agente"
"""Where the request's scope carries the agent for what comes after the door."""

REGISTRO = logging.getLogger(__name__)


class Acceso:
    """ASGI layer: who you are is asked before what you want, and before reading what you send."""

    def __init__(self, app: ASGIApp, trabajadores: Trabajadores, reloj: Reloj) -> None:
        self._app = app
        self._trabajadores = trabajadores
        self._reloj = reloj

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets an agent's POST through."""
        agente = await self._quien(Headers(scope=scope))
        if agente is None:
            await _sin_token()(scope, receive, send)
        elif scope["method"] != "POST":
            # Without sessions there is no stream to open (GET) nor session to end (DELETE).
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
        else:
            await self._app({**scope, CLAVE: agente}, receive, send)

    async def _quien(self, cabeceras: Headers) -> Agente | None:
        dado = token_de(cabeceras.getlist("authorization"))
        return await self._trabajadores.leer(lambda con: autenticar(con, dado, self._reloj()))


def token_de(autorizaciones: Sequence[str]) -> str | None:
    """The token that those Authorization headers carry; two of them are none."""
    esquema, _, token = autorizaciones[0].partition(" ") if len(autorizaciones) == 1 else ("", "", "")
    return token.strip() if esquema.lower() == "bearer" else None


def _sin_token() -> JSONResponse:
    REGISTRO.warning("llamada a /mcp sin un token que valga")
    return JSONResponse(
        {"codigo": "sin_token", "mensaje": "Hace falta el token de un agente."},
        401,
        {"WWW-Authenticate": 'Bearer realm="sobre", error="invalid_token"'},
    )
