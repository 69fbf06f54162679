"""The server: resources in memory, a log of what was asked, and a queue of faults per path."""

from __future__ import annotations

import gzip
import hashlib
import socket
import ssl
import threading
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from tests.reproductor.faltas import Falta


@dataclass(frozen=True)
class Peticion:
    """One request as it arrived: path (query included) and headers with lower-case names."""

    ruta: str
    cabeceras: dict[str, str] = field(repr=False)

    @property
    def condicional(self) -> bool:
        """Whether the client asked only for what changed."""
        return bool({"if-none-match", "if-modified-since"} & self.cabeceras.keys())


class Recurso(NamedTuple):
    """What a path serves, and its Content-Type."""

    cuerpo: bytes
    tipo: str = "application/atom+xml;charset=UTF-8"

    @property
    def etag(self) -> str:
        """Strong ETag, from the content."""
        return f'"{hashlib.sha256(self.cuerpo).hexdigest()[:24]}"'


class Reproductor:
    """Context manager: serves on 127.0.0.1, port chosen by the system.

    `atiende_condiciones` False plays a server that ignores If-None-Match and gives no ETag.
    `comprime` sends gzip to whoever accepts it. `al_pedir(ruta)` runs before each answer (move the head there).
    """

    def __init__(self) -> None:
        self.recursos: dict[str, Recurso] = {}
        self.peticiones: list[Peticion] = []
        self.atiende_condiciones = True
        self.comprime = False
        self.al_pedir: Callable[[str], None] | None = None
        self._faltas: dict[str, deque[Falta]] = defaultdict(deque)
        self._siempre: dict[str, Falta] = {}
        self._cerrojo = threading.RLock()
        self._parado = threading.Event()
        self._servidor = _Servidor(self)
        self._hilo = threading.Thread(target=self._servidor.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        """Start serving."""
        self._hilo.start()
        return self

    def __exit__(
        self, tipo: type[BaseException] | None, error: BaseException | None, traza: TracebackType | None
    ) -> None:
        """Stop; slow answers under way are cut."""
        self._parado.set()
        self._servidor.shutdown()
        self._servidor.server_close()
        self._hilo.join(10)

    def con_tls(self, certificado: Path) -> None:
        """Speak TLS from the next connection on, with that PEM (key and certificate)."""
        contexto = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        contexto.load_cert_chain(certificado)
        self._servidor.tls = contexto

    @property
    def puerto(self) -> int:
        """The port it listens on."""
        return int(self._servidor.server_address[1])

    def url(self, ruta: str) -> str:
        """Absolute URL of a path."""
        return f"http://127.0.0.1:{self.puerto}{ruta}"

    def poner(self, ruta: str, cuerpo: bytes, tipo: str | None = None) -> None:
        """Serve `cuerpo` at `ruta` from now on."""
        with self._cerrojo:
            self.recursos[ruta] = Recurso(cuerpo, tipo) if tipo else Recurso(cuerpo)

    def quitar(self, ruta: str) -> None:
        """`ruta` becomes a 404."""
        with self._cerrojo:
            self.recursos.pop(ruta, None)

    def fallar(self, ruta: str, *faltas: Falta) -> None:
        """The next requests of `ruta` get these faults, one each, in order."""
        with self._cerrojo:
            self._faltas[ruta].extend(faltas)

    def fallar_siempre(self, ruta: str, falta: Falta) -> None:
        """Every request of `ruta` gets this fault, until `sanar`."""
        with self._cerrojo:
            self._siempre[ruta] = falta

    def sanar(self) -> None:
        """Forget every fault."""
        with self._cerrojo:
            self._faltas.clear()
            self._siempre.clear()

    def veces(self, ruta: str) -> int:
        """How many times `ruta` was asked for."""
        return sum(p.ruta == ruta for p in self.peticiones)

    def _preparar(self, peticion: Peticion) -> tuple[Recurso | None, Falta | None]:
        with self._cerrojo:
            self.peticiones.append(peticion)
            if self.al_pedir is not None:
                self.al_pedir(peticion.ruta)
            pendientes = self._faltas[peticion.ruta]
            falta = pendientes.popleft() if pendientes else self._siempre.get(peticion.ruta)
            return self.recursos.get(peticion.ruta), falta


class _Servidor(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, reproductor: Reproductor) -> None:
        self.reproductor = reproductor
        self.tls: ssl.SSLContext | None = None
        super().__init__(("127.0.0.1", 0), _Manejador)

    def finish_request(
        self, request: socket.socket | tuple[bytes, socket.socket], client_address: object
    ) -> None:
        """The TLS handshake happens in the connection's own thread."""
        if self.tls is not None and isinstance(request, socket.socket):
            with self.tls.wrap_socket(request, server_side=True) as seguro:
                super().finish_request(seguro, client_address)
        else:
            super().finish_request(request, client_address)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed in the middle of an answer is what we are here for: say nothing."""


class _Manejador(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Servidor

    def do_GET(self) -> None:
        """Answer with the resource, or as the fault says."""
        reproductor = self.server.reproductor
        peticion = Peticion(self.path, {k.lower(): v for k, v in self.headers.items()})
        recurso, falta = reproductor._preparar(peticion)
        if falta is not None:
            falta(self, recurso.cuerpo if recurso else b"", reproductor._parado)
        elif recurso is None:
            self.responder(404, b"No existe", {"Content-Type": "text/plain"})
        elif reproductor.atiende_condiciones and peticion.cabeceras.get("if-none-match") == recurso.etag:
            self.responder(304, b"", {"ETag": recurso.etag})
        else:
            self._servir(recurso, peticion)

    def _servir(self, recurso: Recurso, peticion: Peticion) -> None:
        reproductor = self.server.reproductor
        cabeceras = {"Content-Type": recurso.tipo}
        cuerpo = recurso.cuerpo
        if reproductor.atiende_condiciones:
            cabeceras["ETag"] = recurso.etag
        if reproductor.comprime and "gzip" in peticion.cabeceras.get("accept-encoding", ""):
            cabeceras["Content-Encoding"] = "gzip"
            cuerpo = gzip.compress(cuerpo, mtime=0)
        self.responder(200, cuerpo, cabeceras)

    def responder(self, estado: int, cuerpo: bytes, cabeceras: dict[str, str]) -> None:
        """A whole answer with its true length."""
        self.send_response(estado)
        for nombre, valor in cabeceras.items():
            self.send_header(nombre, valor)
        if estado != 304:
            self.send_header("Content-Length", str(len(cuerpo)))
        self.end_headers()
        self.wfile.write(cuerpo)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Nothing on stderr: the log is `Reproductor.peticiones`."""
