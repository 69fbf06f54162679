"""How a connection is opened: names are resolved here, every address is checked, and a checked one is connected to.

The address that was checked is the one that is used, so a name that changes between the two (DNS rebinding) gains
nothing. TLS still verifies the host name: httpcore takes it from the URL, not from the address.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import httpcore

from nucleo.errores import DestinoProhibido
from nucleo.red.destinos import Politica
from nucleo.red.direcciones import es_de_esta_maquina, motivo_de_rechazo

Resolver = Callable[[str, int], Awaitable[list[str]]]
"""Host and port → addresses as text, in order of preference."""


async def resolver_del_sistema(host: str, puerto: int) -> list[str]:
    """The addresses that this machine's resolver gives. Raises httpcore.ConnectError when it gives none."""
    bucle = asyncio.get_running_loop()
    try:
        hallado = await bucle.getaddrinfo(host, puerto, type=socket.SOCK_STREAM)
    except OSError as error:
        raise httpcore.ConnectError(f"no se encuentra {host}") from error
    return list(dict.fromkeys(str(sitio[0]) for *_, sitio in hallado))


class ConexionComprobada(httpcore.AsyncNetworkBackend):
    """Opens TCP connections to checked addresses only."""

    def __init__(self, politica: Politica, resolver: Resolver) -> None:
        self._politica = politica
        self._resolver = resolver
        self._base = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first checked address that answers; raises DestinoProhibido if any must not be reached."""
        direcciones = await self._resolver(host, port)
        _comprobar(host, port, direcciones, self._politica)
        fallo: Exception = httpcore.ConnectError(f"no se encuentra {host}")
        for direccion in direcciones:
            try:
                return await self._base.connect_tcp(direccion, port, timeout, local_address, socket_options)
            except (httpcore.NetworkError, httpcore.TimeoutException) as error:
                fallo = error
        raise fallo

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.AsyncNetworkStream:
        """Never: a socket file is not the network."""
        raise DestinoProhibido("No se abren sockets locales.")

    async def sleep(self, seconds: float) -> None:
        """As the base does."""
        await self._base.sleep(seconds)


def _comprobar(host: str, puerto: int, direcciones: list[str], politica: Politica) -> None:
    """One bad address among several refuses the name: it is not what it claims to be."""
    es_local = any((o.host, o.puerto) == (host, puerto) for o in politica.locales)
    for direccion in direcciones:
        if es_local and es_de_esta_maquina(direccion):
            continue
        motivo = "no es de esta máquina" if es_local else motivo_de_rechazo(direccion)
        if motivo is not None:
            raise DestinoProhibido(f"{host} lleva a una dirección que {motivo}: no se conecta.")
