"""A guard that lets the tests' process talk to this machine only."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


class RedProhibida(RuntimeError):
    """A test tried to reach something that is not this machine. Not an OSError: no retry may hide it."""


def _es_local(anfitrion: object) -> bool:
    if isinstance(anfitrion, bytes):
        anfitrion = anfitrion.decode()
    if anfitrion in (None, "", "localhost"):
        return True
    try:
        direccion = ipaddress.ip_address(str(anfitrion))
    except ValueError:
        return False
    return direccion.is_loopback or direccion.is_unspecified


def _exigir_local(familia: int, destino: object) -> None:
    if familia not in (socket.AF_INET, socket.AF_INET6):
        return
    anfitrion = destino[0] if isinstance(destino, tuple) else destino
    if not _es_local(anfitrion):
        raise RedProhibida(f"una prueba ha intentado conectar con {anfitrion!r}; solo vale esta máquina")


@contextmanager
def solo_esta_maquina() -> Iterator[None]:
    """Inside, connect/sendto outside loopback and name resolution other than localhost raise RedProhibida."""
    resolver = socket.getaddrinfo
    with pytest.MonkeyPatch.context() as parche:
        for nombre in ("connect", "connect_ex"):
            original = getattr(socket.socket, nombre)

            def conectar(self: socket.socket, destino: object, _original: object = original) -> object:
                _exigir_local(self.family, destino)
                return _original(self, destino)  # type: ignore[operator]

            parche.setattr(socket.socket, nombre, conectar)

        def resolver_local(host: object, *resto: object, **opciones: object) -> object:
            if not _es_local(host):
                raise RedProhibida(f"una prueba ha intentado resolver {host!r}; solo vale esta máquina")
            return resolver(host, *resto, **opciones)  # type: ignore[arg-type]

        parche.setattr(socket, "getaddrinfo", resolver_local)
        yield
