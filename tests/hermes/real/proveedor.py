"""A scripted provider of models, compatible with OpenAI's chat completions: the model of the tests' real Hermes."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import NamedTuple

Json = dict[str, object]


class Turno(NamedTuple):
    """What Hermes asks of the model. `encargo` is the first message of the run; `paso` counts its tool results.

    Hermes adds messages of its own in the middle, as if a person had written them.
    """

    encargo: str
    sistema: str
    paso: int
    herramientas: tuple[str, ...]
    ultimo_resultado: str


class Habla(NamedTuple):
    """The model's answer: a text, or the call of a tool."""

    texto: str = ""
    herramienta: str = ""
    argumentos: Json = {}  # noqa: RUF012 - never changed


class Falla(NamedTuple):
    """The provider answers with an error instead."""

    estado: int
    mensaje: str


_LLAMADAS = count(1)
"""Two calls with one id are one to Hermes."""
Guion = Callable[[Turno], Habla | Falla]
USO = {
    "prompt_tokens": 1000,
    "completion_tokens": 50,
    "total_tokens": 1050,
    "prompt_tokens_details": {"cached_tokens": 400},
}


@dataclass
class Proveedor:
    """Answers with `guion`; keeps every turn. `soltar` frees those that wait in `esperar`."""

    guion: Guion
    turnos: list[Turno] = field(default_factory=list)
    base_url: str = ""
    soltar: threading.Event = field(default_factory=threading.Event)

    def esperar(self) -> None:
        """Called from a script: the model keeps silent until it is freed."""
        self.soltar.wait(60)


@contextmanager
def proveedor(guion: Guion) -> Iterator[Proveedor]:
    """Serve it on a free port until the end of the block."""
    quien = Proveedor(guion)

    class Manejador(_Manejador):
        proveedor = quien

    servidor = ThreadingHTTPServer(("127.0.0.1", 0), Manejador)
    servidor.daemon_threads = True
    quien.base_url = f"http://127.0.0.1:{servidor.server_address[1]}/v1"
    hilo = threading.Thread(target=servidor.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    hilo.start()
    try:
        yield quien
    finally:
        quien.soltar.set()
        servidor.shutdown()
        servidor.server_close()
        hilo.join(5)


class _Manejador(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    proveedor: Proveedor

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Nothing."""

    def do_GET(self) -> None:
        """The list of models."""
        modelo = {"id": "modelo-de-prueba", "object": "model", "context_length": 200_000}
        self._json(200, {"object": "list", "data": [modelo]})

    def do_POST(self) -> None:
        """A completion, streamed or not; Hermes also asks whether this is another kind of server."""
        crudo = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not self.path.endswith("/chat/completions"):
            self._json(404, {"error": {"message": "no"}})
            return
        cuerpo = json.loads(crudo)
        turno = _turno(cuerpo)
        if turno.herramientas or turno.paso or turno.sistema:
            self.proveedor.turnos.append(turno)
        habla = self.proveedor.guion(turno)
        if isinstance(habla, Falla):
            self._json(habla.estado, {"error": {"message": habla.mensaje, "type": "error", "code": None}})
        elif cuerpo.get("stream"):
            self._flujo(_mensaje(habla), str(cuerpo["model"]))
        else:
            eleccion = {"index": 0, "message": _mensaje(habla), "finish_reason": _fin(habla)}
            self._json(
                200, {**_cabeza("chat.completion", cuerpo["model"]), "choices": [eleccion], "usage": USO}
            )

    def _flujo(self, mensaje: Json, modelo: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        cabeza = _cabeza("chat.completion.chunk", modelo)
        llamadas = mensaje.get("tool_calls")
        fin = "tool_calls" if llamadas else "stop"
        try:
            for eleccion in ({"delta": mensaje, "finish_reason": None}, {"delta": {}, "finish_reason": fin}):
                self._evento({**cabeza, "choices": [{"index": 0, **eleccion}]})
            self._evento({**cabeza, "choices": [], "usage": USO})
            self.wfile.write(b"data: [DONE]\n\n")
        except OSError:
            return  # Hermes has died meanwhile

    def _evento(self, dato: Json) -> None:
        self.wfile.write(f"data: {json.dumps(dato)}\n\n".encode())
        self.wfile.flush()

    def _json(self, estado: int, dato: Json) -> None:
        crudo = json.dumps(dato).encode()
        self.send_response(estado)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(crudo)))
        self.end_headers()
        self.wfile.write(crudo)


def _turno(cuerpo: Json) -> Turno:
    mensajes = cuerpo.get("messages")
    assert isinstance(mensajes, list)
    de_persona = [str(m["content"]) for m in mensajes if m["role"] == "user"]
    resultados = [str(m["content"]) for m in mensajes if m["role"] == "tool"]
    herramientas = cuerpo.get("tools") or []
    assert isinstance(herramientas, list)
    return Turno(
        encargo=de_persona[0] if de_persona else "",
        sistema="\n".join(str(m["content"]) for m in mensajes if m["role"] == "system"),
        paso=len(resultados),
        herramientas=tuple(h["function"]["name"] for h in herramientas),
        ultimo_resultado=resultados[-1] if resultados else "",
    )


def _mensaje(habla: Habla) -> Json:
    if not habla.herramienta:
        return {"role": "assistant", "content": habla.texto}
    funcion = {"name": habla.herramienta, "arguments": json.dumps(habla.argumentos)}
    llamada = {"index": 0, "id": f"call_{next(_LLAMADAS)}", "type": "function", "function": funcion}
    return {"role": "assistant", "content": None, "tool_calls": [llamada]}


def _fin(habla: Habla) -> str:
    return "tool_calls" if habla.herramienta else "stop"


def _cabeza(objeto: str, modelo: object) -> Json:
    return {"id": "chatcmpl-prueba", "object": objeto, "created": 1, "model": modelo}
