"""/mcp ready to be mounted in the web process: routes and a lifespan, over one data folder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from app.mcp.acceso import Acceso
from app.mcp.carril import Carril
from app.mcp.protocolo import Protocolo
from app.mcp.trabajadores import Trabajadores
from nucleo import registro
from nucleo.agentes.herramientas import Catalogo
from nucleo.reloj import Reloj, reloj_del_sistema

CUERPO_MAX = 1_000_000
"""Bytes of a request: a batch of proposals fits many times."""
_LOCALES = ("127.0.0.1", "localhost", "[::1]")


class MontajeMcp:
    """`rutas` go among the server's routes; `vida` must surround its life. Outside it, /mcp answers 503."""

    def __init__(self, catalogo: Catalogo, reloj: Reloj = reloj_del_sistema) -> None:
        self._catalogo = catalogo
        self._reloj = reloj
        self._dentro: ASGIApp | None = None

    @property
    def rutas(self) -> list[Route]:
        """With and without the final slash: a redirect would make some clients drop their token."""
        return [Route(ruta, endpoint=_Reenvio(self)) for ruta in ("/mcp", "/mcp/")]

    @asynccontextmanager
    async def vida(self, datos: Path, anfitriones: Sequence[str] = ()) -> AsyncIterator[None]:
        """Open the shared database and serve until the block ends; what is running then, finishes.

        `anfitriones`: other names by which this server is called, with port («web:8080»), besides loopback.
        """
        fichero = await asyncio.to_thread(registro.preparar, datos)
        trabajadores = Trabajadores(fichero)
        protocolo = Protocolo(datos, self._catalogo, trabajadores, self._reloj)
        servidor, seguridad = protocolo.servidor(version("sobre-abierto")), _seguridad(anfitriones)
        gestor = StreamableHTTPSessionManager(
            app=servidor,
            json_response=True,
            stateless=True,
            security_settings=seguridad,
            max_request_body_size=CUERPO_MAX,
        )
        try:
            async with gestor.run():
                puerta = Acceso(gestor.handle_request, trabajadores, self._reloj)
                self._dentro = Carril(puerta, protocolo, seguridad, servidor.server_info_stamp)
                yield
        finally:
            self._dentro = None
            await trabajadores.cerrar()

    async def atender(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if self._dentro is None:
            cerrado = {
                "codigo": "cerrado",
                "mensaje": "El servidor está arrancando o parando: prueba enseguida.",
            }
            await JSONResponse(cerrado, 503, {"Retry-After": "1"})(scope, receive, send)
        else:
            await self._dentro(scope, receive, send)


def aplicacion_sola(datos: Path, catalogo: Catalogo) -> Starlette:
    """An application with nothing but /mcp, for tests and benchmarks."""
    montaje = MontajeMcp(catalogo)

    @asynccontextmanager
    async def vida(_: Starlette) -> AsyncIterator[None]:
        async with montaje.vida(datos):
            yield

    return Starlette(routes=montaje.rutas, lifespan=vida)


class _Reenvio:
    """Starlette takes an object with `__call__` as an ASGI application, and a method as a function of a request."""

    def __init__(self, montaje: MontajeMcp) -> None:
        self._montaje = montaje

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._montaje.atender(scope, receive, send)


def _seguridad(anfitriones: Sequence[str]) -> TransportSecuritySettings:
    """Host and Origin must be ours: a page elsewhere must not reach this machine under a name of its own."""
    con_puerto = [f"{nombre}:*" for nombre in _LOCALES]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*_LOCALES, *con_puerto, *anfitriones],
        allowed_origins=[f"http://{nombre}" for nombre in con_puerto],
    )
