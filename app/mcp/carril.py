"""An ordinary call to a tool that reads is answered here; everything else goes on to the door and the SDK.

The SDK keeps no sessions here and still builds a transport, with its streams and tasks, for each request; nearly every
request of an agent is a call to such a tool, and that one needs none of it.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from mcp.server.streamable_http import check_accept_headers
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.mcp.acceso import token_de
from app.mcp.pedidos import con_error, con_resultado, reconocer
from app.mcp.protocolo import Protocolo
from nucleo.agentes.servicio import autenticar

CUERPO_MAX = 65_536
"""Bytes of a request beyond which it is not ordinary: the web server holds as many whoever sends them."""


class Respuesta(NamedTuple):
    """What is sent back."""

    cuerpo: bytes
    estado: int


class Carril:
    """ASGI layer before the door. Who asks and what is asked are looked at in one turn of a worker thread, in order."""

    def __init__(
        self,
        app: ASGIApp,
        protocolo: Protocolo,
        seguridad: TransportSecuritySettings,
        identidad: dict[str, object],
    ) -> None:
        """`identidad`: how the server says who it is in the answers that carry it."""
        self._app = app
        self._protocolo = protocolo
        self._seguridad = TransportSecurityMiddleware(seguridad)
        self._identidad = identidad

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer it, or pass it on as it came."""
        cabeceras = await self._corrientes(scope)
        if cabeceras is None:
            await self._app(scope, receive, send)
            return
        mensajes = await _leer(receive)
        cuerpo = b"".join(m.get("body", b"") for m in mensajes)
        respuesta = await self._protocolo.trabajadores.leer(lambda con: self._atender(con, cabeceras, cuerpo))
        if respuesta is None:
            await self._app(scope, _releer(mensajes, receive), send)
        else:
            await _enviar(respuesta, send)

    async def _corrientes(self, scope: Scope) -> dict[str, str] | None:
        """The headers, when nothing in them is unusual or refused and the body that they announce is short."""
        cabeceras = {nombre.decode("latin-1"): valor.decode("latin-1") for nombre, valor in scope["headers"]}
        largo = cabeceras.get("content-length", "")
        if len(cabeceras) != len(scope["headers"]) or not (largo.isdecimal() and len(largo) < 8):
            return None
        if scope["method"] != "POST" or int(largo) > CUERPO_MAX:
            return None
        peticion = Request(scope)
        if cabeceras.get("content-type") != "application/json" or not check_accept_headers(peticion)[0]:
            return None
        return cabeceras if await self._seguridad.validate_request(peticion) is None else None

    def _atender(self, con: sqlite3.Connection, cabeceras: dict[str, str], cuerpo: bytes) -> Respuesta | None:
        """None when it is not for here: nobody that may come in, or something else than an ordinary call to read."""
        agente = autenticar(con, token_de([cabeceras.get("authorization", "")]), self._protocolo.reloj())
        pedido = reconocer(cabeceras, cuerpo) if agente is not None else None
        if agente is None or pedido is None or not self._protocolo.es_inmediata(pedido.nombre):
            return None
        try:
            texto = self._protocolo.ejecutar(con, agente, pedido.nombre, pedido.argumentos)
        except MCPError as error:
            return Respuesta(*con_error(pedido, error.error))
        return Respuesta(con_resultado(pedido, texto, self._identidad), 200)


async def _leer(receive: Receive) -> list[Message]:
    """Until the body ends (the web server sees that it is as long as announced) or whoever sends it leaves."""
    mensajes = [await receive()]
    while mensajes[-1]["type"] == "http.request" and mensajes[-1].get("more_body", False):
        mensajes.append(await receive())
    return mensajes


def _releer(mensajes: Iterable[Message], receive: Receive) -> Receive:
    quedan = deque(mensajes)

    async def recibir() -> Message:
        return quedan.popleft() if quedan else await receive()

    return recibir


async def _enviar(respuesta: Respuesta, send: Send) -> None:
    cabeceras = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(respuesta.cuerpo))]
    await send({"type": "http.response.start", "status": respuesta.estado, "headers": cabeceras})
    await send({"type": "http.response.body", "body": respuesta.cuerpo})
