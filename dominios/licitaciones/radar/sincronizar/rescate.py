"""The ZIPs that hold a stretch of a channel whose pages cannot be had."""

from __future__ import annotations

import asyncio
import zipfile
import zlib
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from dominios.licitaciones.radar.atom import ATOM
from dominios.licitaciones.radar.fechas import leer_instante
from dominios.licitaciones.radar.historico.plan import Zip, que_cubren
from dominios.licitaciones.radar.importar import ResumenImportacion, Taller, importar_archivo
from dominios.licitaciones.radar.sincronizar.modelo import (
    Alarma,
    MesesAusentes,
    MesesLeidos,
    PedirMeses,
)
from nucleo.bd import conectar
from nucleo.errores import ErrorSobre
from nucleo.reloj import MADRID, Reloj, desde_micros

Descargar = Callable[[Zip], Awaitable[Path | None]]
"""The whole ZIP on disk, or None when the source has none; the caller owns the file. Raises ErrorRed."""

ZIPS_MAXIMOS = 12
"""A longer hole is history to be loaded by a person, not something for a pass to take in on its own."""


class Rescate(NamedTuple):
    """What came of it: for the planner, and what went into the store."""

    suceso: MesesLeidos | MesesAusentes
    importados: tuple[ResumenImportacion, ...] = ()


class Socorro(NamedTuple):
    """What a rescue works with: database file, dataset and head, who downloads, the clock."""

    base: Path
    fuente: str
    cabecera: str
    descargar: Descargar | None
    reloj: Reloj


async def rescatar(pedido: PedirMeses, socorro: Socorro) -> Rescate:
    """Take in the ZIPs of the months asked for, oldest first. What came in stays, also when a later one is missing."""
    zips = que_cubren(socorro.fuente, socorro.cabecera, _dia(pedido.desde), _dia(pedido.hasta))
    if socorro.descargar is None or len(zips) > ZIPS_MAXIMOS:
        return Rescate(_ausente("El tramo que falta no se puede completar con los ZIP mensuales."))
    importados: list[ResumenImportacion] = []
    hasta: int | None = None
    for pieza in zips:
        try:
            fichero = await socorro.descargar(pieza)
            if fichero is None:
                return Rescate(_ausente(f"El ZIP {pieza.url} no está en la fuente."), tuple(importados))
            hasta = await asyncio.to_thread(llega_hasta, fichero)
            importados.append(await asyncio.to_thread(_importar, fichero, socorro))
            if hasta is None:
                motivo = f"El ZIP {pieza.url} trae páginas que no se pueden leer enteras."
                return Rescate(_ausente(motivo), tuple(importados))
        except ErrorSobre as error:
            motivo = f"El ZIP {pieza.url} no se pudo leer: {error.mensaje}"
            return Rescate(_ausente(motivo), tuple(importados))
    return Rescate(MesesLeidos(hasta=hasta), tuple(importados))


def llega_hasta(fichero: Path) -> int | None:
    """The newest feed/updated among the pages of a ZIP, in microseconds.

    None when it holds no page, or one that is not whole: then it proves nothing about what is missing.
    """
    try:
        with zipfile.ZipFile(fichero) as archivo:
            paginas = [m for m in archivo.namelist() if m.lower().endswith((".atom", ".xml"))]
            instantes = [_generada(archivo, pagina) for pagina in paginas]
    except (zipfile.BadZipFile, zlib.error, OSError, etree.XMLSyntaxError):
        return None
    return None if None in instantes else max((i for i in instantes if i is not None), default=None)


def _generada(archivo: zipfile.ZipFile, pagina: str) -> int | None:
    """Reads the page to its end, keeping nothing of it. Raises etree.XMLSyntaxError when it is cut."""
    generada = None
    with archivo.open(pagina) as abierta:
        for _, elemento in etree.iterparse(
            abierta, events=("end",), resolve_entities=False, no_network=True, load_dtd=False
        ):
            padre = elemento.getparent()
            if padre is None or padre.getparent() is not None:
                continue
            if elemento.tag == f"{ATOM}updated" and padre.tag == f"{ATOM}feed":
                generada = leer_instante(elemento.text)
            elemento.clear()
    return generada


def _importar(fichero: Path, socorro: Socorro) -> ResumenImportacion:
    """In this thread, with its own connection: one of SQLite's belongs to the thread that opened it."""
    with closing(conectar(socorro.base)) as con:
        resumen = importar_archivo(Taller(con, None, socorro.reloj, lambda _: None), fichero)
    fichero.unlink(missing_ok=True)
    return resumen


def _ausente(motivo: str) -> MesesAusentes:
    return MesesAusentes(alarma=Alarma(codigo="zip_ausente", mensaje=motivo))


def _dia(instante: int) -> date:
    """PLACSP cuts its months by Madrid's clock."""
    return desde_micros(instante).astimezone(MADRID).date()
