"""How the pages talk to the guided runs: the one client, inside this process, as the person of the session."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from app.api.identidad import persona
from app.piezas import base, sesion
from nucleo.configuracion import configuracion
from nucleo.errores import ErrorBaseDatos
from nucleo.recorridos import lectura
from nucleo.recorridos.api.despacho import Entorno
from nucleo.recorridos.api.mensajes import Identidad
from nucleo.recorridos.api.rutas import API
from nucleo.recorridos.artefactos.modelo import Artefacto
from nucleo.recorridos.cliente import Cliente, nueva_clave
from nucleo.recorridos.comandos import Actor
from nucleo.recorridos.estado import Evento
from nucleo.recorridos.transporte import TransporteInterno
from nucleo.recorridos.valores import Esquemas
from nucleo.reloj import reloj_del_sistema
from tasks.casa import casa

CADA_S = 2
"""Seconds between two looks at whether something changed."""
ULTIMOS = 300
"""Events of a run that its page looks at."""
_CLAVES = "recorridos_claves"
_CLAVES_MAX = 200


def yo(huella: str | None = None) -> Actor:
    """Who decides on these pages: whose session it is, this run's unless another is said."""
    return persona(sesion.quien(huella))


@contextmanager
def cliente(huella: str | None = None) -> Iterator[Cliente]:
    """A client that lives as long as one run of the page. Its methods raise ErrorRecorrido and ErrorRed."""
    datos = configuracion().datos
    with base.nucleo_escritura() as con:
        entorno = Entorno(con, casa(datos), datos, reloj_del_sistema)
        yield Cliente(TransporteInterno(API, lambda: entorno, Identidad(actor=yo(huella))))


def esquemas() -> Esquemas:
    """The models that the ports of this installation's plans may name."""
    return casa(configuracion().datos).esquemas


def ultimos_eventos(rid: str) -> tuple[Evento, ...]:
    """The newest events of a run, in order. Raises ErrorRecorrido NO_EXISTE."""
    with base.nucleo() as con:
        return lectura.ultimos_eventos(con, rid, ULTIMOS)


def artefactos(rid: str) -> tuple[Artefacto, ...]:
    """The first 500 files of a run. Raises ErrorRecorrido NO_EXISTE."""
    with base.nucleo() as con:
        return lectura.artefactos(con, rid, limite=500)


@st.fragment(run_every=CADA_S)
def vigilar(rid: str | None, visto: int) -> None:
    """Draw the whole page again when that run (None: any) has changed since the number `visto`; it draws nothing.

    What is half typed stays: controls keep their keys, and forms are only changed when the person asks.
    """
    try:
        with base.nucleo() as con:
            ahora = lectura.ultimo_cambio(con) if rid is None else lectura.pulso(con, rid).cambio
    except (sqlite3.OperationalError, ErrorBaseDatos):  # busy or being replaced: the next look will tell
        return
    if ahora != visto:
        st.rerun()


def clave_de(*partes: object) -> str:
    """The identifier of a command: the same in this tab for the same thing on the same basis, so that a second click,
    or an answer that was lost, never does it twice."""
    claves: dict[str, str] = st.session_state.setdefault(_CLAVES, {})
    de = repr(partes)
    if de not in claves:
        while len(claves) >= _CLAVES_MAX:
            claves.pop(next(iter(claves)))
        claves[de] = nueva_clave()
    return claves[de]
