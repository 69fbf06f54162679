"""Creating runs and giving commands to them in the tests of execution."""

from __future__ import annotations

import sqlite3
from itertools import count

from nucleo.recorridos import almacen, servicio
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import EJECUTOR, Actor, Comando, TipoComando
from nucleo.recorridos.estado import Situacion
from nucleo.recorridos.peticiones import PeticionCrear, Recibo
from nucleo.recorridos.plan import Paso
from nucleo.reloj import reloj_del_sistema
from tests.recorridos.ejecucion.taller import PERSONA, casa_de_pruebas, plan_de

CASA = casa_de_pruebas()
_CUENTA = count()


def crear(con: sqlite3.Connection, *pasos: Paso, actor: Actor = PERSONA, casa: Casa = CASA) -> str:
    """A run of those steps, one after another."""
    peticion = PeticionCrear(comando_id=f"crear-{next(_CUENTA)}", plan=plan_de(*pasos))
    return servicio.crear(con, casa, peticion, actor, reloj_del_sistema()).id


def mandar(
    con: sqlite3.Connection, rid: str, tipo: TipoComando, actor: Actor = EJECUTOR, **campos: object
) -> Recibo:
    """That command, now."""
    comando = Comando.model_validate({"comando_id": f"c-{next(_CUENTA)}", "tipo": tipo, **campos})
    return servicio.mandar(con, CASA, rid, comando, actor, reloj_del_sistema())


def estados(con: sqlite3.Connection, rid: str) -> dict[str, Situacion]:
    """State of each step that is not structure."""
    plan, recorrido = almacen.foto(con, rid)
    return {
        p.id: recorrido.pasos[p.id].estado
        for p in plan.pasos
        if p.clase not in ("inicio", "fin", "compuerta")
    }
