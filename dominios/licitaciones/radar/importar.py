"""Files in, whole pages stored: Atom pages (plain or gzip) and ZIPs of pages, in any order, any dataset.

Reading goes to other processes when an executor is given; writing is done here, a transaction per page. A page
known to the byte is not read again. What cannot be read is set apart and the rest goes on.
"""

from __future__ import annotations

import gzip
import sqlite3
import time
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from hashlib import sha256
from pathlib import Path
from typing import IO, NamedTuple

from dominios.licitaciones.radar.almacen import (
    Recuento,
    entrenar_si_hay_bastantes,
    guardar_pagina,
    pagina_conocida,
)
from dominios.licitaciones.radar.apartado.almacen import Procedencia, guardar_cuarentena
from dominios.licitaciones.radar.modelo import Modelo
from dominios.licitaciones.radar.procesar import PaginaLeida, procesar_pagina
from dominios.licitaciones.radar.vista.almacen import vigentes
from nucleo.bd import transaccion
from nucleo.errores import ErrorEntrada, ErrorSobre, FuenteIlegible
from nucleo.reloj import Reloj

TAMANO_MAXIMO = 128 * 1024 * 1024
"""Bytes of one page, decompressed. Real ones reach 20 MB; a bigger one is a mistake or an attack."""

EN_VUELO = 3
"""Pages being read at once: enough to keep two readers busy, few enough to keep memory low."""


class Unidad(NamedTuple):
    """One page to be read: where it comes from and how to get its bytes (raises ErrorEntrada)."""

    origen: str
    nivel: str  # pagina | miembro
    leer: Callable[[], bytes]


class ResumenImportacion(Modelo):
    """The contract of `sobre radar importar --json`."""

    ficheros: int
    entradas: int
    lapidas: int
    versiones_nuevas: int
    sin_cambios: int
    vigentes: int
    cuarentena: int
    segundos: float


class Taller(NamedTuple):
    """What importing works with: the database, where pages are read (None: here), the clock, who hears of progress."""

    con: sqlite3.Connection
    ejecutor: Executor | None
    reloj: Reloj
    avance: Callable[[str], None]


def importar_ficheros(
    con: sqlite3.Connection,
    ficheros: Sequence[Path],
    ejecutor: Executor | None,
    reloj: Reloj,
    avance: Callable[[str], None],
) -> ResumenImportacion:
    """Import files; `avance` gets a line per page. Raises ErrorEntrada when a file is missing or a ZIP is broken."""
    inicio = time.monotonic()
    unidades = [unidad for fichero in ficheros for unidad in unidades_de(fichero)]
    total = sumar(importar_unidades(Taller(con, ejecutor, reloj, avance), unidades))
    return ResumenImportacion(
        ficheros=len(ficheros),
        entradas=total.entradas,
        lapidas=total.lapidas,
        versiones_nuevas=total.versiones_nuevas,
        sin_cambios=total.sin_cambios,
        cuarentena=total.cuarentena,
        vigentes=vigentes(con),
        segundos=round(time.monotonic() - inicio, 3),
    )


def unidades_de(fichero: Path) -> Iterator[Unidad]:
    """The pages of a file. The kind is told by its first bytes, never by its name."""
    if not fichero.is_file():
        raise ErrorEntrada(f"No existe el fichero {fichero}: revisa la ruta.", codigo="fichero_no_existe")
    with fichero.open("rb") as flujo:
        magia = flujo.read(4)
    if magia.startswith(b"PK"):
        yield from _miembros(fichero)
    elif magia.startswith(b"\x1f\x8b"):
        yield Unidad(fichero.name, "pagina", lambda: _leer_con_tope(gzip.GzipFile(fichero), fichero.name))
    else:
        yield Unidad(fichero.name, "pagina", lambda: _leer_con_tope(fichero.open("rb"), fichero.name))


def _miembros(fichero: Path) -> Iterator[Unidad]:
    """Every member but folders, in or out of the chain: names and labels decide nothing."""
    try:
        with zipfile.ZipFile(fichero) as archivo:
            miembros = [m for m in archivo.infolist() if not m.is_dir() and m.file_size > 0]
    except zipfile.BadZipFile as error:
        raise ErrorEntrada(
            f"{fichero.name} no es un ZIP completo: vuelve a descargarlo.", codigo="zip_roto"
        ) from error
    for miembro in miembros:
        yield Unidad(f"{fichero.name}!{miembro.filename}", "miembro", _lector(fichero, miembro))


