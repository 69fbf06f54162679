"""Linking runs. It never writes in a row of the parent: what it was is not changed by what comes after it."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import Annotated

from pydantic import Field

from nucleo.modelo import Modelo
from nucleo.recorridos import almacen as recorridos
from nucleo.recorridos import recibos
from nucleo.recorridos.comandos import Actor, ComandoId
from nucleo.recorridos.enlaces import almacen
from nucleo.recorridos.enlaces.modelo import Enlace, ReciboEnlace
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import Recorrido
from nucleo.recorridos.peticiones import RecorridoId
from nucleo.recorridos.quien import edita, lleva
from nucleo.recorridos.transacciones import escritura


class PeticionEnlace(Modelo):
    """To tell that `hijo`, which exists, came from `padre`."""

    comando_id: ComandoId
    padre: RecorridoId
    hijo: RecorridoId
    motivo: Annotated[str, Field(min_length=1, max_length=1_000)]


def enlazar_hijo(
    con: sqlite3.Connection, peticion: PeticionEnlace, actor: Actor, ahora: datetime
) -> ReciboEnlace:
    """Link two runs that exist. `ahora`: aware UTC.

    Raises ErrorRecorrido NO_EXISTE, PROHIBIDO (an agent links those that it coordinates), PADRE_ARCHIVADO,
    ENLACE_CIRCULAR, ESTADO (it has a parent), FALTA_MOTIVO (only spaces), CLAVE_REUTILIZADA or OCUPADO.
    """
    marca = recibos.marca_de("enlazar", peticion.comando_id, peticion, actor)
    with escritura(con):
        if (antes := recibos.anterior(con, marca)) is not None:
            return ReciboEnlace.model_validate_json(antes).model_copy(update={"repetido": True})
        hijo = recorridos.recorrido(con, peticion.hijo)
        _exigir_permiso(actor, hijo)
        if almacen.desciende(con, peticion.padre, peticion.hijo):
            raise ErrorRecorrido(
                "ENLACE_CIRCULAR", "Un recorrido no puede venir de sí mismo: ese padre viene ya de este hijo."
            )
        if almacen.padre_de(con, hijo.id) is not None:
            raise ErrorRecorrido("ESTADO", "Este recorrido ya viene de otro, y solo puede venir de uno.")
        recibo = ReciboEnlace(
            enlace=enlazar_nacido(con, peticion.padre, hijo.id, peticion.motivo, actor, ahora)
        )
        recibos.guardar(con, marca, recibo)
        return recibo


def enlazar_nacido(  # noqa: PLR0913, PLR0917 - the link and who makes it
    con: sqlite3.Connection, padre: str, hijo: str, motivo: str, actor: Actor, ahora: datetime
) -> Enlace:
    """Link a run without parent nor children, in the transaction that it is made in. Raises as `enlazar_hijo`."""
    de_quien = recorridos.recorrido(con, padre)
    _exigir_permiso(actor, de_quien)
    if not motivo.strip():
        raise ErrorRecorrido("FALTA_MOTIVO", "Falta decir por qué un recorrido viene del otro.")
    if de_quien.archivado is not None:
        raise ErrorRecorrido(
            "PADRE_ARCHIVADO",
            "El recorrido del que viene está archivado: sácalo del archivo antes de enlazar.",
        )
    enlace = Enlace(padre=padre, hijo=hijo, motivo=motivo.strip(), autor=actor, creado=ahora)
    almacen.poner(con, enlace)
    recorridos.tocar(con, hijo)
    return enlace


def _exigir_permiso(actor: Actor, recorrido: Recorrido) -> None:
    if not edita(actor) and not lleva(actor, recorrido):
        raise ErrorRecorrido(
            "PROHIBIDO", "Enlaza recorridos quien los coordina o una persona que pueda editarlos."
        )
