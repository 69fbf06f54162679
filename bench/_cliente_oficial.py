"""Agents at once with the client of the official SDK, in a process of their own: `python -m bench._cliente_oficial`."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent

from bench._carga_mcp import CALENTAMIENTO, Encargo, pedido


async def agente(encargo: Encargo, token: str) -> list[float]:
    """Milliseconds of each call, until its answer is the SDK's own model."""
    azar = random.Random(token)
    tiempos = []
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
        Client(streamable_http_client(encargo.url, http_client=http)) as cliente,
    ):
        for llamada in range(CALENTAMIENTO + encargo.llamadas):
            await asyncio.sleep(azar.uniform(0.5, 1.5) * encargo.pausa_s)
            nombre, argumentos = pedido(azar, encargo.ids)
            inicio = time.perf_counter()
            resultado = await cliente.call_tool(nombre, argumentos)
            ms = 1000 * (time.perf_counter() - inicio)
            (contenido,) = resultado.content
            if not isinstance(contenido, TextContent) or not contenido.text.startswith('{"ok":true'):
                raise RuntimeError(str(resultado)[:500])
            if llamada >= CALENTAMIENTO:
                tiempos.append(ms)
    return tiempos


async def todos(encargo: Encargo) -> list[list[float]]:
    """Every agent at once."""
    return await asyncio.gather(*(agente(encargo, token) for token in encargo.tokens))


if __name__ == "__main__":
    print(json.dumps(asyncio.run(todos(Encargo.model_validate_json(sys.stdin.read())))))
