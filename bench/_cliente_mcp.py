"""Twenty agents at once against one server, in a process of their own: `python -m bench._cliente_mcp URL TOKEN…`."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time

import httpx

LLAMADAS = 30
"""Calls of each agent that count; the first ones, while everything warms up, do not."""
CALENTAMIENTO = 3
CABECERAS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-11-25",
}


async def agente(url: str, token: str, pausa_s: float, ids: list[str]) -> list[float]:
    """Milliseconds of each call. Between calls it waits about `pausa_s`, as a model thinks."""
    azar = random.Random(token)
    tiempos = []
    async with httpx.AsyncClient(
        headers=CABECERAS | {"Authorization": f"Bearer {token}"}, timeout=60
    ) as cliente:
        for numero in range(CALENTAMIENTO + LLAMADAS):
            await asyncio.sleep(azar.uniform(0.5, 1.5) * pausa_s)
            nombre, argumentos = _pedido(azar, ids)
            cuerpo = {
                "jsonrpc": "2.0", "id": numero, "method": "tools/call",
                "params": {"name": nombre, "arguments": argumentos},
            }  # fmt: skip
            inicio = time.perf_counter()
            respuesta = await cliente.post(url, json=cuerpo)
            ms = 1000 * (time.perf_counter() - inicio)
            if not respuesta.json()["result"]["content"][0]["text"].startswith('{"ok":true'):
                raise RuntimeError(respuesta.text[:500])
            if numero >= CALENTAMIENTO:
                tiempos.append(ms)
    return tiempos


def _pedido(azar: random.Random, ids: list[str]) -> tuple[str, dict[str, object]]:
    una = {"id": azar.choice(ids)}
    return azar.choice(
        [
            (
                "licitaciones_buscar",
                {"texto": azar.choice(("servicio", "obras", "suministro")), "limite": 20},
            ),
            ("licitacion_ver", una),
            ("licitacion_versiones", una),
            ("licitacion_documentos", una),
        ]
    )


async def todos(url: str, pausa_s: float, tokens: list[str], ids: list[str]) -> list[list[float]]:
    """Every agent at once."""
    return await asyncio.gather(*(agente(url, token, pausa_s, ids) for token in tokens))


if __name__ == "__main__":
    pedido = json.load(sys.stdin)
    print(json.dumps(asyncio.run(todos(**pedido))))
