"""The guard refuses the outside and lets loopback through."""

from __future__ import annotations

import asyncio
import socket

import httpx
import pytest

from tests.guardia_red import RedProhibida

DOCUMENTACION = "192.0.2.1"  # RFC 5737: belongs to nobody


def test_conectar_fuera_esta_prohibido() -> None:
    with socket.socket() as enchufe, pytest.raises(RedProhibida):
        enchufe.connect((DOCUMENTACION, 80))


def test_resolver_un_nombre_ajeno_esta_prohibido() -> None:
    with pytest.raises(RedProhibida):
        httpx.get("http://ejemplo.invalid/")


async def test_tampoco_desde_asyncio() -> None:
    with pytest.raises(RedProhibida):
        await asyncio.open_connection("ejemplo.invalid", 80)


async def test_esta_maquina_vale() -> None:
    servidor = await asyncio.start_server(lambda _lee, escribe: escribe.close(), "127.0.0.1", 0)
    async with servidor:
        puerto = servidor.sockets[0].getsockname()[1]
        lector, escritor = await asyncio.open_connection("localhost", puerto)
        assert await lector.read() == b""
        escritor.close()
        await escritor.wait_closed()
