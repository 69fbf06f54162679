"""One request at a time per host, with a pause between two."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager


class Turnos:
    """Holds a host for as long as its request lasts, waits between attempts included."""

    def __init__(self, pausa_s: float, dormir: Callable[[float], Awaitable[None]]) -> None:
        self._pausa_s = pausa_s
        self._dormir = dormir
        self._candados: dict[str, asyncio.Lock] = {}
        self._libre_desde: dict[str, float] = {}

    @asynccontextmanager
    async def de(self, host: str) -> AsyncIterator[None]:
        """The turn of `host`; enters at least `pausa_s` seconds after the previous one ended."""
        bucle = asyncio.get_running_loop()
        async with self._candados.setdefault(host, asyncio.Lock()):
            falta = self._libre_desde.get(host, 0.0) + self._pausa_s - bucle.time()
            if host in self._libre_desde and falta > 0:
                await self._dormir(falta)
            try:
                yield
            finally:
                self._libre_desde[host] = bucle.time()
