"""Serves an ASGI application on this machine from a thread, until the end of a block."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

ARRANQUE_S = 10.0


@contextmanager
def servir(app: ASGIApp, puerto: int = 0) -> Iterator[str]:
    """Yields the base URL, without final slash; port 0 takes a free one. Raises OSError when the port is taken."""
    # With the protocol said: asyncio turns Nagle's delay (40 ms per answer) off only for sockets that say it.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as enchufe:
        enchufe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        enchufe.bind(("127.0.0.1", puerto))
        # Cut at once when stopping: who stands in for a process must be able to die in the middle of an answer.
        servidor = uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=0))
        hilo = threading.Thread(target=servidor.run, kwargs={"sockets": [enchufe]}, daemon=True)
        hilo.start()
        try:
            _esperar(servidor, hilo)
            yield f"http://127.0.0.1:{enchufe.getsockname()[1]}"
        finally:
            servidor.should_exit = True
            hilo.join(ARRANQUE_S)


def _esperar(servidor: uvicorn.Server, hilo: threading.Thread) -> None:
    fin = time.monotonic() + ARRANQUE_S
    while not servidor.started:
        if not hilo.is_alive() or time.monotonic() > fin:
            raise OSError("el servidor local no ha arrancado")
        time.sleep(0.01)
