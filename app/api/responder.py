"""Reading a request's body, no more than fits, and sending an answer."""

from __future__ import annotations

import asyncio

from starlette.types import Receive, Send

from nucleo.recorridos.api.mensajes import Respuesta

TIRAR_MAX = 4 * 1024 * 1024
"""Bytes that are read and thrown away of a body that does not fit, so that who sends it gets to read why."""


CUERPO_S = 120.0
"""Seconds that a body may take to arrive."""


class Desconectado(Exception):
    """Whoever asked has left."""


class Lento(Exception):
    """The body does not finish arriving."""


async def leer_cuerpo(receive: Receive, maximo: int) -> bytes | None:
    """The body; None when it is longer. Raises Desconectado, Lento."""
    try:
        async with asyncio.timeout(CUERPO_S):
            return await _leer(receive, maximo)
    except TimeoutError as error:
        raise Lento from error


async def hasta_que_se_vaya(receive: Receive) -> None:
    """Returns when whoever asked leaves."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _leer(receive: Receive, maximo: int) -> bytes | None:
    trozos: list[bytes] = []
    leidos = 0
    while True:
        mensaje = await receive()
        if mensaje["type"] != "http.request":
            raise Desconectado
        trozo = mensaje.get("body", b"")
        leidos += len(trozo)
        if leidos <= maximo:
            trozos.append(trozo)
        else:
            trozos.clear()
        if leidos > maximo + TIRAR_MAX or not mensaje.get("more_body", False):
            return b"".join(trozos) if leidos <= maximo else None


async def enviar(respuesta: Respuesta, send: Send) -> None:
    """The answer whole. Nothing of the API is kept by whoever carries it."""
    cabeceras = {
        "content-type": respuesta.tipo,
        "content-length": str(len(respuesta.cuerpo)),
        "cache-control": "no-store",
    } | dict(respuesta.cabeceras)
    crudas = [(nombre.encode("latin-1"), valor.encode("latin-1")) for nombre, valor in cabeceras.items()]
    await send({"type": "http.response.start", "status": respuesta.estado, "headers": crudas})
    await send({"type": "http.response.body", "body": respuesta.cuerpo})
