"""Reading again what is stored, after the mapping has changed: nothing is downloaded, nothing is lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime

from lxml import etree

from dominios.licitaciones.radar.almacen import Recuento, guardar_pagina
from dominios.licitaciones.radar.apartado.almacen import (
    Procedencia,
    contenido,
    listar_cuarentena,
    resolver_cuarentena,
)
from dominios.licitaciones.radar.consulta.almacen import VersionGuardada
from dominios.licitaciones.radar.modelo import Modelo
from dominios.licitaciones.radar.procesar import (
    EntradaApartada,
    EntradaLeida,
    PaginaLeida,
    leer_entrada,
    procesar_pagina,
)
from dominios.licitaciones.radar.relectura.almacen import actualizar_lectura, lote_de_versiones
from nucleo.bd import transaccion
from nucleo.errores import FuenteIlegible
from nucleo.reloj import Reloj

LOTE = 500
"""Versions read again per transaction."""

_ANALIZADOR = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)


class ResumenRemapeo(Modelo):
    """`ilegibles`: stored versions that the present mapping cannot read (they stay as they were)."""

    versiones: int
    ilegibles: int
    recuperadas: int
    cuarentena: int


def remapear(con: sqlite3.Connection, reloj: Reloj, avance: Callable[[str], None]) -> ResumenRemapeo:
    """Derive everything again from the stored XML, then try what is in quarantine once more.

    In lots, each a transaction: killed half-way, running it again ends the work.
    """
    leidas = ilegibles = ultimo = 0
    while lote := lote_de_versiones(con, ultimo, LOTE):
        entradas = [(v, _releer(v)) for v in lote]
        buenas = [(v.id, e) for v, e in entradas if isinstance(e, EntradaLeida)]
        with transaccion(con):
            actualizar_lectura(con, buenas, reloj())
        leidas += len(lote)
        ilegibles += len(lote) - len(buenas)
        ultimo = lote[-1].id
        avance(f"{leidas} versiones leídas de nuevo")
    recuperadas = reintentar_cuarentena(con, reloj)
    return ResumenRemapeo(
        versiones=leidas,
        ilegibles=ilegibles,
        recuperadas=recuperadas,
        cuarentena=len(listar_cuarentena(con)),
    )


def _releer(version: VersionGuardada) -> EntradaLeida | EntradaApartada:
    return leer_entrada(etree.fromstring(version.xml, _ANALIZADOR), version.xml, None)


def reintentar_cuarentena(con: sqlite3.Connection, reloj: Reloj) -> int:
    """Try to take in what was set apart; returns how many went in."""
    recuperadas = 0
    for apartada in listar_cuarentena(con):
        cuerpo, instante = contenido(con, apartada.id)
        pagina = _pagina_de(cuerpo, Procedencia(apartada.nivel, apartada.origen, instante))
        if pagina is None:
            continue
        with transaccion(con):
            _guardar(con, pagina, apartada.id, reloj())
        recuperadas += 1
    return recuperadas


def _guardar(con: sqlite3.Connection, pagina: PaginaLeida, cuarentena_id: int, ahora: datetime) -> Recuento:
    recuento = guardar_pagina(con, pagina, ahora)
    resolver_cuarentena(con, cuarentena_id, ahora)
    return recuento


def _pagina_de(cuerpo: bytes, procedencia: Procedencia) -> PaginaLeida | None:
    """What was set apart as a page of its own, or None when it still cannot be read."""
    try:
        if procedencia.nivel != "entrada":
            return procesar_pagina(cuerpo, procedencia.origen)
        elemento = etree.fromstring(cuerpo, _ANALIZADOR)
    except (FuenteIlegible, etree.XMLSyntaxError):
        return None
    leida = leer_entrada(elemento, cuerpo, None)
    if isinstance(leida, EntradaApartada):
        return None
    return PaginaLeida(
        huella=leida.huella,
        origen=procedencia.origen,
        fuente=leida.fuente,
        instante=procedencia.pagina_instante,
        enlaces={},
        entradas=(leida,),
        lapidas=(),
        cuarentenas=(),
        instante_max=leida.instante,
        instante_min=leida.instante,
        diccionario=None,
    )
