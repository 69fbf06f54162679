"""The life of one attempt, each move a transaction that is kept before the next step is taken outside.

Every function reads the rows anew: meanwhile a person may have cancelled the job.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import Any

from nucleo.bd import transaccion
from nucleo.cola import almacen, reglas
from nucleo.cola.frenos import almacen as frenos
from nucleo.cola.gasto import almacen as gasto
from nucleo.cola.modelo import (
    Causa,
    Comprobacion,
    EstadoIntento,
    EstadoTrabajo,
    Instrucciones,
    Intento,
    Metricas,
    Reclamado,
    Trabajo,
)
from nucleo.cola.reglas import Cierre, EstadoPerfil
from nucleo.cola.transiciones import TERMINALES, Suceso, mover
from nucleo.errores import NoEncontrado


def leer(con: sqlite3.Connection, intento_id: int) -> Reclamado:
    """The attempt and its job as they are now. Raises NoEncontrado."""
    intento = almacen.intento(con, intento_id)
    trabajo = almacen.trabajo(con, intento.trabajo_id) if intento else None
    if intento is None or trabajo is None:
        raise NoEncontrado(f"No hay ningún intento {intento_id} en la cola.")
    return Reclamado(trabajo=trabajo, intento=intento)


def congelar(con: sqlite3.Connection, intento_id: int, instrucciones: Instrucciones) -> Reclamado:
    """Keep what travels before Hermes is called; what was kept first is what counts."""
    with transaccion(con):
        almacen.congelar(con, intento_id, instrucciones)
        return leer(con, intento_id)


def arrancar(con: sqlite3.Connection, intento_id: int, run_id: str, ahora: datetime) -> Reclamado:
    """Hermes took it under that number."""
    cambios = {"run_id": run_id, "lanzado": ahora, "actividad": ahora}
    return _mover(con, intento_id, Suceso.ARRANCAR, cambios)


def perder_pista(con: sqlite3.Connection, intento_id: int, ahora: datetime) -> Reclamado:
    """Hermes took it, its number is not known."""
    return _mover(con, intento_id, Suceso.PERDER_PISTA, {"lanzado": ahora, "actividad": ahora})


def anotar_actividad(con: sqlite3.Connection, intento_id: int, marca: str, ahora: datetime) -> Reclamado:
    """What Hermes says of its activity. A mark unlike the last one means that it did something since.

    Clocks of two sides are never compared: only whether the other one's moved.
    """
    with transaccion(con):
        actual = leer(con, intento_id)
        if actual.intento.marca == marca:
            return actual
        intento = actual.intento.model_copy(update={"marca": marca, "actividad": ahora})
        almacen.actualizar_intento(con, intento)
        return Reclamado(trabajo=actual.trabajo, intento=intento)


def empezar_cierre(con: sqlite3.Connection, intento_id: int, causa: Causa, detalle: str) -> Reclamado:
    """Its run ended or must end. From here on its proposals are refused, so that checking its result is final."""
    return _mover(con, intento_id, Suceso.CERRAR, {"causa": causa, "detalle": detalle[:1000]})


def devolver(
    con: sqlite3.Connection, intento_id: int, motivo: str, no_antes: datetime, ahora: datetime
) -> None:
    """It is sure that nothing started, and it was no fault of the job's: back to waiting, nothing spent."""
    with transaccion(con):
        actual = leer(con, intento_id)
        fin = Cierre(suceso=Suceso.DEVOLVER, no_antes=no_antes)
        cierre = {"causa": Causa.NO_LANZADO, "detalle": motivo}
        _terminar(
            con, actual.model_copy(update={"intento": actual.intento.model_copy(update=cierre)}), fin, ahora
        )


def cerrar(
    con: sqlite3.Connection,
    intento_id: int,
    comprobacion: Comprobacion,
    metricas: Metricas,
    ahora: datetime,
) -> Trabajo:
    """The end of an attempt that was closing: its job is done, waits for another try, or has failed."""
    with transaccion(con):
        actual = leer(con, intento_id)
        causa = actual.intento.causa or Causa.TERMINADO
        fin = reglas.cierre(causa, comprobacion.hecho, actual.trabajo.gastados, ahora)
        if not comprobacion.hecho:
            detalle = " ".join(p for p in (actual.intento.detalle, comprobacion.detalle) if p)
            actual = actual.model_copy(
                update={"intento": actual.intento.model_copy(update={"detalle": detalle[:1000]})}
            )
        trabajo, intento = _terminar(con, actual, fin, ahora)
        _anotar_gasto(con, intento, metricas)
        if intento.estado is EstadoIntento.FALLIDO:
            desde = frenos.cuenta_desde(con, trabajo.tipo)
            fallidos = almacen.fallos_seguidos(con, trabajo.tipo, desde)
            freno = reglas.freno_por_fallos(trabajo.tipo, fallidos, ahora)
            if freno is not None:
                frenos.poner(con, freno)
        return trabajo


def frenar_por(
    con: sqlite3.Connection, causa: Causa, perfil: EstadoPerfil, pausa_todo: bool, ahora: datetime
) -> None:
    """Put the pause that an end asks for, if it asks for one."""
    freno = reglas.freno_por_causa(causa, perfil, pausa_todo, ahora)
    if freno is not None:
        with transaccion(con):
            frenos.poner(con, freno)


def _mover(con: sqlite3.Connection, intento_id: int, suceso: Suceso, cambios: dict[str, Any]) -> Reclamado:
    with transaccion(con):
        actual = leer(con, intento_id)
        paso = mover(actual.trabajo.estado, _abierto(actual.intento), suceso)
        intento = actual.intento.model_copy(update={**cambios, "estado": paso.a_intento})
        almacen.actualizar_intento(con, intento)
        return Reclamado(trabajo=actual.trabajo, intento=intento)


def _terminar(
    con: sqlite3.Connection, actual: Reclamado, fin: Cierre, ahora: datetime
) -> tuple[Trabajo, Intento]:
    paso = mover(actual.trabajo.estado, _abierto(actual.intento), fin.suceso)
    intento = actual.intento.model_copy(update={"estado": paso.a_intento, "cerrado": ahora})
    motivo = (
        actual.trabajo.motivo
        if actual.trabajo.estado is EstadoTrabajo.CANCELANDO
        else ""
        if fin.suceso is Suceso.ACABAR
        else intento.detalle
    )
    trabajo = actual.trabajo.model_copy(
        update={
            "estado": paso.a_trabajo,
            "no_antes": fin.no_antes,
            "gastados": actual.trabajo.gastados + (intento.estado is EstadoIntento.FALLIDO),
            "terminado": ahora if paso.a_trabajo in TERMINALES else None,
            "motivo": motivo,
        }
    )
    almacen.actualizar_trabajo(con, trabajo)
    almacen.actualizar_intento(con, intento)
    return trabajo, intento


def _abierto(intento: Intento) -> EstadoIntento | None:
    return intento.estado if intento.abierto else None


def _anotar_gasto(con: sqlite3.Connection, intento: Intento, metricas: Metricas) -> None:
    """An unknown cost weighs what one may be expected to; where nothing was asked of a provider, nothing."""
    contado = metricas.coste
    if contado is None:
        conocidos = gasto.ultimos_costes(con, intento.tipo) if metricas.pregunto else []
        contado = reglas.coste_esperado(conocidos)
    gasto.anotar(con, intento, metricas, contado)
