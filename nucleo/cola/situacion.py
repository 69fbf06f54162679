"""What the store says that the rules need: open attempts, brakes, money."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from decimal import Decimal

from nucleo.cola import almacen
from nucleo.cola.frenos import almacen as frenos
from nucleo.cola.gasto import almacen as gasto
from nucleo.cola.modelo import Intento
from nucleo.cola.reglas import Gasto, Situacion, Topes, coste_esperado, inicio_del_dia, inicio_del_mes


def mirar(con: sqlite3.Connection, topes: Topes, tipos: tuple[str, ...], ahora: datetime) -> Situacion:
    """As it is now; money is added up only when there is a limit to it."""
    con_tope = topes.dia is not None or topes.mes is not None
    esperados = {t: coste_esperado(gasto.ultimos_costes(con, t)) for t in tipos} if con_tope else {}
    abiertos = almacen.abiertos(con)
    return Situacion(
        abiertos=len(abiertos),
        frenos=frenos.todos(con),
        gasto=_gasto(con, abiertos, esperados, ahora) if con_tope else Gasto(),
        esperados=esperados,
    )


def gasto_actual(con: sqlite3.Connection, tipos: tuple[str, ...], ahora: datetime) -> Gasto:
    """Money of this day and month, whether or not there is a limit."""
    esperados = {t: coste_esperado(gasto.ultimos_costes(con, t)) for t in tipos}
    contado = _gasto(con, almacen.abiertos(con), esperados, ahora)
    return contado.model_copy(update={"sin_peso": gasto.sin_peso_desde(con, inicio_del_mes(ahora))})


def _gasto(
    con: sqlite3.Connection, abiertos: list[Intento], esperados: dict[str, Decimal], ahora: datetime
) -> Gasto:
    return Gasto(
        dia=gasto.contado_desde(con, inicio_del_dia(ahora)),
        mes=gasto.contado_desde(con, inicio_del_mes(ahora)),
        comprometido=sum((esperados.get(i.tipo, Decimal(0)) for i in abiertos), Decimal(0)),
    )
