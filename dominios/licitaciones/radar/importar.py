"""Files in, whole pages stored: any order, any dataset, as many times as one likes.

Reading goes to other processes when an executor is given; writing is done here, a transaction per page. A page
known to the byte is not read again. What cannot be read is set apart and the rest goes on.
"""

from __future__ import annotations

import gc
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from functools import lru_cache
from hashlib import sha256
from multiprocessing import parent_process
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from dominios.licitaciones.radar.almacen import (
    Recuento,
    entrenar_si_hay_bastantes,
    guardar_pagina,
    pagina_conocida,
)
from dominios.licitaciones.radar.apartado.almacen import Procedencia, guardar_cuarentena
from dominios.licitaciones.radar.modelo import Modelo
from dominios.licitaciones.radar.procesar import PaginaLeida, procesar_pagina
from dominios.licitaciones.radar.unidades import ZIP_ROTO, Unidad, leer_unidad, unidades_de
from dominios.licitaciones.radar.vista.almacen import vigentes
from nucleo.bd import conectar_lectura, fichero_de, transaccion
from nucleo.errores import ErrorEntrada, ErrorSobre, FuenteIlegible
from nucleo.reloj import Reloj

EN_VUELO = 3
"""Pages being read at once: enough to keep two readers busy, few enough to keep memory low."""


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
    """Import files; `avance` gets a line per page.

    A ZIP that cannot be opened is set apart by its name and the others go in. Raises ErrorEntrada, before anything
    is stored, when a file cannot be read at all (it does not exist, no permission).
    """
    inicio = time.monotonic()
    taller = Taller(con, ejecutor, reloj, avance)
    unidades, rotos = _desplegar(ficheros)
    recuentos = [*(_apartar(taller, u, e) for u, e in rotos), *importar_unidades(taller, unidades)]
    return _resumir(con, len(ficheros), recuentos, time.monotonic() - inicio)


def importar_archivo(taller: Taller, fichero: Path) -> ResumenImportacion:
    """Import one file whose being whole matters to the caller. Raises ErrorEntrada when it cannot be opened."""
    inicio = time.monotonic()
    recuentos = [*importar_unidades(taller, [*unidades_de(fichero)])]
    return _resumir(taller.con, 1, recuentos, time.monotonic() - inicio)


def _resumir(
    con: sqlite3.Connection, ficheros: int, recuentos: Sequence[Recuento], segundos: float
) -> ResumenImportacion:
    total = sumar(recuentos)
    return ResumenImportacion(
        ficheros=ficheros,
        entradas=total.entradas,
        lapidas=total.lapidas,
        versiones_nuevas=total.versiones_nuevas,
        sin_cambios=total.sin_cambios,
        cuarentena=total.cuarentena,
        vigentes=vigentes(con),
        segundos=round(segundos, 3),
    )


def _desplegar(ficheros: Sequence[Path]) -> tuple[list[Unidad], list[tuple[Unidad, ErrorEntrada]]]:
    """The pages of the files, and the ZIPs that cannot be opened with the reason."""
    unidades: list[Unidad] = []
    rotos: list[tuple[Unidad, ErrorEntrada]] = []
    for fichero in ficheros:
        try:
            unidades += unidades_de(fichero)
        except ErrorEntrada as error:
            if error.codigo != ZIP_ROTO:
                raise
            rotos.append((Unidad(fichero, 0, fichero.name), error))
    return unidades, rotos


def importar_unidades(taller: Taller, unidades: Iterable[Unidad]) -> Iterator[Recuento]:
    """Import pages one by one, yielding what each did, in the order given."""
    en_vuelo: deque[tuple[Unidad, Future[PaginaLeida | Recuento]]] = deque()
    diccionario = _preparar_diccionario(taller)
    fichero_bd = fichero_de(taller.con)
    for unidad in unidades:
        en_vuelo.append((unidad, _encargar(taller, fichero_bd, unidad, diccionario)))
        if len(en_vuelo) >= (EN_VUELO if taller.ejecutor else 1):
            yield _guardar(taller, *en_vuelo.popleft())
            diccionario = diccionario or _preparar_diccionario(taller)
    while en_vuelo:
        yield _guardar(taller, *en_vuelo.popleft())


