"""Drafting, sending and dropping continuations. Only a person sends one: it gives work to an agent."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from nucleo.modelo import Modelo
from nucleo.recorridos import almacen as recorridos
from nucleo.recorridos import recibos
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import Actor, ComandoId
from nucleo.recorridos.continuaciones import almacen
from nucleo.recorridos.continuaciones.modelo import (
    Continuacion,
    EstadoContinuacion,
    ReciboContinuacion,
    TextoContinuacion,
)
from nucleo.recorridos.entregas import avisos
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import TERMINALES, MotivoEntrega
from nucleo.recorridos.identificadores import nuevo_id
from nucleo.recorridos.quien import edita, lleva
from nucleo.recorridos.transacciones import escritura


class PeticionContinuacion(Modelo):
    """A text to draft for a run's coordinator."""

    comando_id: ComandoId
    texto: TextoContinuacion


class PeticionSobreContinuacion(Modelo):
    """To send or to drop the one of that id."""

    comando_id: ComandoId
    continuacion: str


def proponer(
    con: sqlite3.Connection, rid: str, peticion: PeticionContinuacion, actor: Actor, ahora: datetime
) -> ReciboContinuacion:
    """Draft it. `ahora`: aware UTC.

    Raises ErrorRecorrido NO_EXISTE, PROHIBIDO (neither a person that may edit nor its coordinator), CLAVE_REUTILIZADA
    or OCUPADO.
    """
    marca = recibos.marca_de(f"{rid}/continuaciones", peticion.comando_id, peticion, actor)
    with escritura(con):
        if (antes := recibos.anterior(con, marca)) is not None:
            return _otra_vez(antes)
        recorrido = recorridos.recorrido(con, rid)
        if not edita(actor) and not lleva(actor, recorrido):
            raise ErrorRecorrido(
                "PROHIBIDO",
                "Una continuación la propone quien coordina el recorrido, o una persona que pueda editarlo.",
            )
        nueva = Continuacion(
            id=nuevo_id("con", ahora),
            recorrido=rid,
            texto=peticion.texto,
            autor=actor,
            estado=EstadoContinuacion.BORRADOR,
            entrega=None,
            creada=ahora,
        )
        almacen.poner(con, nueva)
        return _hecho(con, marca, nueva)


def enviar(  # noqa: PLR0913, PLR0917 - the request and the world it is made in
    con: sqlite3.Connection,
    casa: Casa,
    rid: str,
    peticion: PeticionSobreContinuacion,
    actor: Actor,
    ahora: datetime,
) -> ReciboContinuacion:
    """Put it in the run's next delivery. Without a connector it stays a draft.

    Raises ErrorRecorrido NO_EXISTE, PROHIBIDO (only a person that may edit), ESTADO (not a draft), TERMINADO,
    SIN_CONECTOR, CLAVE_REUTILIZADA or OCUPADO.
    """
    marca = recibos.marca_de(f"{rid}/enviar", peticion.comando_id, peticion, actor)
    with escritura(con):
        if (antes := recibos.anterior(con, marca)) is not None:
            return _otra_vez(antes)
        recorrido = recorridos.recorrido(con, rid)
        if not edita(actor):
            raise ErrorRecorrido(
                "PROHIBIDO", "Una continuación la envía una persona que pueda editar el recorrido."
            )
        borrador = _borrador(con, rid, peticion.continuacion)
        if recorrido.estado in TERMINALES:
            raise ErrorRecorrido(
                "TERMINADO", "El recorrido ha terminado: para seguir con esto, crea otro que venga de él."
            )
        if casa.conector(recorrido.coordinador) is None:
            raise ErrorRecorrido(
                "SIN_CONECTOR",
                f"Aquí no hay forma de avisar a «{recorrido.coordinador}»: copia el texto y dáselo tú.",
            )
        entrega = avisos.avisar(con, casa, recorrido, MotivoEntrega.CONTINUACION, ahora)
        encolada = borrador.model_copy(update={"estado": EstadoContinuacion.ENCOLADA, "entrega": entrega.id})
        almacen.mover(con, encolada)
        return _hecho(con, marca, encolada)


def descartar(
    con: sqlite3.Connection, rid: str, peticion: PeticionSobreContinuacion, actor: Actor
) -> ReciboContinuacion:
    """It will not be sent.

    Raises ErrorRecorrido NO_EXISTE, PROHIBIDO (neither its author nor a person that may edit), ESTADO (not a draft),
    CLAVE_REUTILIZADA or OCUPADO.
    """
    marca = recibos.marca_de(f"{rid}/descartar", peticion.comando_id, peticion, actor)
    with escritura(con):
        if (antes := recibos.anterior(con, marca)) is not None:
            return _otra_vez(antes)
        borrador = _borrador(con, rid, peticion.continuacion)
        if not edita(actor) and actor != borrador.autor:
            raise ErrorRecorrido(
                "PROHIBIDO", "La descarta quien la escribió, o una persona que pueda editar."
            )
        descartada = borrador.model_copy(update={"estado": EstadoContinuacion.DESCARTADA})
        almacen.mover(con, descartada)
        return _hecho(con, marca, descartada)


def _hecho(con: sqlite3.Connection, marca: recibos.Marca, hecha: Continuacion) -> ReciboContinuacion:
    recorridos.tocar(con, hecha.recorrido)
    recibo = ReciboContinuacion(continuacion=hecha)
    recibos.guardar(con, marca, recibo)
    return recibo


def _otra_vez(respuesta: str) -> ReciboContinuacion:
    return ReciboContinuacion.model_validate_json(respuesta).model_copy(update={"repetido": True})


def _borrador(con: sqlite3.Connection, rid: str, identificador: str) -> Continuacion:
    actual = almacen.continuacion(con, identificador)
    if actual is None or actual.recorrido != rid:
        raise ErrorRecorrido("NO_EXISTE", f"Este recorrido no tiene la continuación «{identificador[:64]}».")
    if actual.estado is not EstadoContinuacion.BORRADOR:
        raise ErrorRecorrido("ESTADO", f"Esta continuación no es un borrador: está {actual.estado}.")
    return actual
