"""A small MCP server with one token per agent and one tool, `guardar`, that keeps what it is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.hermes.servir import servir

Json = dict[str, object]
HERRAMIENTA: Json = {
    "name": "guardar",
    "description": "Guarda una propuesta.",
    "inputSchema": {"type": "object", "properties": {"payload": {"type": "object"}}, "required": ["payload"]},
}


@dataclass
class McpMinimo:
    """`tokens`: token → agent. `guardado`: (agent, arguments) of each call. `saludos`: agents that listed the tools."""

    tokens: Mapping[str, str]
    guardado: list[tuple[str, Json]] = field(default_factory=list)
    saludos: list[str] = field(default_factory=list)
    rechazos: int = 0
    url: str = ""

    async def atender(self, peticion: Request) -> Response:
        """One JSON-RPC message, answered as one document."""
        agente = self.tokens.get(peticion.headers.get("authorization", "").removeprefix("Bearer "))
        if agente is None:
            self.rechazos += 1
            return JSONResponse({"error": "invalid_token"}, 401)
        if peticion.method != "POST":
            return Response(status_code=405)
        mensaje = await peticion.json()
        if "id" not in mensaje:
            return Response(status_code=202)
        parametros = mensaje.get("params") or {}
        cabeza = {"jsonrpc": "2.0", "id": mensaje["id"]}
        if mensaje["method"] == "tools/call" and parametros["name"] != HERRAMIENTA["name"]:
            return JSONResponse({**cabeza, "error": {"code": -32602, "message": "Unknown tool"}})
        return JSONResponse({**cabeza, "result": self._resultado(agente, mensaje["method"], parametros)})

    def _resultado(self, agente: str, metodo: str, parametros: Json) -> Json:
        match metodo:
            case "initialize":
                return {
                    "protocolVersion": parametros["protocolVersion"],
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "minimo", "version": "0"},
                }
            case "tools/list":
                self.saludos.append(agente)
                return {"tools": [HERRAMIENTA]}
            case "tools/call":
                argumentos = parametros.get("arguments")
                self.guardado.append((agente, argumentos if isinstance(argumentos, dict) else {}))
                return {"content": [{"type": "text", "text": '{"ok": true}'}]}
        return {}


@contextmanager
def mcp_minimo(tokens: Mapping[str, str]) -> Iterator[McpMinimo]:
    """Serve it on a free port until the end of the block."""
    minimo = McpMinimo(tokens)
    metodos = ["GET", "HEAD", "POST", "DELETE"]
    with servir(Starlette(routes=[Route("/mcp", minimo.atender, methods=metodos)])) as base:
        minimo.url = f"{base}/mcp"
        yield minimo
