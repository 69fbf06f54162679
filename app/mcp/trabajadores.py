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
LECTORES = 2
"""Reading is brief and Python runs one thread at a time: with more threads, they spend it in taking turns."""
AUTORES = 4
"""A proposal may have to wait for whoever is writing (an import): those who read must not wait behind it."""


class Trabajadores:
    """Runs functions of a connection off the event loop. `lecturas` are the other databases, read only."""

    def __init__(self, fichero: Path) -> None:
        self._fichero = fichero
        self._propio = threading.local()
        self.lecturas = Lecturas()
        self._lectores = ThreadPoolExecutor(LECTORES, thread_name_prefix="mcp-leer")
        self._autores = ThreadPoolExecutor(AUTORES, thread_name_prefix="mcp-proponer")

    async def leer(self, tarea: Callable[[sqlite3.Connection], T]) -> T:
        """The result of a brief `tarea`, which gets its thread's connection. It ends even if nobody waits for it."""
        return await asyncio.get_running_loop().run_in_executor(self._lectores, self._con_conexion, tarea)

    async def proponer(self, tarea: Callable[[sqlite3.Connection], T]) -> T:
        """The same for one that may have to wait for a long write of somebody else."""
        return await asyncio.get_running_loop().run_in_executor(self._autores, self._con_conexion, tarea)

    def _con_conexion(self, tarea: Callable[[sqlite3.Connection], T]) -> T:
        con: sqlite3.Connection | None = getattr(self._propio, "con", None)
        if con is None:
            con = self._propio.con = conectar(self._fichero)
        return tarea(con)

    async def cerrar(self) -> None:
        """Wait for what is running; each thread closes its own connection, which no other may touch."""
        for hilos, cuantos in ((self._lectores, LECTORES), (self._autores, AUTORES)):
            todos = threading.Barrier(cuantos)
            bucle = asyncio.get_running_loop()
            await asyncio.gather(
                *(bucle.run_in_executor(hilos, self._despedir, todos) for _ in range(cuantos))
            )
            hilos.shutdown(wait=True)

    def _despedir(self, todos: threading.Barrier) -> None:
        todos.wait()  # one farewell per thread: none takes two
        self.lecturas.cerrar()
        con: sqlite3.Connection | None = getattr(self._propio, "con", None)
        if con is not None:
            con.close()
