"""Agents at once against one server, in a process of their own that spends little: `python -m bench._cliente_mcp`.

Each one keeps a connection and sends, byte for byte, what a client of the official SDK would; half of them speak the
versions with handshake (what most agents have today) and half the one without.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from urllib.parse import urlsplit

from bench._carga_mcp import CALENTAMIENTO, Encargo, pedido

CON_SALUDO = "2025-11-25"
SIN_SALUDO = "2026-07-28"
_META = "io.modelcontextprotocol"
SOBRE = {
    f"{_META}/protocolVersion": SIN_SALUDO,
    f"{_META}/clientInfo": {"name": "mcp", "version": "0.1.0"},
    f"{_META}/clientCapabilities": {},
}


async def agente(encargo: Encargo, numero: int) -> list[float]:
    """Milliseconds of each call. Between calls it waits about `pausa_s`, as a model thinks."""
    token = encargo.tokens[numero]
    azar = random.Random(token)
    sitio = urlsplit(encargo.url)
    lector, escritor = await asyncio.open_connection(sitio.hostname, sitio.port)
    tiempos = []
    for llamada in range(CALENTAMIENTO + encargo.llamadas):
        await asyncio.sleep(azar.uniform(0.5, 1.5) * encargo.pausa_s)
        nombre, argumentos = pedido(azar, encargo.ids)
        peticion = _peticion(encargo.url, token, (llamada, nombre, argumentos), moderno=numero % 2 == 1)
        inicio = time.perf_counter()
        escritor.write(peticion)
        respuesta = json.loads(await _cuerpo(lector))
        ms = 1000 * (time.perf_counter() - inicio)
        if not respuesta["result"]["content"][0]["text"].startswith('{"ok":true'):
            raise RuntimeError(str(respuesta)[:500])
        if llamada >= CALENTAMIENTO:
            tiempos.append(ms)
    escritor.close()
    return tiempos


def _peticion(url: str, token: str, llamada: tuple[int, str, dict[str, object]], *, moderno: bool) -> bytes:
    numero, nombre, argumentos = llamada
    params: dict[str, object] = {"name": nombre, "arguments": argumentos}
    propias = [f"mcp-protocol-version: {CON_SALUDO}"]
    if moderno:
        params["_meta"] = SOBRE
        propias = [f"mcp-protocol-version: {SIN_SALUDO}", "mcp-method: tools/call", f"mcp-name: {nombre}"]
    mensaje = {"jsonrpc": "2.0", "id": numero, "method": "tools/call", "params": params}
    cuerpo = json.dumps(mensaje, separators=(",", ":")).encode()
    sitio = urlsplit(url)
    cabeceras = [
        f"POST {sitio.path} HTTP/1.1",
        f"host: {sitio.netloc}",
        "accept-encoding: gzip, deflate",
        "connection: keep-alive",
        "user-agent: python-httpx2/2.16.2",
        f"authorization: Bearer {token}",
        "accept: application/json, text/event-stream",
        "content-type: application/json",
        *propias,
        f"content-length: {len(cuerpo)}",
    ]
    return "\r\n".join([*cabeceras, "", ""]).encode() + cuerpo


async def _cuerpo(lector: asyncio.StreamReader) -> bytes:
    """Of the next answer. Raises RuntimeError when it is not a 200."""
    cabecera = (await lector.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    if not cabecera.startswith("http/1.1 200"):
        raise RuntimeError(cabecera)
    largo = cabecera.partition("content-length:")[2].partition("\r\n")[0]
    return await lector.readexactly(int(largo))


async def todos(encargo: Encargo) -> list[list[float]]:
    """Every agent at once."""
    return await asyncio.gather(*(agente(encargo, n) for n in range(len(encargo.tokens))))


if __name__ == "__main__":
    print(json.dumps(asyncio.run(todos(Encargo.model_validate_json(sys.stdin.read())))))
