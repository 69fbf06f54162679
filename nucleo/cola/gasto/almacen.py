"""The metrics' rows and their sums; costs are stored as whole millionths."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from enum import StrEnum

from nucleo.cola.modelo import Intento, Metricas
from nucleo.modelo import Modelo
from nucleo.reloj import a_micros

MILLONESIMA = Decimal("0.000001")
ULTIMOS = 20
"""Known costs of a type that say what one more may cost."""


class Por(StrEnum):
    """What sums are grouped by."""

    TIPO = "tipo"
    OBJETO = "objeto"
    MODELO = "modelo"


_COLUMNA = {Por.TIPO: "t.tipo", Por.OBJETO: "t.objeto", Por.MODELO: "coalesce(m.modelo, '')"}


class Suma(Modelo):
    """What a group of attempts used. `coste` adds up the known ones; `sin_coste` says how many are not in it."""

    grupo: str
    intentos: int
    hechos: int
    entrada: int
    salida: int
    cache_leida: int
    cache_escrita: int
    llamadas: int
    herramientas: int
    segundos: float
    coste: Decimal
    sin_coste: int
    incompletas: int


def anotar(con: sqlite3.Connection, intento: Intento, metricas: Metricas, contado: Decimal) -> None:
    """Once per attempt; the attempt must be closed."""
    if intento.cerrado is None:
        raise ValueError("un intento abierto aún no tiene métricas")
    con.execute(
        """INSERT INTO cola_metrica(intento_id, cerrado, tipo, proveedor, modelo, entrada, salida, cache_leida,
             cache_escrita, llamadas, herramientas, coste, contado, incompletas)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            *(intento.id, a_micros(intento.cerrado), intento.tipo, metricas.proveedor, metricas.modelo),
            *(metricas.entrada, metricas.salida, metricas.cache_leida, metricas.cache_escrita),
            *(metricas.llamadas, metricas.herramientas),
            *(None if metricas.coste is None else _a_entero(metricas.coste), _a_entero(contado)),
            metricas.incompletas,
        ),
    )


def contado_desde(con: sqlite3.Connection, desde: datetime) -> Decimal:
    """What weighs against the limits since then."""
    (total,) = con.execute(
        "SELECT coalesce(sum(contado), 0) FROM cola_metrica WHERE cerrado >= ?", (a_micros(desde),)
    ).fetchone()
    return _a_decimal(total)


def sin_peso_desde(con: sqlite3.Connection, desde: datetime) -> int:
    """Attempts since then that asked a provider for something and weigh nothing, for want of a known cost."""
    (cuantos,) = con.execute(
        """SELECT count(*) FROM cola_metrica WHERE cerrado >= ? AND contado = 0 AND coste IS NULL
            AND (incompletas OR entrada + salida + cache_leida + cache_escrita > 0)""",
        (a_micros(desde),),
    ).fetchone()
    return int(cuantos)


def ultimos_costes(con: sqlite3.Connection, tipo: str) -> list[Decimal]:
    """The latest known costs of a type."""
    filas = con.execute(
        "SELECT coste FROM cola_metrica WHERE tipo = ? AND coste IS NOT NULL ORDER BY cerrado DESC LIMIT ?",
        (tipo, ULTIMOS),
    )
    return [_a_decimal(coste) for (coste,) in filas]


_SUMAS = """SELECT {grupo}, count(*), sum(i.estado = 'hecho'), sum(m.entrada), sum(m.salida),
      sum(m.cache_leida), sum(m.cache_escrita), sum(m.llamadas), sum(m.herramientas),
      sum(CASE WHEN i.lanzado IS NULL THEN 0 ELSE (i.cerrado - i.lanzado) / 1e6 END),
      coalesce(sum(m.coste), 0), sum(m.coste IS NULL), sum(m.incompletas)
    FROM cola_metrica m JOIN cola_intento i ON i.id = m.intento_id JOIN cola_trabajo t ON t.id = i.trabajo_id
    WHERE {condicion} GROUP BY 1 ORDER BY 11 DESC, 1 LIMIT ?"""


