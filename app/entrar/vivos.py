"""The pages' sockets that are open, by session: when a session ends, what it shows is cleared and they are closed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from starlette.types import Message, Receive, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

CIERRE = 4401
"""WebSocket code: there is no session (any more)."""
BORRADO_S = 5.0
"""Seconds that a page has to redraw itself as closed before the socket is cut anyway."""
PENDIENTES_MAX = 16


class Conexion:
    """One socket between a browser and Streamlit, seen from the middle."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._entrantes: asyncio.Queue[Message] = asyncio.Queue(PENDIENTES_MAX)
        self._bomba: asyncio.Task[None] | None = None
        self._borrada: asyncio.Event | None = None
        self._cerrada = False

    async def receive(self) -> Message:
        """The browser's next message, or one of ours."""
        if self._bomba is None:
            self._bomba = asyncio.create_task(self._bombear())
        return await self._entrantes.get()

    async def send(self, mensaje: Message) -> None:
        """To the browser; nothing more once it is closed (the server would take it for a fault)."""
        if self._cerrada:
            return
        self._cerrada = mensaje["type"] == "websocket.close"
        await self._send(mensaje)
        if self._borrada is not None and _ha_terminado(mensaje):
            self._borrada.set()

    async def terminar(self) -> None:
        """Make the page redraw, which without a session leaves it empty, and close it."""
        if self._cerrada or self._borrada is not None:
            return
        self._borrada = asyncio.Event()
        with suppress(TimeoutError):
            async with asyncio.timeout(BORRADO_S):
                await self._entrantes.put({"type": "websocket.receive", "bytes": _volver_a_dibujar()})
                await self._borrada.wait()
        await self.send({"type": "websocket.close", "code": CIERRE, "reason": "sesion cerrada"})

    def soltar(self) -> None:
        """Nobody asks for messages any more."""
        if self._bomba is not None:
            self._bomba.cancel()

    async def _bombear(self) -> None:
        while True:
            mensaje = await self._receive()
            await self._entrantes.put(mensaje)
            if mensaje["type"] == "websocket.disconnect":
                return


class Vivos:
    """Which sockets belong to which session (by its hash)."""

    def __init__(self) -> None:
        self._de: dict[str, set[Conexion]] = {}
        self._despidiendo: set[asyncio.Task[None]] = set()

    @property
    def sesiones(self) -> tuple[str, ...]:
        """The sessions with something open."""
        return tuple(self._de)

    @contextmanager
    def abierta(self, huella: str, conexion: Conexion) -> Iterator[None]:
        """The socket belongs to that session while the block lasts."""
        self._de.setdefault(huella, set()).add(conexion)
        try:
            yield
        finally:
            conexion.soltar()
            suyas = self._de[huella]
            suyas.discard(conexion)
            if not suyas:
                del self._de[huella]

    def cerrar(self, huella: str) -> None:
        """End every socket of a session; the pages clear themselves meanwhile."""
        for conexion in self._de.get(huella, ()):
            tarea = asyncio.create_task(conexion.terminar())
            self._despidiendo.add(tarea)
            tarea.add_done_callback(self._despidiendo.discard)

    async def despedidas(self) -> None:
        """Wait for those that are being closed."""
        await asyncio.gather(*self._despidiendo, return_exceptions=True)


def _volver_a_dibujar() -> bytes:
    mensaje = BackMsg()
    mensaje.rerun_script.query_string = ""
    octetos: bytes = mensaje.SerializeToString()
    return octetos


def _ha_terminado(mensaje: Message) -> bool:
    """Whether this is Streamlit saying that a run of the script is over."""
    octetos = mensaje.get("bytes")
    if not octetos:
        return False
    clase: str | None = ForwardMsg.FromString(octetos).WhichOneof("type")
    return clase == "script_finished"
