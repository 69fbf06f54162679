"""The queue as the rest of the program uses it: put a job in, give a turn, and what a person may do with one.

Every function is one transaction of its own.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable
from datetime import datetime

from nucleo.bd import transaccion
from nucleo.cola import almacen
from nucleo.cola.frenos import almacen as frenos
from nucleo.cola.modelo import (
    Ambito,
    Autor,
    EstadoIntento,
    EstadoTrabajo,
    Freno,
    Intento,
    Reclamado,
    Tipos,
    TipoTrabajo,
    Trabajo,
)
from nucleo.cola.reglas import Contexto, motivo_tipo, orden, sin_sitio
from nucleo.cola.situacion import mirar
from nucleo.cola.transiciones import ACEPTAN, TERMINALES, Suceso, mover
from nucleo.errores import ErrorEntrada, NoEncontrado

DATOS_MAXIMOS = 1_000_000
"""Characters of a job's own input."""


def encolar(  # noqa: PLR0913, PLR0917 - the parts of a job
    con: sqlite3.Connection,
    tipos: Tipos,
    tipo: str,
    objeto: str,
    datos: str,
    vence: datetime | None,
    ahora: datetime,
    clave: str = "",
) -> Trabajo:
    """The job of that type, object and key: put in now, or the one that there was, whatever became of it.

    `clave` tells apart two jobs of a type on the same object. Raises ErrorEntrada.
    """
    declarado = tipos.get(tipo)
    if declarado is None:
        raise ErrorEntrada(f"No hay trabajos de tipo «{tipo}»: los que hay son {', '.join(sorted(tipos))}.")
    nuevo = Trabajo(
        id=0,
        tipo=tipo,
        objeto=objeto,
        clave=clave,
        datos=_json(datos),
        clase=declarado.clase,
        vence=vence,
        creado=ahora,
        desde=ahora,
        no_antes=ahora,
        estado=EstadoTrabajo.PENDIENTE,
        intentos=0,
        gastados=0,
        terminado=None,
        motivo="",
    )
    with transaccion(con):
        almacen.poner_trabajo(con, nuevo)
        puesto = almacen.buscar_trabajo(con, tipo, objeto, clave)
    if puesto is None:
        raise AssertionError
    return puesto


def reclamar(con: sqlite3.Connection, tipos: Tipos, contexto: Contexto, ahora: datetime) -> Reclamado | None:
    """Give the next turn: the job becomes `en_curso` with a new attempt. None when nothing may start now.

    A type that waits (brake, pause, no profile, no money) spends nothing and does not stop the others.
    """
    with transaccion(con):
        situacion = mirar(con, contexto.topes, tuple(tipos), ahora)
        if sin_sitio(situacion.abiertos, contexto.a_la_vez):
            return None
        libres = [t.nombre for t in tipos.values() if not motivo_tipo(t, contexto, situacion, ahora)]
        turnos = almacen.turnos(con, libres, ahora) if libres else []
        if not turnos:
            return None
        elegido = _trabajo(con, min(turnos, key=lambda t: orden(t, ahora)).id)
        return _reservar(con, elegido, tipos[elegido.tipo], ahora)


def _reservar(con: sqlite3.Connection, trabajo: Trabajo, tipo: TipoTrabajo, ahora: datetime) -> Reclamado:
    paso = mover(trabajo.estado, None, Suceso.RECLAMAR)
    numero, nonce = trabajo.intentos + 1, secrets.token_hex(16)
    intento = Intento(
        id=0,
        trabajo_id=trabajo.id,
        tipo=trabajo.tipo,
        numero=numero,
        perfil=tipo.perfil,
        nonce=nonce,
        sesion_id=f"so-{trabajo.id}-{numero}-{nonce[:8]}",
        estado=paso.a_intento or EstadoIntento.LANZANDO,
        version=None,
        texto=None,
        entrada=None,
        run_id=None,
        reservado=ahora,
        lanzado=None,
        actividad=ahora,
        marca="",
        causa=None,
        detalle="",
        cerrado=None,
    )
    trabajo = trabajo.model_copy(update={"estado": paso.a_trabajo, "intentos": numero, "motivo": ""})
    almacen.actualizar_trabajo(con, trabajo)
    return Reclamado(trabajo=trabajo, intento=almacen.poner_intento(con, intento))


def por_conciliar(con: sqlite3.Connection) -> tuple[Reclamado, ...]:
    """Every open attempt with its job: what a run of the queue that was cut leaves for the next to go on with."""
    return tuple(Reclamado(trabajo=_trabajo(con, i.trabajo_id), intento=i) for i in almacen.abiertos(con))


def intento_abierto(con: sqlite3.Connection, nonce: str) -> Intento | None:
    """The attempt that may leave proposals under that nonce; None once it is closed, closing or cancelled."""
    intento = almacen.intento_por_nonce(con, nonce)
    if intento is None or intento.estado not in ACEPTAN:
        return None
    return intento if _trabajo(con, intento.trabajo_id).estado is EstadoTrabajo.EN_CURSO else None


