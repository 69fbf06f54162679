"""A stand-in for PLACSP on this machine: a small HTTP server with the sample's pages and conditional answers."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from app.arriba.entorno import LOCAL

_GENERACION = re.compile(r"_\d{8}_\d{6}(_\d+)?\.atom$")


def cabeceras_en(base: str, rutas: Iterable[str]) -> dict[str, str]:
    """Dataset → URL of its head, among paths as the source names them («sindicacion_643/….atom»)."""
    return {
        ruta.split("/")[0].removeprefix("sindicacion_"): f"{base}/{ruta}"
        for ruta in rutas
        if not _GENERACION.search(ruta)
    }


class _Servidor(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, paginas: Mapping[str, bytes]) -> None:
        self.paginas = paginas
        super().__init__((LOCAL, 0), _Manejador)


class _Manejador(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Servidor

    def do_GET(self) -> None:
        """200 with its ETag, 304 when the client has it, 404."""
        cuerpo = self.server.paginas.get(self.path.lstrip("/"))
        if cuerpo is None:
            self._responder(404, b"", "")
            return
        etag = f'"{hashlib.sha256(cuerpo).hexdigest()[:32]}"'
        if self.headers.get("If-None-Match") == etag:
            self._responder(304, b"", etag)
        else:
            self._responder(200, cuerpo, etag)

    def _responder(self, estado: int, cuerpo: bytes, etag: str) -> None:
        self.send_response(estado)
        self.send_header("Content-Type", "application/atom+xml;charset=UTF-8")
        if etag:
            self.send_header("ETag", etag)
        if estado != 304:
            self.send_header("Content-Length", str(len(cuerpo)))
        self.end_headers()
        self.wfile.write(cuerpo)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Nothing: the flow tells what it reads."""


@contextmanager
def sustituto_de_placsp(paginas: Mapping[str, bytes]) -> Iterator[str]:
    """Serve the pages (path → bytes) until the end of the block; yields its base URL, without final slash."""
    with _Servidor(paginas) as servidor:
        hilo = threading.Thread(target=servidor.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        hilo.start()
        try:
            yield f"http://{LOCAL}:{servidor.server_address[1]}"
        finally:
            servidor.shutdown()
            hilo.join(5.0)
