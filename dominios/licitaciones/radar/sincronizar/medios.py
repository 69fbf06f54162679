"""What a pass works with and is given from outside: pages, reading power, the clock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol

from dominios.licitaciones.radar.procesar import PaginaLeida, procesar_pagina
from dominios.licitaciones.radar.sincronizar.rescate import Descargar
from nucleo.red.cliente import Condicion, Respuesta
from nucleo.reloj import Reloj


class Obtener(Protocol):
    """The page source: `ClienteSeguro.obtener`, or a task around it."""

    def __call__(self, url: str, condicion: Condicion | None = None) -> Awaitable[Respuesta]:
        """200, 304, 404 or 410. Raises ErrorRed, DestinoProhibido."""


Procesar = Callable[[bytes, str, bytes | None], Awaitable[PaginaLeida]]
"""`procesar_pagina`, somewhere off the event loop: bytes, URL, dictionary."""


async def procesar_en_hilo(cuerpo: bytes, origen: str, diccionario: bytes | None) -> PaginaLeida:
    """In a thread of this process. Raises FuenteIlegible."""
    return await asyncio.to_thread(procesar_pagina, cuerpo, origen, diccionario)


class Medios(NamedTuple):
    """What a pass works with. Without `descargar` there is no rescue by ZIP: what is missing stays pending."""

    obtener: Obtener
    reloj: Reloj
    procesar: Procesar = procesar_en_hilo
    descargar: Descargar | None = None
    avance: Callable[[str], None] = lambda _: None