def hay_pendiente(con: sqlite3.Connection, ahora: datetime) -> bool:
    """Whether a run of the queue would find something to look at: a job due, or an attempt left open."""
    return almacen.hay_debido(con, ahora)


def cancelar(con: sqlite3.Connection, trabajo_id: int, ahora: datetime) -> Trabajo:
    """A person does not want it: its proposals are refused from now on, and its run is stopped soon."""

    def cambiar(trabajo: Trabajo) -> Trabajo:
        abierto = almacen.intento_abierto_de(con, trabajo.id)
        paso = mover(trabajo.estado, abierto.estado if abierto else None, Suceso.CANCELAR)
        fin = ahora if paso.a_trabajo in TERMINALES else None
        return trabajo.model_copy(
            update={"estado": paso.a_trabajo, "terminado": fin, "motivo": "Lo ha cancelado una persona."}
        )

    return _cambiar(con, trabajo_id, cambiar)


def reintentar(con: sqlite3.Connection, trabajo_id: int, ahora: datetime) -> Trabajo:
    """A person wants it tried again now, with all its attempts; a type's brake still holds."""

    def cambiar(trabajo: Trabajo) -> Trabajo:
        abierto = almacen.intento_abierto_de(con, trabajo.id)
        paso = mover(trabajo.estado, abierto.estado if abierto else None, Suceso.REINTENTAR)
        return trabajo.model_copy(
            update={
                "estado": paso.a_trabajo,
                "desde": ahora,
                "no_antes": ahora,
                "gastados": 0,
                "terminado": None,
                "motivo": "Lo ha pedido una persona.",
            }
        )

    return _cambiar(con, trabajo_id, cambiar)


def priorizar(con: sqlite3.Connection, trabajo_id: int, clase: int) -> Trabajo:
    """A person wants it sooner or later; the lower the class, the sooner. Raises ErrorEntrada when it has ended."""

    def cambiar(trabajo: Trabajo) -> Trabajo:
        if trabajo.estado in TERMINALES:
            raise ErrorEntrada(f"El trabajo {trabajo.id} ya está {trabajo.estado}: no hay orden que cambiar.")
        return trabajo.model_copy(update={"clase": clase})

    return _cambiar(con, trabajo_id, cambiar)


def pausar(con: sqlite3.Connection, ambito: Ambito, nombre: str, ahora: datetime) -> None:
    """A person stops the queue or a part of it, until a person says so; what is under way ends."""
    que = {"cola": "la cola", "tipo": f"los trabajos de tipo «{nombre}»"}.get(ambito, f"«{nombre}»")
    motivo = f"Una persona ha pausado {que}."
    with transaccion(con):
        frenos.poner(
            con,
            Freno(ambito=ambito, nombre=nombre, autor=Autor.PERSONA, desde=ahora, hasta=None, motivo=motivo),
        )


def reanudar(con: sqlite3.Connection, ambito: Ambito, nombre: str, ahora: datetime) -> int:
    """A person lifts every brake on that, a rule's too; how many there were."""
    with transaccion(con):
        return frenos.levantar(con, ambito, nombre, ahora)


def frenar(con: sqlite3.Connection, freno: Freno) -> None:
    """Put a brake that was found necessary outside an attempt's end (a profile whose Hermes is down)."""
    with transaccion(con):
        frenos.poner(con, freno)


def estrenar_version(con: sqlite3.Connection, version: str, ahora: datetime) -> bool:
    """Whether another version serves the queue now; the brakes that rules put are lifted if so."""
    with transaccion(con):
        nueva = frenos.anotar_version(con, version)
        if nueva:
            frenos.levantar_automaticos(con, ahora)
        return nueva


def trabajo(con: sqlite3.Connection, trabajo_id: int) -> Trabajo:
    """That job. Raises NoEncontrado."""
    return _trabajo(con, trabajo_id)


def _cambiar(con: sqlite3.Connection, trabajo_id: int, cambio: Callable[[Trabajo], Trabajo]) -> Trabajo:
    with transaccion(con):
        cambiado = cambio(_trabajo(con, trabajo_id))
        almacen.actualizar_trabajo(con, cambiado)
        return cambiado


def _trabajo(con: sqlite3.Connection, trabajo_id: int) -> Trabajo:
    encontrado = almacen.trabajo(con, trabajo_id)
    if encontrado is None:
        raise NoEncontrado(f"No hay ningún trabajo {trabajo_id} en la cola: «sobre cola ver» los lista.")
    return encontrado


def _json(datos: str) -> str:
    if len(datos) > DATOS_MAXIMOS:
        raise ErrorEntrada("Los datos del trabajo son demasiado grandes.")
    try:
        json.loads(datos)
    except (ValueError, RecursionError) as error:
        raise ErrorEntrada("Los datos del trabajo tienen que ser JSON.") from error
    return datos
