"""`/api/eventos`: what a client may see, then each change of it, as server-sent events."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple

from starlette.types import Receive, Send

from app.api.novedades import Cola
from app.api.responder import hasta_que_se_vaya
from nucleo.modelo import Modelo
from nucleo.recorridos import lectura
from nucleo.recorridos.lectura.modelo import FiltroRecorridos, Pulso, Resumen
from nucleo.recorridos.transacciones import instantanea

REGISTRO = logging.getLogger(__name__)
LATIDO_S = 15.0
ENVIO_MAX_S = 30.0
"""Seconds that a client may take to swallow what it is sent before it is left."""
CLIENTES_MAX = 64
FOTO_MAX = 200
"""Runs that are told at first."""
ATRASADOS_MAX = 500
"""Changes that are told one by one to who comes back; with more, everything is sent again."""

_CABECERAS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class Foto(Modelo):
    """What is sent first: the runs in sight, newest first, and the counter from which the changes go on."""

    cambio: int
    recorridos: tuple[Resumen, ...]


class Comienzo(NamedTuple):
    """How a stream begins: with the runs, or with what changed since the client left (`foto` is then None)."""

    foto: Foto | None
    atrasados: tuple[Pulso, ...]
    desde: int


def comenzar(con: sqlite3.Connection, ultimo: str) -> Comienzo:
    """What to tell first to a client whose last event had that identifier ("" when it is new)."""
    with instantanea(con):
        ahora = lectura.ultimo_cambio(con)
        desde = int(ultimo) if ultimo.isdecimal() and len(ultimo) < 16 else -1
        if 0 <= desde <= ahora:
            atrasados = lectura.cambios(con, desde, ATRASADOS_MAX + 1)
            if len(atrasados) <= ATRASADOS_MAX:
                return Comienzo(None, atrasados, desde)
        foto = Foto(cambio=ahora, recorridos=lectura.listar(con, FiltroRecorridos(limite=FOTO_MAX)))
    return Comienzo(foto, (), ahora)


class Corriente:
    """The answer. It ends when the client leaves, falls behind, may hear no more, or we stop."""

    def __init__(self, cola: Cola, comienzo: Comienzo, sigue: Callable[[], Awaitable[bool]]) -> None:
        """`cola` has what changes since before `comienzo` was read; `sigue` is asked at each beat."""
        self._cola = cola
        self._comienzo = comienzo
        self._sigue = sigue

    async def __call__(self, receive: Receive, send: Send) -> None:
        """Send until something ends it; nothing is left running and nothing is raised."""
        enviando = asyncio.create_task(self._enviar(send))
        ido = asyncio.create_task(hasta_que_se_vaya(receive))
        try:
            await asyncio.wait({enviando, ido}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            enviando.cancel()
            ido.cancel()
            resultado, _ = await asyncio.gather(enviando, ido, return_exceptions=True)
        if isinstance(resultado, Exception):
            REGISTRO.error("corriente de cambios cortada", exc_info=resultado)

    async def _enviar(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": _CABECERAS})
        async for texto in self._textos():
            try:
                async with asyncio.timeout(ENVIO_MAX_S):
                    await send({"type": "http.response.body", "body": texto.encode(), "more_body": True})
            except TimeoutError:
                return  # unfinished: the server closes the connection
        await send({"type": "http.response.body", "body": b""})

    async def _textos(self) -> AsyncIterator[str]:
        visto = self._comienzo.desde
        if self._comienzo.foto is not None:
            yield suceso("foto", visto, self._comienzo.foto)
        for pulso in self._comienzo.atrasados:
            visto = pulso.cambio
            yield suceso("recorrido", visto, pulso)
        while True:
            siguiente = await self._cola.siguiente(LATIDO_S)
            if siguiente is None:
                if self._cola.expulsada or not await self._sigue():
                    return
                yield ": latido\n\n"
            elif siguiente.cambio > visto:
                visto = siguiente.cambio
                yield suceso("recorrido", visto, siguiente)


def suceso(nombre: str, identificador: int, modelo: Modelo) -> str:
    """One event. JSON has no raw line breaks, so its data is one line."""
    return f"event: {nombre}\nid: {identificador}\ndata: {modelo.model_dump_json()}\n\n"
