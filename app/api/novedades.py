"""One look at the store, a few times a second, for everybody who waits for something to change."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

from app.parada import se_para
from nucleo.recorridos.lectura.modelo import Pulso

REGISTRO = logging.getLogger(__name__)
PASO_S = 0.25
TRAS_FALLO_S = 1.0
COLA_MAX = 256
"""Changes that a client may be behind before it is dropped: it comes back and resumes."""

Mirar = Callable[[int], Awaitable[Sequence[Pulso]]]
"""Changes after a counter, oldest first; not necessarily all of them."""


class Cola:
    """The changes that one client has not been told yet."""

    def __init__(self) -> None:
        self._cola: asyncio.Queue[Pulso | None] = asyncio.Queue(COLA_MAX + 1)
        self.expulsada = False

    def poner(self, pulso: Pulso) -> None:
        """Add it; a client too far behind loses all, and is told to leave."""
        if self.expulsada:
            return
        if self._cola.qsize() >= COLA_MAX:
            self.cerrar()
        else:
            self._cola.put_nowait(pulso)

    def cerrar(self) -> None:
        """Nothing else will come."""
        self.expulsada = True
        while not self._cola.empty():
            self._cola.get_nowait()
        self._cola.put_nowait(None)

    async def siguiente(self, segundos: float) -> Pulso | None:
        """The next change; None when there is none in that time, or none will come (`expulsada`)."""
        if self.expulsada:
            return None
        try:
            async with asyncio.timeout(segundos):
                return await self._cola.get()
        except TimeoutError:
            return None


class Novedades:
    """`correr` looks, in a task of its own; the rest wait here, without thread nor transaction."""

    def __init__(self, mirar: Mirar, desde: int) -> None:
        """`desde`: the store's counter now."""
        self._mirar = mirar
        self._visto = desde
        self._colas: set[Cola] = set()
        self._esperas: dict[str, set[asyncio.Event]] = {}
        self._prisa = asyncio.Event()
        self.cerrado = False

    @property
    def corrientes(self) -> int:
        """How many hear everything."""
        return len(self._colas)

    @property
    def esperas(self) -> int:
        """How many wait for one run."""
        return sum(map(len, self._esperas.values()))

    def avisar(self) -> None:
        """Something has just been written here: look now."""
        self._prisa.set()

    @contextmanager
    def cola(self) -> Iterator[Cola]:
        """All changes from now on."""
        cola = Cola()
        if self.cerrado:
            cola.cerrar()
        self._colas.add(cola)
        try:
            yield cola
        finally:
            self._colas.discard(cola)

    @contextmanager
    def cambio_en(self, rid: str) -> Iterator[asyncio.Event]:
        """Set when that run changes, or when nobody should wait any more."""
        evento = asyncio.Event()
        if self.cerrado:
            evento.set()
        propios = self._esperas.setdefault(rid, set())
        propios.add(evento)
        try:
            yield evento
        finally:
            propios.discard(evento)
            if not propios and self._esperas.get(rid) is propios:
                del self._esperas[rid]

    async def correr(self) -> None:
        """Until cancelled, or until the web server is told to stop: then everybody is let go."""
        try:
            while not se_para():
                await self._una_vez()
                try:
                    async with asyncio.timeout(PASO_S):
                        await self._prisa.wait()
                except TimeoutError:
                    continue
                self._prisa.clear()
        finally:
            self._cerrar()

    async def _una_vez(self) -> None:
        try:
            cambios = await self._mirar(self._visto)
        except Exception:  # noqa: BLE001 - one bad look must not leave everybody waiting for ever
            REGISTRO.exception("no se ha podido mirar qué recorridos cambian")
            await asyncio.sleep(TRAS_FALLO_S)
            return
        for pulso in cambios:
            self._visto = max(self._visto, pulso.cambio)
            for cola in tuple(self._colas):
                cola.poner(pulso)
            for evento in self._esperas.get(pulso.id, ()):
                evento.set()
        if cambios:
            self.avisar()  # there may be more

    def _cerrar(self) -> None:
        self.cerrado = True
        for cola in tuple(self._colas):
            cola.cerrar()
        for eventos in self._esperas.values():
            for evento in eventos:
                evento.set()
