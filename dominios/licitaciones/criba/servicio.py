"""One run of the criba: form batches of what needs a verdict, and see that each one has its job in the queue."""

from __future__ import annotations

import sqlite3

from dominios.licitaciones.criba import almacen
from dominios.licitaciones.criba.encolar import encolar_tandas
from dominios.licitaciones.criba.formar import formar_tandas
from nucleo.bd import transaccion
from nucleo.cola.modelo import Tipos
from nucleo.empresa.servicio import vigente
from nucleo.modelo import Modelo
from nucleo.reloj import Reloj


class Lanzamiento(Modelo):
    """`preguntadas` go in the new batches; `quedan` for the next run; `tandas` wait for an agent, old ones included;
    `sin_veredicto` stay so because their job came to nothing."""

    preguntadas: int
    quedan: int
    tandas: int
    sin_veredicto: int
    perfil_version: int


def repetir(con: sqlite3.Connection) -> int:
    """A person wants what stayed without verdict to be asked again: the next run does it; how many those are.

    What happened is kept, and nothing is asked again by itself: jobs that fail would fail, and cost, twice a day.
    """
    with transaccion(con):
        return almacen.olvidar_sin_veredicto(con)


def lanzar(
    con: sqlite3.Connection, con_cola: sqlite3.Connection, tipos: Tipos, prefiltro_huella: str, reloj: Reloj
) -> Lanzamiento:
    """Repeatable at any moment, also after being cut. Raises NoEncontrado when there is no company profile yet."""
    perfil = vigente(con_cola)
    formadas = formar_tandas(con, prefiltro_huella, perfil, reloj)
    encoladas = encolar_tandas(con, con_cola, tipos, reloj())
    return Lanzamiento(
        preguntadas=formadas.cuantas,
        quedan=formadas.quedan,
        tandas=encoladas.esperan,
        sin_veredicto=encoladas.sin_veredicto,
        perfil_version=perfil.cabecera.version,
    )
