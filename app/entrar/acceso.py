"""Who comes in: sessions looked up for every request, renewed while used, watched while they show something."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import secrets
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

from app.entrar.vivos import Vivos
from app.mcp.trabajadores import Trabajadores
from nucleo import registro
from nucleo.errores import ErrorBaseDatos
from nucleo.personas import servicio
from nucleo.personas.modelo import SesionViva
from nucleo.reloj import Reloj, reloj_del_sistema

T = TypeVar("T")
REGISTRO = logging.getLogger(__name__)
CADA_S = 2.0
"""Seconds between two looks at whether the sessions with something open still stand (another process may end them)."""
RENOVAR = timedelta(minutes=1)
A_LA_VEZ = 2
"""Passwords being checked at once: each takes 32 MiB and a tenth of a second of a core."""


class Acceso:
    """Shared by the gate, the login routes and /api; works while `vida` lasts."""

    def __init__(self, reloj: Reloj = reloj_del_sistema) -> None:
        self.vivos = Vivos()
        self.reloj = reloj
        self.turno = asyncio.Semaphore(A_LA_VEZ)
        self._secreto = secrets.token_bytes(32)
        self._hilos: Trabajadores | None = None

    @asynccontextmanager
    async def vida(self, datos: Path) -> AsyncIterator[None]:
        """Open the shared database and watch the open sessions until the block ends."""
        fichero = await asyncio.to_thread(registro.preparar, datos)
        self._hilos = Trabajadores(fichero)
        vigilancia = asyncio.create_task(self._vigilar())
        try:
            yield
        finally:
            vigilancia.cancel()
            with suppress(asyncio.CancelledError):
                await vigilancia
            hilos, self._hilos = self._hilos, None
            await hilos.cerrar()

    async def sesion(self, token: str | None) -> SesionViva | None:
        """The session of that token, None when there is none; using it renews it."""
        if token is None:
            return None
        ahora = self.reloj()
        sesion = await self.leer(lambda con: servicio.sesion_de(con, token, ahora))
        if sesion is not None and ahora - sesion.vista >= RENOVAR:
            huella = sesion.huella
            await self.escribir(lambda con: servicio.tocar(con, huella, ahora))
        return sesion

    async def leer(self, tarea: Callable[[sqlite3.Connection], T]) -> T:
        """Run a brief reading off the loop. Raises ErrorBaseDatos while starting or stopping."""
        return await self._abiertos().leer(tarea)

    async def escribir(self, tarea: Callable[[sqlite3.Connection], T]) -> T:
        """Run off the loop what may have to wait for another writer. Raises ErrorBaseDatos as `leer`."""
        return await self._abiertos().proponer(tarea)

    def sello(self, previa: str) -> str:
        """What a form must bring back to prove that it was given to whoever has that cookie."""
        return hmac.new(self._secreto, f"entrar|{previa}".encode(), hashlib.sha256).hexdigest()

    def sellado(self, previa: str, sello: str) -> bool:
        """Whether it is the seal of that cookie."""
        return bool(previa) and hmac.compare_digest(
            self.sello(previa).encode(), sello.encode("utf-8", "replace")
        )

    def _abiertos(self) -> Trabajadores:
        if self._hilos is None:
            raise ErrorBaseDatos("El servidor está arrancando o parando: prueba enseguida.")
        return self._hilos

    async def _vigilar(self) -> None:
        while True:
            await asyncio.sleep(CADA_S)
            try:
                await self._despedir_caducadas()
            except Exception:  # noqa: BLE001 - the next look must happen whatever befell this one
                REGISTRO.exception("No se ha podido mirar qué sesiones siguen abiertas")

    async def _despedir_caducadas(self) -> None:
        ahora, abiertas = self.reloj(), self.vivos.sesiones
        if not abiertas:
            return

        def caducadas(con: sqlite3.Connection) -> list[str]:
            return [huella for huella in abiertas if servicio.viva(con, huella, ahora) is None]

        for huella in await self.leer(caducadas):
            self.vivos.cerrar(huella)
