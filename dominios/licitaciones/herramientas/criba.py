"""`criba_lote` and `criba_proponer`: an agent takes its batch of tenders and leaves its verdicts on it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Annotated

from pydantic import Field, StringConstraints

from dominios.licitaciones.criba.almacen import Autoria, pendientes
from dominios.licitaciones.criba.modelo import TANDA_MAX, Juicio, Vista
from dominios.licitaciones.criba.proponer import Anotado, proponer, tanda
from dominios.licitaciones.criba.trabajo import TIPO, tanda_de
from dominios.licitaciones.criba.vista import encajar, encajar_lineas
from dominios.licitaciones.herramientas.base import AVISO_DATOS, LEER, base
from dominios.licitaciones.registro import FICHERO
from nucleo.agentes.herramientas import Contexto, Herramienta, Respuesta
from nucleo.bd import conectar, transaccion
from nucleo.cola.modelo import Intento
from nucleo.cola.servicio import intento_abierto, trabajo
from nucleo.empresa.lineas import Linea
from nucleo.errores import ErrorEntrada
from nucleo.modelo import Modelo
from nucleo.registro import FICHERO as FICHERO_NUCLEO

PROPONER_LICITACIONES = "proponer:licitaciones"
CERRADO = "Ese encargo no está abierto: revisa `trabajo` y `nonce`; si son los tuyos, ya ha terminado."


class Encargo(Modelo):
    """Which job and attempt, as the instructions say at their end."""

    trabajo: Annotated[int, Field(ge=1, description="El número de trabajo de tus instrucciones")]
    nonce: Annotated[
        str,
        StringConstraints(min_length=8, max_length=80),
        Field(description="El nonce de tus instrucciones, tal cual"),
    ]


class Propuesta(Encargo):
    """The verdicts."""

    juicios: Annotated[
        tuple[Juicio, ...],
        Field(min_length=1, max_length=TANDA_MAX, description="Un veredicto por licitación de la tanda"),
    ]


class Lote(Modelo):
    """What is left of the batch. `lineas_fuera` = how many of the profile's last lines did not fit."""

    tanda: int
    perfil: tuple[Linea, ...]
    lineas_fuera: int
    licitaciones: tuple[Vista, ...]


def criba_lote(contexto: Contexto, pedido: Encargo) -> Lote:
    """The profile and the tenders that are still to be judged."""
    numero, _ = _encargo(contexto.leer(FICHERO_NUCLEO), pedido)
    con = base(contexto)
    suya = tanda(con, numero)
    perfil, fuera = encajar_lineas(suya.lineas)
    return Lote(
        tanda=numero, perfil=perfil, lineas_fuera=fuera, licitaciones=encajar(pendientes(con, numero))
    )


def criba_proponer(contexto: Contexto, pedido: Propuesta) -> Anotado | Respuesta:
    """Keep the verdicts, if the attempt is still open when they are kept."""
    with (
        closing(conectar(contexto.datos / FICHERO)) as con,
        closing(conectar(contexto.datos / FICHERO_NUCLEO)) as cola,
        _a_la_vez(con, cola),
    ):
        numero, intento = _encargo(cola, pedido)
        autoria = Autoria(intento.id, intento.version, intento.nonce)
        return proponer(con, tanda(con, numero), pedido.juicios, autoria, contexto.reloj())


def _encargo(cola: sqlite3.Connection, pedido: Encargo) -> tuple[int, Intento]:
    """The batch and the attempt. Raises ErrorEntrada when the attempt is not open, or is of another job or type."""
    intento = intento_abierto(cola, pedido.nonce)
    if intento is None or intento.trabajo_id != pedido.trabajo or intento.tipo != TIPO:
        raise ErrorEntrada(CERRADO, codigo="encargo_cerrado")
    return tanda_de(trabajo(cola, intento.trabajo_id)), intento


@contextmanager
def _a_la_vez(con: sqlite3.Connection, cola: sqlite3.Connection) -> Iterator[None]:
    """Write in `con` while nobody can close an attempt in `cola`.

    The tenders' database is waited for first, since an import may hold it; and it is committed first, so that whoever
    closes the attempt afterwards sees what was kept.
    """
    con.execute("BEGIN IMMEDIATE")
    try:
        with transaccion(cola):
            yield
            con.execute("COMMIT")
    except BaseException:
        if con.in_transaction:
            con.execute("ROLLBACK")
        raise


LOTE = Herramienta(
    nombre="criba_lote",
    permiso=LEER,
    descripcion="Da la tanda de licitaciones de tu encargo de criba que quedan por juzgar y las líneas del perfil de la"
    f" empresa con que compararlas. {AVISO_DATOS}",
    argumentos=Encargo,
    ejecutar=criba_lote,
)
PROPONER = Herramienta(
    nombre="criba_proponer",
    permiso=PROPONER_LICITACIONES,
    descripcion="Deja los veredictos de tu tanda: todas las licitaciones de una vez, ninguna de fuera ni repetida."
    " `encaja` y `no_encaja` citan al menos una línea del perfil. Si la respuesta trae `faltan`, júzgalas en otra"
    " llamada: no se preguntan más. Has terminado con `cerrada: true`. Es una propuesta: decide una persona.",
    argumentos=Propuesta,
    ejecutar=criba_proponer,
)
