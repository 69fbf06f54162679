"""The HTTP double of both contracts, on a real local server, and the ways in which it may misbehave."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.hermes.api import Ajustes, ApiSimulada
from app.hermes.curso import Agente, Curso
from app.hermes.memoria import Contrato, Memoria
from app.hermes.servir import servir
from nucleo.hermes.cliente import ClienteHermes
from nucleo.hermes.desenlace import clasificar
from nucleo.hermes.modelo import EstadoRun
from nucleo.hermes.transporte import Limites, Transporte

CLAVE = "clave-de-prueba-0123456789abcdef"
RAPIDO = Limites(conexion_s=1.0, lectura_s=0.5, total_s=2.0)


@dataclass
class Averia:
    """What happens to the next `veces` requests whose method and path start like `donde`, after they had effect.

    `corta`: the connection is cut in the middle of the answer. `calla`: the answer never comes.
    `suplanta`: its (status, headers, body) instead of the true answer, and the request has no effect.
    `primero_corta`: the first one is cut, the next ones are supplanted.
    """

    donde: str = ""
    veces: int = 0
    modo: str = "corta"
    suplanta: tuple[int, dict[str, str], bytes] = (200, {}, b"")
    vistas: list[str] = field(default_factory=list)


class Averiado:
    """ASGI application that puts an Averia before another one."""

    def __init__(self, app: ASGIApp, averia: Averia) -> None:
        self._app = app
        self._averia = averia

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        averia = self._averia
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        donde = f"{scope['method']} {scope['path']}"
        averia.vistas.append(donde)
        if not averia.veces or not donde.startswith(averia.donde):
            await self._app(scope, receive, send)
            return
        averia.veces -= 1
        modo = averia.modo
        if modo == "primero_corta":
            averia.modo = "suplanta"
        if modo == "suplanta":
            await _contestar(send, *averia.suplanta)
            return
        await self._app(scope, receive, _callar)
        if modo == "calla":
            await asyncio.sleep(5)
        await send({"type": "http.response.start", "status": 202, "headers": [(b"content-length", b"999")]})
        await send({"type": "http.response.body", "body": b"{", "more_body": True})


async def _callar(_mensaje: Message) -> None:
    return


async def _contestar(send: Send, estado: int, cabeceras: dict[str, str], cuerpo: bytes) -> None:
    crudas = [(k.lower().encode(), v.encode()) for k, v in cabeceras.items()]
    await send({"type": "http.response.start", "status": estado, "headers": crudas})
    await send({"type": "http.response.body", "body": cuerpo})


@dataclass
class Doble:
    """A Hermes in one contract, with its agent, that can be restarted on the same state."""

    contrato: Contrato
    agente: Agente
    limite: int = 10
    memoria: Memoria = field(default_factory=Memoria)
    averia: Averia = field(default_factory=Averia)
    lanzados: list[str] = field(default_factory=list)
    api: ApiSimulada | None = None

    @contextmanager
    def en_marcha(self, puerto: int = 0) -> Iterator[str]:
        """One life of the process; yields its base URL."""

        async def contado(curso: Curso) -> str:
            self.lanzados.append(curso.encargo.sesion_id)
            return await self.agente(curso)

        self.api = ApiSimulada(CLAVE, contado, Ajustes(self.contrato, self.limite), self.memoria)
        with servir(Averiado(self.api.app, self.averia), puerto) as base:
            yield base
        self.memoria.reiniciar(self.contrato)


@asynccontextmanager
async def cliente(base: str, limites: Limites = RAPIDO, clave: str = CLAVE) -> AsyncIterator[ClienteHermes]:
    """A client that waits for nothing between two looks for a session."""

    async def sin_dormir(_segundos: float) -> None:
        await asyncio.sleep(0)

    async with ClienteHermes(base, clave, Transporte(base, clave, limites), sin_dormir) as abierto:
        yield abierto


async def hasta_el_final(hermes: ClienteHermes, run_id: str, segundos: float = 20) -> EstadoRun:
    """Polls until the run has ended; it must not be lost meanwhile."""
    fin = time.monotonic() + segundos
    while True:
        estado = await hermes.consultar(run_id)
        assert estado is not None
        if clasificar(estado).final:
            return estado
        assert time.monotonic() < fin, estado
        await asyncio.sleep(0.02)
