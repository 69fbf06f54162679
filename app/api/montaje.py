"""/api ready to be mounted in the web process: routes and a lifespan, over one data folder."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from app import llave
from app.api.atencion import Atencion, BuscarSesion, Puesto
from app.api.novedades import Novedades
from app.api.responder import enviar
from app.mcp.trabajadores import Trabajadores
from nucleo import registro
from nucleo.errores import ErrorConfiguracion
from nucleo.recorridos import lectura
from nucleo.recorridos.api.mensajes import negativa
from nucleo.recorridos.casa import Casa
from nucleo.reloj import Reloj, reloj_del_sistema

REGISTRO = logging.getLogger(__name__)
METODOS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class MontajeApi:
    """`rutas` go among the server's routes, after any other under /api; `vida` must surround its life."""

    def __init__(
        self,
        casa: Callable[[Path], Casa],
        sesion: BuscarSesion,
        reloj: Reloj = reloj_del_sistema,
    ) -> None:
        self._casa = casa
        self._sesion = sesion
        self._reloj = reloj
        self._atencion: Atencion | None = None

    @property
    def rutas(self) -> list[Route]:
        """Everything under /api, also what does not exist: who is nobody learns nothing of it."""
        return [Route("/api/{resto:path}", endpoint=_Reenvio(self), methods=METODOS)]

    @asynccontextmanager
    async def vida(self, datos: Path) -> AsyncIterator[None]:
        """Open the shared database and serve until the block ends; whoever waits then is let go."""
        fichero = await asyncio.to_thread(registro.preparar, datos)
        await asyncio.to_thread(_hacer_llave, datos)
        hilos = Trabajadores(fichero)
        novedades = Novedades(
            lambda tras: hilos.leer(lambda con: lectura.cambios(con, tras)),
            await hilos.leer(lectura.ultimo_cambio),
        )
        pulso = asyncio.create_task(novedades.correr())
        self._atencion = Atencion(
            Puesto(datos, self._casa(datos), hilos, novedades, self._sesion, self._reloj)
        )
        try:
            yield
        finally:
            self._atencion = None
            pulso.cancel()
            with suppress(asyncio.CancelledError):
                await pulso
            await hilos.cerrar()

    async def atender(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if self._atencion is None:
            await enviar(
                negativa(503, "OCUPADO", "El servidor está arrancando o parando: prueba enseguida."), send
            )
        else:
            await self._atencion(scope, receive, send)


class _Reenvio:
    """Starlette takes an object with `__call__` as an ASGI application, and a method as a function of a request."""

    def __init__(self, montaje: MontajeApi) -> None:
        self._montaje = montaje

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._montaje.atender(scope, receive, send)


def _hacer_llave(datos: Path) -> None:
    """Without it no person comes in over HTTP, and the rest goes on."""
    try:
        llave.leer_o_crear(datos)
    except ErrorConfiguracion as error:
        REGISTRO.warning("%s", error.mensaje)
