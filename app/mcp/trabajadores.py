"""A few threads that serve agents, each with its own connection to the shared database."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from nucleo.agentes.lecturas import Lecturas
from nucleo.bd import conectar

T = TypeVar("T")
HILOS = 4
"""Reading is brief and Python runs one thread at a time: more threads only take turns more often."""


class Trabajadores:
    """Runs functions of a connection off the event loop. `lecturas` are the other databases, read only."""

    def __init__(self, fichero: Path) -> None:
        self._fichero = fichero
        self._propio = threading.local()
        self.lecturas = Lecturas()
        self._hilos = ThreadPoolExecutor(HILOS, thread_name_prefix="mcp")

    async def hacer(self, tarea: Callable[[sqlite3.Connection], T]) -> T:
        """The result of `tarea`, which gets its thread's connection. It runs to the end even if nobody waits."""
        return await asyncio.get_running_loop().run_in_executor(self._hilos, self._con_conexion, tarea)

    def _con_conexion(self, tarea: Callable[[sqlite3.Connection], T]) -> T:
        con: sqlite3.Connection | None = getattr(self._propio, "con", None)
        if con is None:
            con = self._propio.con = conectar(self._fichero)
        return tarea(con)

    async def cerrar(self) -> None:
        """Wait for what is running; each thread closes its own connection, which no other may touch."""
        todos = threading.Barrier(HILOS)
        bucle = asyncio.get_running_loop()
        await asyncio.gather(
            *(bucle.run_in_executor(self._hilos, self._despedir, todos) for _ in range(HILOS))
        )
        self._hilos.shutdown(wait=True)

    def _despedir(self, todos: threading.Barrier) -> None:
        todos.wait()  # one farewell per thread: none takes two
        self.lecturas.cerrar()
        con: sqlite3.Connection | None = getattr(self._propio, "con", None)
        if con is not None:
            con.close()
