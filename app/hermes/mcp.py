"""Calls to an MCP server over streamable HTTP, in plain JSON-RPC: what the stand-in needs and no more."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import count
from types import TracebackType
from typing import Self

import httpx

from app.hermes.memoria import Json

PROTOCOLO = "2025-06-18"
CUERPO_MAXIMO = 8 * 2**20


class FalloMcp(Exception):
    """The server cannot be reached, refuses the token or does not know the tool; the message is for people."""


class ClienteMcp:
    """Asynchronous context manager: opening it says hello to the server and learns which tools the token has."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url
        self._http = httpx.AsyncClient(
            headers={
                "Authorization": f"Bearer {token}",
                "Accept": "application/json, text/event-stream",
                "User-Agent": "hermes-simulado",
            },
            timeout=60.0,
            trust_env=False,
        )
        self._numeros = count(1)
        self._sesion: dict[str, str] = {}
        self.herramientas: tuple[str, ...] = ()

    async def __aenter__(self) -> Self:
        """Raises FalloMcp."""
        try:
            await self._presentarse()
        except BaseException:
            await self._http.aclose()
            raise
        return self

    async def __aexit__(
        self, tipo: type[BaseException] | None, error: BaseException | None, traza: TracebackType | None
    ) -> None:
        """Close every connection."""
        await self._http.aclose()

    async def _presentarse(self) -> None:
        await self._pedir(
            "initialize",
            {
                "protocolVersion": PROTOCOLO,
                "capabilities": {},
                "clientInfo": {"name": "hermes-simulado", "version": "0"},
            },
        )
        await self._enviar({"jsonrpc": "2.0", "method": "notifications/initialized"})
        listadas = (await self._pedir("tools/list", {})).get("tools")
        if not isinstance(listadas, list):
            raise FalloMcp("el servidor MCP no dice qué herramientas tiene")
        self.herramientas = tuple(str(h["name"]) for h in listadas if isinstance(h, dict))

    async def llamar(self, nombre: str, argumentos: Mapping[str, object]) -> Json:
        """What the tool answers, as an object. Raises FalloMcp when there is no such tool or it breaks."""
        resultado = await self._pedir("tools/call", {"name": nombre, "arguments": dict(argumentos)})
        estructurado = resultado.get("structuredContent")
        textos = [c.get("text") for c in _lista(resultado.get("content")) if c.get("type") == "text"]
        if resultado.get("isError"):
            raise FalloMcp(f"{nombre}: {textos[0] if textos else 'ha fallado'}")
        if not isinstance(estructurado, dict):
            estructurado = _objeto(str(textos[0]) if textos else "")
        return estructurado

    async def _pedir(self, metodo: str, parametros: Mapping[str, object]) -> Json:
        numero = next(self._numeros)
        respuesta = await self._enviar(
            {"jsonrpc": "2.0", "id": numero, "method": metodo, "params": parametros}
        )
        for mensaje in _mensajes(respuesta):
            if mensaje.get("id") == numero:
                error, resultado = mensaje.get("error"), mensaje.get("result")
                if isinstance(error, dict):
                    raise FalloMcp(f"{metodo}: {error.get('message')}")
                return resultado if isinstance(resultado, dict) else {}
        raise FalloMcp(f"{metodo}: el servidor MCP no contesta")

    async def _enviar(self, mensaje: Json) -> httpx.Response:
        try:
            respuesta = await self._http.post(self._url, json=mensaje, headers=self._sesion)
        except httpx.HTTPError as error:
            raise FalloMcp(f"no hay servidor MCP en {self._url}") from error
        if respuesta.status_code not in (200, 202) or len(respuesta.content) > CUERPO_MAXIMO:
            raise FalloMcp(f"el servidor MCP contesta {respuesta.status_code}")
        if "mcp-session-id" in respuesta.headers:
            self._sesion = {"Mcp-Session-Id": respuesta.headers["mcp-session-id"]}
        return respuesta


def _mensajes(respuesta: httpx.Response) -> list[Json]:
    """The JSON-RPC messages of an answer, which may come as one document or as a stream of events."""
    if not respuesta.headers.get("content-type", "").startswith("text/event-stream"):
        return [_objeto(respuesta.text)]
    datos = (linea[5:] for linea in respuesta.text.splitlines() if linea.startswith("data:"))
    return [_objeto(dato) for dato in datos]


def _objeto(texto: str) -> Json:
    try:
        leido = json.loads(texto)
    except ValueError as error:
        raise FalloMcp("el servidor MCP contesta algo que no es JSON") from error
    return leido if isinstance(leido, dict) else {"resultado": leido}


def _lista(valor: object) -> list[Json]:
    return [v for v in valor if isinstance(v, dict)] if isinstance(valor, list) else []
