"""`esperar`: a request that is answered when a run changes, held by nothing but an event."""

from __future__ import annotations

import asyncio

from starlette.types import Receive

from app.api.novedades import Novedades
from app.api.responder import Desconectado, hasta_que_se_vaya
from app.mcp.trabajadores import Trabajadores
from nucleo.recorridos import almacen
from nucleo.recorridos.api.documentos import PeticionEspera

ESPERAS_MAX = 1_000


async def hasta_que_cambie(
    novedades: Novedades, hilos: Trabajadores, rid: str, pedida: PeticionEspera, receive: Receive
) -> None:
    """Returns when the revision has passed the one given, the time is up, there is no such run, or we stop.

    Raises Desconectado when whoever asked leaves.
    """
    bucle = asyncio.get_running_loop()
    fin = bucle.time() + pedida.segundos
    ido = asyncio.create_task(hasta_que_se_vaya(receive))
    try:
        with novedades.cambio_en(rid) as evento:
            while True:
                evento.clear()
                revision = await hilos.leer(lambda con: almacen.revision(con, rid))
                resta = fin - bucle.time()
                if revision is None or revision > pedida.tras_revision or resta <= 0 or novedades.cerrado:
                    return
                await _alguno(ido, evento, resta)
    finally:
        ido.cancel()


async def _alguno(ido: asyncio.Task[None], evento: asyncio.Event, segundos: float) -> None:
    cambia = asyncio.create_task(evento.wait())
    try:
        await asyncio.wait({ido, cambia}, timeout=segundos, return_when=asyncio.FIRST_COMPLETED)
    finally:
        cambia.cancel()
    if ido.done():
        raise Desconectado
