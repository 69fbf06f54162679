"""What a list must answer, worked out row by row in Python, without index, plan or full-text search."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import Any

from dominios.licitaciones.oportunidades.modelos import Filtro, Orden
from nucleo.reloj import a_micros
from nucleo.texto import plegar, raices

DIA = 86_400_000_000
Fila = dict[str, Any]


def leer_todo(con: sqlite3.Connection) -> list[Fila]:
    """Every tender with its codes and its stored words."""
    cursor = con.cursor()
    cursor.row_factory = sqlite3.Row
    filas = [dict(f) for f in cursor.execute("SELECT * FROM licitacion")]
    for fila in filas:
        uno = (fila["id"],)
        fila["cpvs"] = [
            c for (c,) in con.execute("SELECT cpv FROM licitacion_cpv WHERE licitacion_id = ?", uno)
        ]
        fila["nutss"] = [
            c for (c,) in con.execute("SELECT nuts FROM licitacion_nuts WHERE licitacion_id = ?", uno)
        ]
        fila["palabras"] = " ".join(
            con.execute("SELECT * FROM licitacion_texto WHERE rowid = ?", uno).fetchone()
        ).split()
    return filas


def esperadas(filas: list[Fila], filtro: Filtro, orden: Orden, ahora: datetime) -> list[int]:
    """Ids that must come, in their order."""
    instante = a_micros(ahora)
    buenas = [f for f in filas if f["vigente"] and _cumple(f, filtro, instante)]
    return [f["id"] for f in sorted(buenas, key=lambda f: _clave(f, orden, instante))]


def _cumple(fila: Fila, filtro: Filtro, ahora: int) -> bool:
    for campo in ("tipo_registro", "fuente", "estado", "tipo", "procedimiento"):
        valores = getattr(filtro, campo)
        if valores and fila[campo] not in valores:
            return False
    return (
        _empieza(fila["cpvs"], filtro.cpv)
        and _empieza(fila["nutss"], filtro.nuts)
        and _importe(fila["importe"], filtro)
        and _cierre(fila["cierre"], filtro, ahora)
        and (not filtro.con_avisos or fila["avisos"] != "[]")
        and _palabras(fila["palabras"], filtro.texto)
    )


def _empieza(codigos: list[str], ramas: tuple[str, ...]) -> bool:
    return not ramas or any(c.startswith(r) for c in codigos for r in ramas)


def _importe(centimos: int | None, filtro: Filtro) -> bool:
    if filtro.importe_min is None and filtro.importe_max is None:
        return True
    if centimos is None:
        return False
    return (filtro.importe_min is None or centimos >= filtro.importe_min * 100) and (
        filtro.importe_max is None or centimos <= filtro.importe_max * 100
    )


def _cierre(cierre: int | None, filtro: Filtro, ahora: int) -> bool:
    if not filtro.solo_abiertas and filtro.cierra_en_dias is None:
        return True
    if cierre is None or cierre <= ahora:
        return False
    return filtro.cierra_en_dias is None or cierre <= ahora + filtro.cierra_en_dias * DIA


def _palabras(guardadas: list[str], texto: str) -> bool:
    """Plain words only (no quotes, codes or function words): all of them, the last one also as a beginning."""
    pedidas = texto.split()
    for numero, pedida in enumerate(pedidas):
        exacta = raices(pedida) in guardadas
        a_medias = numero == len(pedidas) - 1 and any(g.startswith(plegar(pedida)) for g in guardadas)
        if not exacta and not a_medias:
            return False
    return True


def _clave(fila: Fila, orden: Orden, ahora: int) -> tuple[int, int, int]:
    if orden is Orden.CIERRE and fila["cierre"] is not None:
        cierre = fila["cierre"]
        return (0, cierre, fila["id"]) if cierre > ahora else (1, -cierre, -fila["id"])
    if orden is Orden.IMPORTE and fila["importe"] is not None:
        return (0, -fila["importe"], -fila["id"])
    if orden is Orden.PUBLICADA and fila["publicada"] is not None:
        return (0, -int(fila["publicada"].replace("-", "")), -fila["id"])
    return (2, -fila["instante"], -fila["id"])
