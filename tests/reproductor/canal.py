"""A syndication channel that lives: it grows at the head, freezes full pages, renames them and ships monthly ZIPs."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from tests.reproductor.paginas import MADRID, Cosa, Enlaces, pagina


class Escaparate(Protocol):
    """Where the channel shows its files (the server, or a dictionary in a pure test)."""

    def poner(self, ruta: str, cuerpo: bytes, tipo: str | None = None) -> None:
        """Publish."""

    def quitar(self, ruta: str) -> None:
        """Take down."""


@dataclass(frozen=True)
class Congelada:
    """A frozen page: its file name, what it holds and when it was generated."""

    nombre: str
    cosas: tuple[Cosa, ...]
    generada: datetime


class Canal:
    """`base` prefixes the links ("" writes them relative, as in 2019-22; a folder URL writes them absolute)."""

    def __init__(
        self,
        escaparate: Escaparate,
        por_pagina: int = 5,
        carpeta: str = "/sindicacion_643",
        nombre: str = "licitacionesPerfilesContratanteCompleto3",
        base: str = "",
    ) -> None:
        self._escaparate = escaparate
        self._por_pagina = por_pagina
        self._carpeta = carpeta
        self._nombre = nombre
        self._base = base
        self._actuales: tuple[Cosa, ...] = ()
        self._congeladas: list[Congelada] = []
        self._serie = 0

    @property
    def ruta(self) -> str:
        """Path of the head."""
        return f"{self._carpeta}/{self._nombre}.atom"

    @property
    def cosas(self) -> tuple[Cosa, ...]:
        """Everything the channel publishes, newest first."""
        return (*self._actuales, *(c for p in self._congeladas for c in p.cosas))

    def ruta_congelada(self, numero: int) -> str:
        """Path of the frozen page `numero` (0 = the newest one)."""
        return f"{self._carpeta}/{self._congeladas[numero].nombre}"

    def anotar(self, cosas: Sequence[Cosa], generada: datetime) -> None:
        """Publish these at the head at `generada`; what no longer fits moves to new frozen pages."""
        todas = tuple(sorted((*self._actuales, *cosas), key=lambda c: c.instante, reverse=True))
        while len(todas) > self._por_pagina:
            todas, viejas = todas[: -self._por_pagina], todas[-self._por_pagina :]
            self._congeladas.insert(0, Congelada(self._nuevo_nombre(generada), viejas, generada))
        self._actuales = todas
        self.publicar(generada)

    def renombrar(self, numero: int, generada: datetime) -> None:
        """The frozen page `numero` appears under another name; the old one is gone (404)."""
        vieja = self._congeladas[numero]
        self._escaparate.quitar(f"{self._carpeta}/{vieja.nombre}")
        self._congeladas[numero] = replace(vieja, nombre=self._nuevo_nombre(generada))
        self.publicar(generada)

    def publicar(self, generada: datetime) -> None:
        """Write the head and every frozen page."""
        nombres = [f"{self._nombre}.atom", *(p.nombre for p in self._congeladas)]
        paginas = [(self._actuales, generada), *((p.cosas, p.generada) for p in self._congeladas)]
        for i, (cosas, cuando) in enumerate(paginas):
            enlaces = Enlaces(
                propio=self._base + nombres[i],
                primero=self._base + nombres[0],
                anterior=self._base + nombres[i - 1] if i else None,
                siguiente=self._base + nombres[i + 1] if i + 1 < len(nombres) else None,
            )
            self._escaparate.poner(f"{self._carpeta}/{nombres[i]}", pagina(cosas, enlaces, cuando))

    def ruta_zip(self, mes: str) -> str:
        """Path of the ZIP of month `mes` (YYYYMM)."""
        return f"{self._carpeta}/{self._nombre}_{mes}.zip"

    def publicar_zip(self, mes: str, generada: datetime) -> None:
        """Ship the ZIP of a month with what the channel holds of it, in pages of its own."""
        suyas = [c for c in self.cosas if c.instante.astimezone(MADRID).strftime("%Y%m") == mes]
        memoria = io.BytesIO()
        with zipfile.ZipFile(memoria, "w", zipfile.ZIP_DEFLATED) as archivo:
            for i in range(0, max(len(suyas), 1), self._por_pagina):
                nombre = f"{self._nombre}_{mes}_{i}.atom"
                enlaces = Enlaces(propio=nombre, primero=f"{self._nombre}.atom")
                archivo.writestr(nombre, pagina(tuple(suyas[i : i + self._por_pagina]), enlaces, generada))
        self._escaparate.poner(self.ruta_zip(mes), memoria.getvalue(), "application/zip")

    def _nuevo_nombre(self, generada: datetime) -> str:
        self._serie += 1
        return f"{self._nombre}_{generada.astimezone(MADRID):%Y%m%d_%H%M%S}_{self._serie}.atom"