def sumar(con: sqlite3.Connection, por: Por, desde: datetime, hasta: datetime, limite: int) -> list[Suma]:
    """Attempts closed in [desde, hasta), the dearest groups first."""
    consulta = _SUMAS.format(grupo=_COLUMNA[por], condicion="m.cerrado >= ? AND m.cerrado < ?")
    return _sumas(con, consulta, (a_micros(desde), a_micros(hasta), limite))


def sumar_objeto(con: sqlite3.Connection, objeto: str) -> list[Suma]:
    """What that object has cost ever, by type."""
    consulta = _SUMAS.format(grupo=_COLUMNA[Por.TIPO], condicion="t.objeto = ?")
    return _sumas(con, consulta, (objeto, -1))


def comparar_modelos(con: sqlite3.Connection, tipo: str, modelos: Sequence[str]) -> list[Suma]:
    """Per model, over the objects of that type that every one of those models has worked on."""
    huecos = ",".join("?" * len(modelos))
    comunes = f"""t.tipo = ? AND m.modelo IN ({huecos}) AND t.objeto IN (
        SELECT t2.objeto FROM cola_metrica m2 JOIN cola_intento i2 ON i2.id = m2.intento_id
        JOIN cola_trabajo t2 ON t2.id = i2.trabajo_id WHERE t2.tipo = ? AND m2.modelo IN ({huecos})
        GROUP BY t2.objeto HAVING count(DISTINCT m2.modelo) = ?)"""
    consulta = _SUMAS.format(grupo=_COLUMNA[Por.MODELO], condicion=comunes)
    return _sumas(con, consulta, (tipo, *modelos, tipo, *modelos, len(set(modelos)), -1))


class Uso(Modelo):
    """One closed attempt: under which instructions, with which model, for how much (None when unknown)."""

    intento_id: int
    version: str | None
    modelo: str | None
    coste: Decimal | None


def usos(con: sqlite3.Connection, tipo: str, objetos: Sequence[str]) -> list[Uso]:
    """Every closed attempt of that type on those objects."""
    filas = con.execute(
        """SELECT i.id, i.version, m.modelo, m.coste FROM json_each(?) j
            JOIN cola_trabajo t ON t.tipo = ? AND t.objeto = j.value JOIN cola_intento i ON i.trabajo_id = t.id
            JOIN cola_metrica m ON m.intento_id = i.id ORDER BY i.id""",
        (json.dumps(objetos), tipo),
    )
    return [
        Uso(intento_id=i, version=v, modelo=m, coste=None if c is None else _a_decimal(c))
        for i, v, m, c in filas
    ]


def modelos_de(con: sqlite3.Connection, tipo: str) -> list[str]:
    """Models that have worked on that type."""
    filas = con.execute(
        "SELECT DISTINCT modelo FROM cola_metrica WHERE tipo = ? AND modelo IS NOT NULL ORDER BY 1", (tipo,)
    )
    return [modelo for (modelo,) in filas]


def _sumas(con: sqlite3.Connection, consulta: str, valores: Sequence[object]) -> list[Suma]:
    campos = list(Suma.model_fields)
    sumas = []
    for fila in con.execute(consulta, tuple(valores)):
        datos = dict(zip(campos, fila, strict=True))
        datos |= {"segundos": float(datos["segundos"]), "coste": _a_decimal(datos["coste"])}
        sumas.append(Suma.model_validate(datos))
    return sumas


def _a_entero(dinero: Decimal) -> int:
    return int(dinero.quantize(MILLONESIMA, ROUND_HALF_EVEN).scaleb(6))


def _a_decimal(millonesimas: int) -> Decimal:
    return Decimal(millonesimas).scaleb(-6)
