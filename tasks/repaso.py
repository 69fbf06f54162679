"""What time does to the runs: leases that pass, agents' steps whose job ended, repeatable steps whose worker died.

Nothing here needs Prefect's library: the process that is always awake uses it too.
"""

from __future__ import annotations

import logging
import sqlite3
from datetime import timedelta

from nucleo.cola.almacen import buscar_trabajo
from nucleo.cola.modelo import EstadoTrabajo, Trabajo
from nucleo.recorridos import almacen, lectura, relevo, servicio
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import EJECUTOR, RELOJ, Actor, Comando, TipoComando
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import EstadoIntento
from nucleo.recorridos.lectura.modelo import IntentoDe
from nucleo.recorridos.plan import Paso
from nucleo.reloj import reloj_del_sistema
from tasks.pasos import EncargoAgente, encolar_paso, objeto_de, tipo_paso

REGISTRO = logging.getLogger("sobre.recorridos")
REPETICIONES = 5
"""Attempts of a repeatable step that the installation makes by itself when its worker keeps dying."""
VIVOS = frozenset((EstadoTrabajo.PENDIENTE, EstadoTrabajo.EN_CURSO, EstadoTrabajo.CANCELANDO))


def vencer_arriendos(con: sqlite3.Connection, casa_: Casa) -> int:
    """Attempts without a sign of life become doubtful; how many. Of agents' steps, their job in the queue tells."""
    vencidos = 0
    for uno in lectura.vencidos(con, reloj_del_sistema()):
        paso = _paso(con, uno)
        if paso is None or relevo.es_de_la_cola(paso):
            continue
        comando = Comando(
            comando_id=f"vence:{uno.intento.paso}:{uno.intento.n}",
            tipo=TipoComando.VENCER,
            paso=uno.intento.paso,
            intento=uno.intento.n,
        )
        vencidos += _intentar(con, casa_, uno, comando, RELOJ)
    return vencidos


def conciliar_intentos(con: sqlite3.Connection, casa_: Casa) -> int:
    """Agents' steps follow their job; a repeatable step whose worker died is ready again. How many changed."""
    cambiados = 0
    for uno in (*lectura.en_curso(con), *lectura.dudosos(con)):
        paso = _paso(con, uno)
        if paso is None or paso.ejecutor is None:
            continue
        comando = _de_la_cola(con, uno, paso) if relevo.es_de_la_cola(paso) else _repetible(uno, paso)
        if comando is not None:
            cambiados += _intentar(con, casa_, uno, comando, EJECUTOR)
    return cambiados


def _de_la_cola(con: sqlite3.Connection, uno: IntentoDe, paso: Paso) -> Comando | None:
    """The job was lost (a kill between both writes): put in. It lives: so does the attempt. It ended: so it does."""
    ahora, intento = reloj_del_sistema(), uno.intento
    objeto = objeto_de(uno.recorrido, paso.id)
    trabajo = buscar_trabajo(con, tipo_paso(intento.trabajador), objeto, str(intento.n))
    if trabajo is None:
        encolar_paso(
            con, EncargoAgente(recorrido=uno.recorrido, paso=paso.id, intento=intento.n), paso, ahora
        )
        return None
    if trabajo.estado in VIVOS:
        gastado = intento.vence - ahora < timedelta(seconds=intento.arriendo_s / 2)
        return _informe(uno, TipoComando.LATIDO, "vive", "") if gastado else None
    return _informe(uno, TipoComando.FALLAR, "cola", _motivo(trabajo))


def _motivo(trabajo: Trabajo) -> str:
    if trabajo.estado is EstadoTrabajo.HECHO:
        return f"El agente terminó el trabajo {trabajo.id} sin cerrar el paso."
    return f"El trabajo {trabajo.id} de la cola está {trabajo.estado}. {trabajo.motivo}".strip()


def _repetible(uno: IntentoDe, paso: Paso) -> Comando | None:
    dudoso = uno.intento.estado is EstadoIntento.DUDOSO
    repite = paso.ejecutor is not None and paso.ejecutor.repetible and uno.intento.n < REPETICIONES
    if not dudoso or not repite:
        return None
    motivo = "Quien lo hacía dejó de dar señales y repetirlo no hace daño: se hace otra vez."
    comando = _informe(uno, TipoComando.REINTENTAR, "otra", motivo)
    return comando.model_copy(update={"reconciliado": True})


def _informe(uno: IntentoDe, tipo: TipoComando, cual: str, mensaje: str) -> Comando:
    return Comando(
        comando_id=f"{uno.intento.paso}:{uno.intento.n}:{cual}",
        tipo=tipo,
        paso=uno.intento.paso,
        intento=uno.intento.n,
        mensaje=mensaje,
    )


def _intentar(con: sqlite3.Connection, casa_: Casa, uno: IntentoDe, comando: Comando, actor: Actor) -> bool:
    """Whether it was done: the run may have moved on since it was looked at.

    One that cannot be moved stops no other. Raises ErrorRecorrido OCUPADO: none can, now.
    """
    try:
        servicio.mandar(con, casa_, uno.recorrido, comando, actor, reloj_del_sistema())
    except ErrorRecorrido as error:
        if error.codigo == "OCUPADO":
            raise
        if error.codigo not in relevo.YA_NO:
            REGISTRO.exception("el repaso no puede con «%s» de %s", uno.intento.paso, uno.recorrido)
        return False
    return True


def _paso(con: sqlite3.Connection, uno: IntentoDe) -> Paso | None:
    plan, _ = almacen.foto(con, uno.recorrido)
    return next((p for p in plan.pasos if p.id == uno.intento.paso), None)
