"""The stand-in's agent: no model, but scripts that really call our MCP server and say «simulado» in what they write."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from app.hermes.curso import Agente, Curso
from app.hermes.mcp import ClienteMcp, FalloMcp
from app.hermes.memoria import Json

SALUDO_S = 60.0
REINTENTO_S = 2.0
FIRMA = "simulado"
_TRABAJO = re.compile(r"\btrabajo\W{1,5}(\d{1,18})\b", re.IGNORECASE)
_NONCE = re.compile(r"\b(?:nonce|marca)\W{1,5}([0-9A-Za-z_-]{8,64})\b", re.IGNORECASE)


class Marca(NamedTuple):
    """What the queue adds to the instructions so that proposals can be told apart: job and attempt."""

    trabajo: int
    nonce: str


def leer_marca(instrucciones: str) -> Marca | None:
    """The last one written, since the queue adds it at the end; None when there is none."""
    trabajos, nonces = _TRABAJO.findall(instrucciones), _NONCE.findall(instrucciones)
    return Marca(int(trabajos[-1]), nonces[-1]) if trabajos and nonces else None


class Mano:
    """The tools as a script uses them: each call goes to our server and is noted in the run's session."""

    def __init__(self, curso: Curso, mcp: ClienteMcp) -> None:
        self.encargo = curso.encargo
        self.marca = leer_marca(curso.encargo.instrucciones)
        self._curso = curso
        self._mcp = mcp

    async def llamar(self, nombre: str, argumentos: Mapping[str, object]) -> Json:
        """What the tool answers (`{"ok": …}`). Raises FalloMcp."""
        respuesta = await self._mcp.llamar(nombre, argumentos)
        self._curso.herramienta(json.dumps(respuesta, ensure_ascii=False)[:2000])
        return respuesta


class Guion(NamedTuple):
    """A script and the tools it needs: it is chosen when the token has them all."""

    herramientas: frozenset[str]
    actuar: Callable[[Mano], Awaitable[str]]


def crear_agente(url: str, token: str, guiones: tuple[Guion, ...]) -> Agente:
    """An agent that follows the first script whose tools are all there.

    Without our server, or without a script, it ends saying so and leaves nothing, as a real one would.
    """

    async def actuar(curso: Curso) -> str:
        try:
            async with ClienteMcp(url, token) as mcp:
                guion = next((g for g in guiones if g.herramientas <= set(mcp.herramientas)), None)
                if guion is None:
                    return f"[{FIRMA}] No sé hacer este encargo con las herramientas que tengo."
                return f"[{FIRMA}] {await guion.actuar(Mano(curso, mcp))}"
        except FalloMcp as error:
            curso.herramienta(f"Unknown tool: {error}")
            return f"[{FIRMA}] No he podido usar las herramientas: {error}."

    return actuar


async def saludar(url: str, token: str) -> None:
    """Say hello to our MCP server when starting and each minute, as our profiles of Hermes do. Never returns."""
    while True:
        pausa = SALUDO_S
        try:
            async with ClienteMcp(url, token):
                pass
        except FalloMcp:
            pausa = REINTENTO_S
        await asyncio.sleep(pausa)