def _lector(fichero: Path, miembro: zipfile.ZipInfo) -> Callable[[], bytes]:
    def leer() -> bytes:
        with zipfile.ZipFile(fichero) as archivo:
            return _leer_con_tope(archivo.open(miembro), f"{fichero.name}!{miembro.filename}")

    return leer


def _leer_con_tope(flujo: IO[bytes] | gzip.GzipFile, origen: str) -> bytes:
    """All the bytes, up to the cap. Raises ErrorEntrada when they cannot be read or are too many."""
    try:
        with flujo:
            cuerpo = flujo.read(TAMANO_MAXIMO + 1)
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise ErrorEntrada(f"{origen} no se puede descomprimir: {error}.", codigo="miembro_roto") from error
    if len(cuerpo) > TAMANO_MAXIMO:
        raise ErrorEntrada(
            f"{origen} pasa de {TAMANO_MAXIMO // 1024**2} MB descomprimido: no es una página de PLACSP.",
            codigo="demasiado_grande",
        )
    return cuerpo


def importar_unidades(taller: Taller, unidades: Iterable[Unidad]) -> Iterator[Recuento]:
    """Import pages one by one, yielding what each did, in the order given."""
    en_vuelo: deque[tuple[Unidad, bytes, Future[PaginaLeida]]] = deque()
    diccionario = _preparar_diccionario(taller)
    for unidad in unidades:
        try:
            cuerpo = unidad.leer()
        except ErrorEntrada as error:
            yield _apartar(taller, unidad, b"", error)
            continue
        conocida = pagina_conocida(taller.con, sha256(cuerpo).digest())
        if conocida is not None:
            yield conocida
            continue
        en_vuelo.append((unidad, cuerpo, _encargar(taller, cuerpo, unidad.origen, diccionario)))
        if len(en_vuelo) >= (EN_VUELO if taller.ejecutor else 1):
            yield _guardar(taller, *en_vuelo.popleft())
            diccionario = diccionario or _preparar_diccionario(taller)
    while en_vuelo:
        yield _guardar(taller, *en_vuelo.popleft())


def _preparar_diccionario(taller: Taller) -> bytes | None:
    with transaccion(taller.con):
        return entrenar_si_hay_bastantes(taller.con, taller.reloj())


def _encargar(taller: Taller, cuerpo: bytes, origen: str, diccionario: bytes | None) -> Future[PaginaLeida]:
    if taller.ejecutor is not None:
        return taller.ejecutor.submit(procesar_pagina, cuerpo, origen, diccionario)
    futuro: Future[PaginaLeida] = Future()
    try:
        futuro.set_result(procesar_pagina(cuerpo, origen, diccionario))
    except FuenteIlegible as error:
        futuro.set_exception(error)
    return futuro


def _guardar(taller: Taller, unidad: Unidad, cuerpo: bytes, futuro: Future[PaginaLeida]) -> Recuento:
    try:
        pagina = futuro.result()
    except FuenteIlegible as error:
        taller.avance(f"{unidad.origen}: apartada. {error.mensaje}")
        return _apartar(taller, unidad, cuerpo, error)
    with transaccion(taller.con):
        recuento = guardar_pagina(taller.con, pagina, taller.reloj())
    taller.avance(
        f"{unidad.origen}: {recuento.entradas} entradas, {recuento.versiones_nuevas} versiones nuevas,"
        f" {recuento.lapidas} lápidas"
    )
    return recuento


def _apartar(taller: Taller, unidad: Unidad, cuerpo: bytes, error: ErrorSobre) -> Recuento:
    """A page that cannot be read. Without bytes, its origin stands for them and tells it apart from others."""
    procedencia = Procedencia(unidad.nivel, unidad.origen)
    with transaccion(taller.con):
        guardar_cuarentena(taller.con, procedencia, cuerpo or unidad.origen.encode(), error, taller.reloj())
    return Recuento(entradas=0, lapidas=0, versiones_nuevas=0, sin_cambios=0, cuarentena=1)


def sumar(recuentos: Iterable[Recuento]) -> Recuento:
    """The sum of several counts."""
    suma = dict.fromkeys(Recuento.model_fields, 0)
    for recuento in recuentos:
        for campo, valor in recuento:
            suma[campo] += valor
    return Recuento(**suma)
