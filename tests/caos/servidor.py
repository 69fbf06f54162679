"""The API as a process of its own, to be killed: `python -m tests.caos.servidor CARPETA PUERTO`."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware

from app.api.montaje import MontajeApi
from app.entrar.acceso import Acceso
from app.seguridad import Puerta
from tasks.casa import casa


def aplicacion(datos: Path) -> Starlette:
    """The API alone, behind the same door as the real one."""
    acceso = Acceso()
    api = MontajeApi(casa, acceso.sesion)

    @asynccontextmanager
    async def vida(_: Starlette) -> AsyncIterator[None]:
        async with acceso.vida(datos), api.vida(datos):
            yield

    return Starlette(routes=api.rutas, lifespan=vida, middleware=[Middleware(Puerta, acceso=acceso)])


if __name__ == "__main__":
    carpeta, puerto = sys.argv[1:]
    uvicorn.run(aplicacion(Path(carpeta)), host="127.0.0.1", port=int(puerto), log_level="error")
