"""`criba_lote` and `criba_proponer`: an agent takes its batch of tenders and leaves its verdicts on it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dominios.licitaciones.criba.almacen import Autoria, pendientes
from dominios.licitaciones.criba.modelo import TANDA_MAX, Juicio, Vista
from dominios.licitaciones.criba.proponer import Anotado, proponer, tanda
from dominios.licitaciones.criba.trabajo import TIPO, tanda_en
from dominios.licitaciones.criba.vista import encajar, encajar_lineas
from dominios.licitaciones.herramientas.base import AVISO_DATOS, LEER, base
from dominios.licitaciones.registro import FICHERO
from nucleo.agentes.encargo import Encargo
from nucleo.agentes.herramientas import Contexto, Herramienta, Mesa, Proposicion, Respuesta
from nucleo.cola.puerta import abierto
from nucleo.empresa.lineas import Linea
from nucleo.modelo import Modelo
from nucleo.registro import FICHERO as FICHERO_NUCLEO

PROPONER_LICITACIONES = "proponer:licitaciones"


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
    numero = tanda_en(abierto(contexto.leer(FICHERO_NUCLEO), contexto, TIPO, pedido).datos)
    con = base(contexto)
    suya = tanda(con, numero)
    perfil, fuera = encajar_lineas(suya.lineas)
    return Lote(
        tanda=numero, perfil=perfil, lineas_fuera=fuera, licitaciones=encajar(pendientes(con, numero))
    )


def criba_proponer(mesa: Mesa, pedido: Propuesta) -> Anotado | Respuesta:
    """Keep the verdicts."""
    suya = tanda(mesa.con, tanda_en(mesa.abierto.datos))
    autoria = Autoria(mesa.abierto.intento_id, mesa.abierto.version, mesa.abierto.nonce)
    return proponer(mesa.con, suya, pedido.juicios, autoria, mesa.contexto.reloj())


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
    ejecutar=Proposicion(tipo=TIPO, fichero=FICHERO, dejar=criba_proponer),
)
