"""The queue as people and agents look at it: what runs, what waits and why, what is stopped, what failed."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

from nucleo.cola import almacen, servicio
from nucleo.cola.frenos import almacen as frenos
from nucleo.cola.modelo import EstadoTrabajo, Freno, Intento, Tipos, Trabajo
from nucleo.cola.reglas import Contexto, Gasto, aviso_de_gasto, motivo_espera
from nucleo.cola.situacion import gasto_actual, mirar
from nucleo.hermes.modelo import SIMULADO
from nucleo.modelo import Modelo

LISTA = 50
"""Jobs of each list that are told; the counts are of all."""


class EnMarcha(Modelo):
    """A job under way. `segundos` since Hermes took it; `callado_s` since it was last seen doing something."""

    trabajo: Trabajo
    intento: int
    estado: str
    segundos: float
    callado_s: float


class Espera(Modelo):
    """A job that waits, and why; None = it is next as soon as somebody serves the queue."""

    trabajo: Trabajo
    motivo: str | None


class EstadoCola(Modelo):
    """`cuentas`: type → state → how many. `esperan` in the order in which they would go."""

    cuentas: dict[str, dict[str, int]]
    en_marcha: tuple[EnMarcha, ...]
    esperan: tuple[Espera, ...]
    fallidos: tuple[Trabajo, ...]
    terminados: tuple[Trabajo, ...]
    """Done or cancelled, newest first."""
    frenos: tuple[Freno, ...]
    gasto: Gasto
    aviso_gasto: str | None
    simulado: bool
    """Whether the stand-in for Hermes has done some of the jobs, which must be said."""


class Ficha(Modelo):
    """One job with every attempt at it, oldest first, and each one's model if Hermes told.

    Nonces are left out: they are for the agent alone.
    """

    trabajo: Trabajo
    motivo: str | None
    intentos: tuple[Intento, ...]
    modelos: tuple[str | None, ...]


class Autoria(Modelo):
    """Who did an attempt: Hermes profile, and the model if Hermes told."""

    trabajo_id: int
    perfil: str
    modelo: str | None


def autoria(con: sqlite3.Connection, intento_id: int) -> Autoria | None:
    """None when the attempt is not in this queue."""
    intento = almacen.intento(con, intento_id)
    if intento is None:
        return None
    modelo = almacen.modelo_de(con, intento_id)
    return Autoria(trabajo_id=intento.trabajo_id, perfil=intento.perfil, modelo=modelo)


def estado(con: sqlite3.Connection, tipos: Tipos, contexto: Contexto, ahora: datetime) -> EstadoCola:
    """As it is now; profiles are what `contexto` says."""
    situacion = mirar(con, contexto.topes, tuple(tipos), ahora)
    gastado = gasto_actual(con, tuple(tipos), ahora)
    pendientes = almacen.primeros_pendientes(con, ahora, LISTA)
    cuentas: dict[str, dict[str, int]] = {}
    for (tipo, en), cuantos in sorted(almacen.contar(con).items()):
        cuentas.setdefault(tipo, {})[en] = cuantos
    return EstadoCola(
        cuentas=cuentas,
        en_marcha=tuple(
            EnMarcha(
                trabajo=r.trabajo,
                intento=r.intento.numero,
                estado=r.intento.estado,
                segundos=(ahora - (r.intento.lanzado or r.intento.reservado)) / timedelta(seconds=1),
                callado_s=(ahora - r.intento.actividad) / timedelta(seconds=1),
            )
            for r in servicio.por_conciliar(con)
        ),
        esperan=tuple(
            Espera(trabajo=t, motivo=motivo_espera(t, tipos, contexto, situacion, ahora)) for t in pendientes
        ),
        fallidos=tuple(almacen.listar(con, [EstadoTrabajo.FALLIDO], LISTA)),
        terminados=tuple(almacen.listar(con, [EstadoTrabajo.HECHO, EstadoTrabajo.CANCELADO], LISTA)),
        frenos=tuple(f for f in frenos.todos(con) if f.vigente(ahora)),
        gasto=gastado,
        aviso_gasto=aviso_de_gasto(gastado, contexto.topes),
        simulado=almacen.hay_modelo(con, SIMULADO),
    )


def ficha(
    con: sqlite3.Connection, tipos: Tipos, contexto: Contexto, trabajo_id: int, ahora: datetime
) -> Ficha:
    """Raises NoEncontrado."""
    trabajo = servicio.trabajo(con, trabajo_id)
    situacion = mirar(con, contexto.topes, tuple(tipos), ahora)
    espera = trabajo.estado is EstadoTrabajo.PENDIENTE
    intentos = almacen.intentos_de(con, trabajo_id)
    return Ficha(
        trabajo=trabajo,
        motivo=motivo_espera(trabajo, tipos, contexto, situacion, ahora) if espera else None,
        intentos=tuple(i.model_copy(update={"nonce": "", "texto": None, "entrada": None}) for i in intentos),
        modelos=tuple(almacen.modelo_de(con, i.id) for i in intentos),
    )
