"""The one web process, `uvicorn app.servidor:app`: Streamlit's pages, /api, agents' /mcp, and the door before all."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from app.api.montaje import MontajeApi
from app.entrar.acceso import Acceso
from app.entrar.rutas import Entrada
from app.mcp.herramientas import CATALOGO
from app.mcp.montaje import MontajeMcp
from app.seguridad import Puerta
from dominios.licitaciones import registro
from nucleo.configuracion import configuracion
from nucleo.reloj import reloj_del_sistema
from tasks.casa import casa

GUION = Path(__file__).parent / "ui.py"
RECOGIDA_S = 60.0
"""Seconds between garbage collections, instead of one after every rerun of every session."""


async def salud(peticion: Request) -> JSONResponse:
    """Terse on purpose: whoever may not log in only learns whether it works."""
    conf = configuracion()
    estado = await asyncio.to_thread(registro.salud, conf.datos, conf.fuentes, reloj_del_sistema)
    mal = estado.estado == "mal"
    return JSONResponse({"estado": "mal" if mal else "bien"}, 503 if mal else 200)


@asynccontextmanager
async def vida(app: st.App) -> AsyncIterator[None]:
    """Opens the databases (creating or upgrading them), then keeps memory tidy while the server lives."""
    conf = configuracion()
    await asyncio.to_thread(registro.preparar, conf.datos)
    async with (
        mcp.vida(conf.datos, conf.anfitriones),
        acceso.vida(conf.datos),
        api.vida(conf.datos),
    ):
        _congelar()
        limpieza = asyncio.create_task(_recoger_cada(RECOGIDA_S))
        yield
        limpieza.cancel()
        with suppress(asyncio.CancelledError):
            await limpieza


def _congelar() -> None:
    """What the imports left is here to stay: later collections need not look at it."""
    gc.collect()
    gc.freeze()


async def _recoger_cada(segundos: float) -> None:
    while True:
        await asyncio.sleep(segundos)
        gc.collect()


mcp = MontajeMcp(CATALOGO)
acceso = Acceso()
api = MontajeApi(casa, acceso.sesion)
rutas = [Route("/api/salud", salud), *Entrada(acceso).rutas, *api.rutas, *mcp.rutas]
app = st.App(
    str(GUION),
    routes=rutas,
    middleware=[Middleware(Puerta, acceso=acceso)],
    lifespan=vida,
)
