"""The Hermes profiles that the queue may use: a client for each, and whether each is fit for launching now."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from datetime import datetime
from types import TracebackType
from typing import Self

from nucleo.bd import transaccion
from nucleo.cola.frenos import almacen
from nucleo.cola.reglas import EstadoPerfil
from nucleo.errores import ErrorSobre
from nucleo.hermes.cliente import ClienteHermes, mirar
from nucleo.hermes.perfiles import Hermes, Perfil
from nucleo.hermes.vigia import herramientas_vistas, observar

Contacto = Callable[[sqlite3.Connection, str], datetime | None]
"""Agent's name → when our MCP server last saw it; a profile comes in with the agent of its own name."""


class Perfiles:
    """Asynchronous context manager: the clients are open inside."""

    def __init__(
        self,
        hermes: Hermes,
        contacto: Contacto,
        dormir: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.hermes = hermes
        self._dormir = dormir
        self._contacto = contacto
        self._clientes: dict[str, ClienteHermes] = {}
        self._abiertos = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Asks nobody anything yet."""
        for perfil in self.hermes.perfiles:
            cliente = ClienteHermes(perfil.url, perfil.clave.get_secret_value(), dormir=self._dormir)
            self._clientes[perfil.nombre] = await self._abiertos.enter_async_context(cliente)
        return self

    async def __aexit__(
        self, tipo: type[BaseException] | None, error: BaseException | None, traza: TracebackType | None
    ) -> None:
        """Close every connection."""
        await self._abiertos.aclose()

    @property
    def clientes(self) -> Mapping[str, ClienteHermes]:
        """By profile."""
        return self._clientes

    def de(self, nombre: str) -> EstadoPerfil:
        """What is known of a profile without asking, also of one that is not configured any more."""
        perfil = self.hermes.perfil(nombre)
        return EstadoPerfil(nombre=nombre, proveedor=perfil.proveedor if perfil else "desconocido")

    async def estados(self, con: sqlite3.Connection, ahora: datetime) -> tuple[EstadoPerfil, ...]:
        """Every configured profile, looked at now, all at once: one that hangs makes nobody wait twice."""
        return tuple(await asyncio.gather(*(self._estado(con, p, ahora) for p in self.hermes.perfiles)))

    async def _estado(self, con: sqlite3.Connection, perfil: Perfil, ahora: datetime) -> EstadoPerfil:
        motivo = await self._motivo(con, perfil.nombre, ahora)
        return EstadoPerfil(nombre=perfil.nombre, proveedor=perfil.proveedor, motivo=motivo)

    async def _motivo(self, con: sqlite3.Connection, nombre: str, ahora: datetime) -> str | None:
        """Why it is not fit; None when it is. Health alone does not tell: Hermes feels well without our tools."""
        try:
            salud = await mirar(self._clientes[nombre])
            sirve = salud is None or (await self._clientes[nombre].capacidades()).bastan
        except ErrorSobre as error:
            return error.mensaje
        with transaccion(con):
            actual = observar(almacen.proceso(con, nombre), salud.pid if salud else None, ahora)
            almacen.anotar_proceso(con, nombre, actual)
        if salud is None:
            return f"El Hermes del perfil «{nombre}» no está en marcha."
        if not sirve:
            return f"El Hermes del perfil «{nombre}» ({salud.version}) no ofrece lo que la cola necesita."
        if not herramientas_vistas(actual, self._contacto(con, nombre), ahora):
            return (
                f"El Hermes del perfil «{nombre}» no ha pasado por nuestro servidor de herramientas desde que"
                " arrancó: comprueba su token y reinícialo."
            )
        return None
