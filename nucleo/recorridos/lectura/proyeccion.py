"""One run as it is shown, and runs in a line each."""

from __future__ import annotations

import sqlite3

from nucleo.recorridos import almacen as recorridos
from nucleo.recorridos import motor
from nucleo.recorridos.artefactos import almacen as artefactos
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import Actor
from nucleo.recorridos.continuaciones import almacen as continuaciones
from nucleo.recorridos.enlaces import almacen as enlaces
from nucleo.recorridos.entregas import almacen as entregas
from nucleo.recorridos.lectura import almacen
from nucleo.recorridos.lectura.modelo import FiltroRecorridos, Proyeccion, Resumen
from nucleo.recorridos.motor import Posibles
from nucleo.recorridos.plan_guardado import plan_de
from nucleo.recorridos.rechazos import almacen as rechazos
from nucleo.recorridos.transacciones import instantanea

HIJOS = 100


def leer(con: sqlite3.Connection, casa: Casa, rid: str) -> Proyeccion:
    """The run with what hangs from it, all of one instant. Raises ErrorRecorrido NO_EXISTE."""
    with instantanea(con):
        guardado = recorridos.guardado(con, rid)
        plan = plan_de(con, casa, guardado)
        return Proyeccion(
            recorrido=guardado.recorrido,
            plan=plan.plan,
            pelota=motor.pelota(plan, guardado.recorrido),
            entregas=entregas.vivas_de(con, rid),
            continuaciones=continuaciones.abiertas_de(con, rid),
            padre=enlaces.padre_de(con, rid),
            hijos=enlaces.hijos_de(con, rid, HIJOS),
            artefactos=artefactos.contar(con, rid),
            rechazos=rechazos.contar(con, rid),
            cambio=almacen.pulso(con, rid).cambio,
        )


def posibles(con: sqlite3.Connection, casa: Casa, rid: str, actor: Actor) -> Posibles:
    """What this actor may do in it now. Raises ErrorRecorrido NO_EXISTE."""
    with instantanea(con):
        guardado = recorridos.guardado(con, rid)
        return motor.posibles(plan_de(con, casa, guardado), guardado.recorrido, actor)


def listar(con: sqlite3.Connection, filtro: FiltroRecorridos) -> tuple[Resumen, ...]:
    """A page of runs, newest first; the next one begins `antes` of its last."""
    return almacen.resumenes(con, filtro)
