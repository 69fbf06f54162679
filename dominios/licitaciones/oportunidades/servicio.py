"""Search for opportunities: pages, capped counts, values for the filters and the age of each source."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Literal

from dominios.licitaciones.oportunidades import almacen
from dominios.licitaciones.oportunidades.filtrado.almacen import Consulta, preparar_consulta
from dominios.licitaciones.oportunidades.modelos import (
    TOPE_RECUENTO,
    Cursor,
    Faceta,
    Facetas,
    Filtro,
    Frescura,
    Oportunidad,
    Orden,
    Pagina,
    PaginaResultados,
    Procedencia,
    Recuento,
)
from dominios.licitaciones.radar.consulta.ver import desenlace_visto
from nucleo.errores import NoEncontrado
from nucleo.reloj import a_micros, desde_micros
from nucleo.texto import consulta_fts

Clase = Literal["presupuesto", "valor_estimado"]


def buscar(
    con: sqlite3.Connection, filtro: Filtro, orden: Orden, pagina: Pagina, ahora: datetime
) -> PaginaResultados:
    """One page of what matches; pages chained by their cursors visit every row once. `ahora` is aware."""
    consulta = _consulta(filtro, ahora)
    if consulta is None:
        return PaginaResultados(filas=(), anterior=None, siguiente=None)
    peticion = almacen.Peticion(consulta, orden, pagina.cursor, pagina.filas + 1)
    filas = almacen.leer_pagina(con, peticion)
    sobra = len(filas) > pagina.filas
    if sobra:
        filas = filas[1:] if peticion.atras else filas[:-1]
    hay_antes = sobra if peticion.atras else pagina.cursor is not None
    hay_despues = peticion.atras or sobra
    return PaginaResultados(
        filas=tuple(_oportunidad(fila, ahora) for fila in filas),
        anterior=_cursor(filas[0], "antes") if filas and hay_antes else None,
        siguiente=_cursor(filas[-1], "despues") if filas and hay_despues else None,
    )


def recorrer(con: sqlite3.Connection, filtro: Filtro, orden: Orden, ahora: datetime) -> Iterator[Oportunidad]:
    """Every match in order, page after page."""
    pagina: Pagina | None = Pagina(filas=200)
    while pagina is not None:
        resultados = buscar(con, filtro, orden, pagina, ahora)
        yield from resultados.filas
        siguiente = resultados.siguiente
        pagina = Pagina(cursor=siguiente, filas=200) if siguiente is not None else None


def contar(con: sqlite3.Connection, filtro: Filtro, ahora: datetime, tope: int = TOPE_RECUENTO) -> Recuento:
    """How many match, exact up to `tope`."""
    consulta = _consulta(filtro, ahora)
    total = almacen.contar_hasta(con, consulta, tope + 1) if consulta is not None else 0
    return Recuento(total=min(total, tope), hay_mas=total > tope)


def recuento_de(resultados: PaginaResultados) -> Recuento | None:
    """The count when the page holds the whole list, which needs no query; otherwise None."""
    if resultados.anterior is not None or resultados.siguiente is not None:
        return None
    return Recuento(total=len(resultados.filas), hay_mas=False)


def facetas(con: sqlite3.Connection) -> Facetas:
    """The values present among current tenders: worth keeping for minutes, it reads a whole index."""
    combinaciones = almacen.valores_frecuentes(con)
    return Facetas(
        tipo_registro=_sumar((c[0], c[5]) for c in combinaciones),
        fuente=_sumar((c[1], c[5]) for c in combinaciones),
        estado=_sumar((c[2], c[5]) for c in combinaciones),
        tipo=_sumar((c[3], c[5]) for c in combinaciones),
        procedimiento=_sumar((c[4], c[5]) for c in combinaciones),
    )


def frescura(con: sqlite3.Connection) -> tuple[Frescura, ...]:
    """The newest published instant that has been read of each source."""
    return tuple(
        Frescura(fuente=fuente, ultima=desde_micros(instante))
        for fuente, instante in almacen.ultimas_paginas(con)
    )


def leer(con: sqlite3.Connection, licitacion_id: int, ahora: datetime) -> Oportunidad:
    """The row of one tender, hidden ones included. Raises NoEncontrado."""
    fila = almacen.leer_fila(con, licitacion_id)
    if fila is None:
        raise _no_existe(licitacion_id)
    return _oportunidad(fila, ahora)


def procedencia(con: sqlite3.Connection, licitacion_id: int) -> Procedencia:
    """Which dataset published a tender, when, and when we read it. Raises NoEncontrado."""
    lectura = almacen.leer_lectura(con, licitacion_id)
    if lectura is None:
        raise _no_existe(licitacion_id)
    fuente, instante, alta, origen = lectura
    return Procedencia(
        fuente=fuente,
        actualizada=desde_micros(instante),
        leida=None if alta is None else datetime.fromisoformat(alta),
        origen=origen,
    )


def _no_existe(licitacion_id: int) -> NoEncontrado:
    return NoEncontrado(f"No hay ninguna licitación con número interno {licitacion_id}.")


def _consulta(filtro: Filtro, ahora: datetime) -> Consulta | None:
    """The SQL of the filter; None when it has text without a single word to look for (nothing matches that)."""
    coincidencia = consulta_fts(filtro.texto)
    if coincidencia is None and filtro.texto.strip():
        return None
    return preparar_consulta(filtro, coincidencia, a_micros(ahora))


def _sumar(pares: Iterable[tuple[str | None, int]]) -> tuple[Faceta, ...]:
    cuentas: Counter[str] = Counter()
    for valor, cuantas in pares:
        if valor is not None:
            cuentas[valor] += cuantas
    return tuple(Faceta(valor=v, cuantas=n) for v, n in sorted(cuentas.items(), key=lambda p: (-p[1], p[0])))


def _cursor(fila: sqlite3.Row, sentido: Literal["despues", "antes"]) -> Cursor:
    return Cursor(tramo=fila["c_tramo"], valor=fila["c_valor"], id=fila["c_id"], sentido=sentido)


def _oportunidad(fila: sqlite3.Row, ahora: datetime) -> Oportunidad:
    iguales = (
        "id", "entrada_id", "cola", "fuente", "tipo_registro", "expediente", "objeto", "organo", "estado", "tipo",
        "procedimiento", "cpv", "nuts", "plazo_local", "publicada", "n_lotes",
    )  # fmt: skip
    importe: int | None = fila["importe"]
    clase: Clase = "valor_estimado" if fila["presupuesto"] is None else "presupuesto"
    en_plazo = fila["cierre"] is not None and fila["cierre"] > a_micros(ahora)
    return Oportunidad(
        **{campo: fila[campo] for campo in iguales},
        importe=None if importe is None else Decimal(importe) / 100,
        importe_clase=clase if importe is not None else None,
        plazo=None if fila["plazo"] is None else desde_micros(fila["plazo"]),
        en_plazo=en_plazo,
        # A market consultation takes answers, not offers.
        abierta=en_plazo and fila["tipo_registro"] != "consulta",
        desenlace=desenlace_visto(fila["desenlace"], None, en_plazo=en_plazo),
        actualizada=desde_micros(fila["instante"]),
        avisos=tuple(json.loads(fila["avisos"])),
    )
