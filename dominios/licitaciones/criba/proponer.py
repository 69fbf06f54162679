"""An agent's answer to a batch: taken whole or refused, and kept once however often it is sent."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from dominios.licitaciones.criba import almacen
from dominios.licitaciones.criba.almacen import Autoria
from dominios.licitaciones.criba.formar import huella_de
from dominios.licitaciones.criba.modelo import Juicio, Tanda
from dominios.licitaciones.criba.reglas import aplicar, revisar
from nucleo.agentes.herramientas import Respuesta, rechazo
from nucleo.errores import NoEncontrado
from nucleo.modelo import Modelo

OMITIDA = "El agente la dejó sin juzgar las dos veces que se le preguntó."


class Anotado(Modelo):
    """What became of an answer. `faltan` are asked once more: the same tool takes them in another call."""

    anotadas: int
    faltan: tuple[int, ...]
    sin_veredicto: tuple[int, ...]
    cerrada: bool


def proponer(
    con: sqlite3.Connection, tanda: Tanda, juicios: Sequence[Juicio], autoria: Autoria, ahora: datetime
) -> Anotado | Respuesta:
    """Keep the verdicts; call inside a transaction. The same answer of the same attempt is told the same again."""
    huella = huella_de("\n".join(sorted(j.model_dump_json() for j in juicios)))
    dada = almacen.respuesta_dada(con, tanda.id, autoria.intento_id, huella)
    if dada is not None:
        return Anotado.model_validate_json(dada)
    if tanda.cerrada is not None:
        return rechazo("", "Esta tanda ya está juzgada: no hace falta nada más.", "tanda_cerrada")
    pendientes = tuple(v.numero for v in almacen.pendientes(con, tanda.id))
    if errores := revisar(juicios, pendientes, {x.clave for x in tanda.lineas}, autoria.nonce):
        return Respuesta(codigo="juicios", errores=errores)
    paso = aplicar(juicios, pendientes, tanda.vueltas)
    almacen.anotar_juicios(con, tanda.id, paso.juicios, autoria, ahora)
    almacen.contar_vuelta(con, tanda.id)
    if paso.cierra:
        almacen.cerrar(con, tanda.id, autoria, OMITIDA, ahora)
    anotado = Anotado(
        anotadas=len(paso.juicios),
        faltan=paso.repetir,
        sin_veredicto=paso.sin_veredicto,
        cerrada=paso.cierra,
    )
    almacen.anotar_respuesta(con, tanda.id, autoria.intento_id, huella, anotado.model_dump_json(), ahora)
    return anotado


def tanda(con: sqlite3.Connection, tanda_id: int) -> Tanda:
    """That batch. Raises NoEncontrado."""
    encontrada = almacen.leer_tanda(con, tanda_id)
    if encontrada is None:
        raise NoEncontrado(f"No hay ninguna tanda {tanda_id} de la criba.")
    return encontrada