def preparar_lector() -> None:
    """For a process that only reads pages.

    It does not outlive who asks it: one that is killed could not say goodbye, and its readers would wait for ever.
    """
    aliviar_recolector()
    Thread(target=_acabar_con_quien_pide, daemon=True).start()


def aliviar_recolector() -> None:
    """For a process that only imports, reading or writing: what it makes is short-lived and has no cycles worth
    looking for; looking cost a sixth of the time of writing.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def _acabar_con_quien_pide() -> None:
    padre = parent_process()
    if padre is not None:
        padre.join()
        os._exit(1)


def leer_pagina_nueva(fichero_bd: Path, unidad: Unidad, diccionario: bytes | None) -> PaginaLeida | Recuento:
    """Read one page, or say what it holds when it went in before. Runs in whatever process.

    Raises ErrorEntrada or FuenteIlegible when it cannot be read.
    """
    return _leer_nueva(_lectura(fichero_bd), unidad, diccionario)


def _leer_nueva(con: sqlite3.Connection, unidad: Unidad, diccionario: bytes | None) -> PaginaLeida | Recuento:
    cuerpo = leer_unidad(unidad)
    huella = sha256(cuerpo).digest()
    return pagina_conocida(con, huella) or procesar_pagina(cuerpo, unidad.origen, diccionario, huella)


@lru_cache(maxsize=1)
def _lectura(fichero_bd: Path) -> sqlite3.Connection:
    """This process's connection for asking (an executor that forks must have done so before the first is opened)."""
    return conectar_lectura(fichero_bd)


def _preparar_diccionario(taller: Taller) -> bytes | None:
    with transaccion(taller.con):
        return entrenar_si_hay_bastantes(taller.con, taller.reloj())


def _encargar(
    taller: Taller, fichero_bd: Path, unidad: Unidad, diccionario: bytes | None
) -> Future[PaginaLeida | Recuento]:
    if taller.ejecutor is not None:
        return taller.ejecutor.submit(leer_pagina_nueva, fichero_bd, unidad, diccionario)
    futuro: Future[PaginaLeida | Recuento] = Future()
    try:
        # The caller's connection: one of SQLite's belongs to its thread, and callers may be threads.
        futuro.set_result(_leer_nueva(taller.con, unidad, diccionario))
    except (ErrorEntrada, FuenteIlegible) as error:
        futuro.set_exception(error)
    return futuro


def _guardar(taller: Taller, unidad: Unidad, futuro: Future[PaginaLeida | Recuento]) -> Recuento:
    try:
        leida = futuro.result()
    except (ErrorEntrada, FuenteIlegible) as error:
        taller.avance(f"{unidad.origen}: apartada. {error.mensaje}")
        return _apartar(taller, unidad, error)
    if isinstance(leida, Recuento):
        taller.avance(f"{unidad.origen}: ya estaba, {leida.entradas} entradas")
        return leida
    with transaccion(taller.con):
        recuento = guardar_pagina(taller.con, leida, taller.reloj())
    taller.avance(
        f"{unidad.origen}: {recuento.entradas} entradas, {recuento.versiones_nuevas} versiones nuevas,"
        f" {recuento.lapidas} lápidas"
    )
    return recuento


def _apartar(taller: Taller, unidad: Unidad, error: ErrorSobre) -> Recuento:
    """A page that cannot be read, as it came; when not even its bytes can be had, its name stands for them."""
    try:
        cuerpo = leer_unidad(unidad)
    except ErrorEntrada:
        cuerpo = unidad.origen.encode()
    with transaccion(taller.con):
        guardar_cuarentena(
            taller.con, Procedencia(unidad.nivel, unidad.origen), cuerpo, error, taller.reloj()
        )
    return Recuento(entradas=0, lapidas=0, versiones_nuevas=0, sin_cambios=0, cuarentena=1)


def sumar(recuentos: Iterable[Recuento]) -> Recuento:
    """The sum of several counts."""
    suma = dict.fromkeys(Recuento.model_fields, 0)
    for recuento in recuentos:
        for campo, valor in recuento:
            suma[campo] += valor
    return Recuento(**suma)
