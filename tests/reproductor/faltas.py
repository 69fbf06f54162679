"""The faults: each is a function that answers one request in its own wrong way."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from io import BufferedIOBase
from threading import Event
from typing import Protocol


class Manejador(Protocol):
    """What a fault needs of the request handler."""

    wfile: BufferedIOBase
    close_connection: bool

    def responder(self, estado: int, cuerpo: bytes, cabeceras: dict[str, str]) -> None:
        """A whole answer."""

    def send_response(self, code: int, message: str | None = None) -> None:
        """Status line."""

    def send_header(self, keyword: str, value: str) -> None:
        """One header."""

    def end_headers(self) -> None:
        """Blank line."""


Falta = Callable[[Manejador, bytes, Event], None]
"""Handler, what the path would have served, and an event that is set when the server stops."""

PAGINA_DE_AVISO = (
    b"<!DOCTYPE html><html><head><title>Aviso</title></head><body><p>Servicio no disponible</body></html>"
)


def _empezar(manejador: Manejador, cabeceras: dict[str, str]) -> None:
    manejador.send_response(200)
    for nombre, valor in cabeceras.items():
        manejador.send_header(nombre, valor)
    manejador.end_headers()


def html_con_200(manejador: Manejador, cuerpo: bytes, parado: Event) -> None:
    """A notice for people, with status 200."""
    manejador.responder(200, PAGINA_DE_AVISO, {"Content-Type": "text/html"})


def cortada_por_longitud(manejador: Manejador, cuerpo: bytes, parado: Event) -> None:
    """Content-Length promises all of it; half is sent and the connection closes."""
    _empezar(manejador, {"Content-Type": "application/atom+xml", "Content-Length": str(len(cuerpo))})
    manejador.wfile.write(cuerpo[: len(cuerpo) // 2])
    manejador.close_connection = True


def cortada_por_trozos(manejador: Manejador, cuerpo: bytes, parado: Event) -> None:
    """Chunked, without the last chunk."""
    _empezar(manejador, {"Content-Type": "application/atom+xml", "Transfer-Encoding": "chunked"})
    mitad = cuerpo[: len(cuerpo) // 2]
    manejador.wfile.write(b"%x\r\n%b\r\n" % (len(mitad), mitad))
    manejador.close_connection = True


def media_pagina_entera(manejador: Manejador, cuerpo: bytes, parado: Event) -> None:
    """Half of the page, with a length that agrees: only the XML shows that something is missing."""
    manejador.responder(200, cuerpo[: len(cuerpo) // 2], {"Content-Type": "application/atom+xml"})


def gzip_cortado(manejador: Manejador, cuerpo: bytes, parado: Event) -> None:
    """A gzip stream that stops early, with a length that agrees."""
    comprimido = gzip.compress(cuerpo, mtime=0)
    manejador.responder(200, comprimido[: len(comprimido) // 2], {"Content-Encoding": "gzip"})


def bomba(mib: int) -> Falta:
    """Some kilobytes of gzip that expand to `mib` MiB of zeros."""

    def responder(manejador: Manejador, cuerpo: bytes, parado: Event) -> None:
        comprimido = gzip.compress(bytes(mib * 2**20), compresslevel=9, mtime=0)
        manejador.responder(200, comprimido, {"Content-Encoding": "gzip"})

    return responder


def estado(codigo: int, **cabeceras: str) -> Falta:
    """An answer with that status; headers by keyword, `retry_after="3"` → Retry-After: 3."""
    nombres = {clave.replace("_", "-").title(): valor for clave, valor in cabeceras.items()}

    def responder(manejador: Manejador, cuerpo: bytes, parado: Event) -> None:
        manejador.responder(codigo, b"", nombres)

    return responder


def redirigir(adonde: str, codigo: int = 302) -> Falta:
    """A redirect, with the page in its body as if one could take it from there."""

    def responder(manejador: Manejador, cuerpo: bytes, parado: Event) -> None:
        manejador.responder(codigo, cuerpo, {"Location": adonde})

    return responder


def gotear(trozo: int, cada_s: float) -> Falta:
    """The whole page, `trozo` bytes every `cada_s` seconds."""

    def responder(manejador: Manejador, cuerpo: bytes, parado: Event) -> None:
        _empezar(manejador, {"Content-Type": "application/atom+xml", "Content-Length": str(len(cuerpo))})
        for inicio in range(0, len(cuerpo), trozo):
            manejador.wfile.write(cuerpo[inicio : inicio + trozo])
            manejador.wfile.flush()
            if parado.wait(cada_s):
                break
        manejador.close_connection = True

    return responder


def colgar(manejador: Manejador, cuerpo: bytes, parado: Event) -> None:
    """Close without a word."""
    manejador.close_connection = True


def servir_otra_cosa(otra: bytes) -> Falta:
    """Other bytes in its place, whole and with status 200."""

    def responder(manejador: Manejador, cuerpo: bytes, parado: Event) -> None:
        manejador.responder(200, otra, {"Content-Type": "application/atom+xml"})

    return responder
