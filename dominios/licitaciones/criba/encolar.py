"""Open batches and the queue kept in step: each has its job, and one whose job came to nothing is ended."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from dominios.licitaciones.criba import almacen
from dominios.licitaciones.criba.trabajo import TIPO, datos_de, objeto_de
from nucleo.bd import transaccion
from nucleo.cola import servicio as cola
from nucleo.cola.modelo import EstadoTrabajo, Tipos
from nucleo.modelo import Modelo


class Encoladas(Modelo):
    """Batches that wait for an agent, and tenders that stay without verdict because their job failed."""

    esperan: int
    sin_veredicto: int


def encolar_tandas(
    con: sqlite3.Connection, con_cola: sqlite3.Connection, tipos: Tipos, ahora: datetime
) -> Encoladas:
    """Repeatable: a batch whose run was cut before it got its job gets it now, and none gets two."""
    esperan = sin_veredicto = 0
    for tanda in almacen.abiertas(con):
        trabajo = cola.encolar(
            con_cola, tipos, TIPO, objeto_de(tanda), datos_de(tanda), almacen.vence(con, tanda), ahora
        )
        if trabajo.estado in {EstadoTrabajo.FALLIDO, EstadoTrabajo.CANCELADO}:
            motivo = f"El trabajo {trabajo.id} está {trabajo.estado}: {trabajo.motivo}".rstrip(": ")
            with transaccion(con):
                sin_veredicto += almacen.cerrar(con, tanda, None, motivo, ahora)
        else:
            esperan += 1
    return Encoladas(esperan=esperan, sin_veredicto=sin_veredicto)
