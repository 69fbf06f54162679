"""What this domain gives to the runs: the template of the offer with its rules, and the deadline of a tender."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path

from dominios.licitaciones.oferta.almacen import plazo_de
from dominios.licitaciones.oferta.funciones import funciones
from dominios.licitaciones.oferta.modelo import Reparo
from dominios.licitaciones.oferta.plantilla import NOMBRE, OFERTA
from dominios.licitaciones.oferta.politica import politica
from dominios.licitaciones.oferta.respuestas import respuesta
from dominios.licitaciones.radar.consulta import localizar
from nucleo.bd import conectar_lectura
from nucleo.errores import ErrorBaseDatos, ErrorEntrada, NoEncontrado
from nucleo.recorridos.casa import Casa, Plantilla
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.reloj import desde_micros

DOMINIO = "licitaciones"


def casa_de_ofertas(fichero: Path) -> Casa:
    """This domain's part of the installation; `fichero` is its database."""
    return Casa(
        plantillas={
            NOMBRE: Plantilla(
                nombre=NOMBRE, plan=OFERTA, politica=politica, respuesta=respuesta, dominio=DOMINIO
            )
        },
        funciones=funciones(),
        esquemas={"oferta_reparo": Reparo},
        plazo=partial(plazo, fichero),
    )


def plazo(fichero: Path, _: str, objeto_id: str) -> datetime | None:
    """Until when to submit an offer to that tender (its Atom id, or the tail of it): aware UTC, the safe reading.

    None without object or published deadline. Raises ErrorRecorrido NO_EXISTE when it names no tender, or several:
    no run is born about something that nobody can look at.
    """
    if not objeto_id:
        return None
    try:
        with closing(conectar_lectura(fichero)) as con:
            micros = plazo_de(con, localizar(con, objeto_id))
    except (NoEncontrado, ErrorEntrada, ErrorBaseDatos) as error:
        raise ErrorRecorrido("NO_EXISTE", error.mensaje) from error
    return None if micros is None else desde_micros(micros)
