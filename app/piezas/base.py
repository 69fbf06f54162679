"""What pages ask of the domain: a connection per run, and short-lived copies of the answers that cost to make."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime

import streamlit as st

import tasks.tipos
from dominios.licitaciones import registro
from dominios.licitaciones.oportunidades import servicio
from dominios.licitaciones.oportunidades.modelos import Facetas, Filtro, Frescura, Recuento
from nucleo import registro as registro_nucleo
from nucleo.bd import conectar, conectar_lectura
from nucleo.cola.modelo import Tipos
from nucleo.configuracion import configuracion
from nucleo.reloj import reloj_del_sistema


@contextmanager
def conexion() -> Iterator[sqlite3.Connection]:
    """A read-only connection that lives as long as one run of the page."""
    with closing(conectar_lectura(configuracion().datos / registro.FICHERO)) as con:
        yield con


@contextmanager
def escritura() -> Iterator[sqlite3.Connection]:
    """The same database, to let a service write in it what a person has just asked."""
    with closing(conectar(configuracion().datos / registro.FICHERO)) as con:
        yield con


@contextmanager
def nucleo() -> Iterator[sqlite3.Connection]:
    """The shared database (agents, queue, company), read-only."""
    with closing(conectar_lectura(configuracion().datos / registro_nucleo.FICHERO)) as con:
        yield con


@contextmanager
def nucleo_escritura() -> Iterator[sqlite3.Connection]:
    """The shared database, to let a service write in it what a person has just asked."""
    with closing(conectar(configuracion().datos / registro_nucleo.FICHERO)) as con:
        yield con


def tipos_de_trabajo() -> Tipos:
    """The AI jobs that the queue serves, by name."""
    return tasks.tipos.tipos_de_trabajo(configuracion().datos)


def ahora() -> datetime:
    """The present instant."""
    return reloj_del_sistema()


@st.cache_data(ttl=30, max_entries=500, show_spinner=False)
def contar(filtro_json: str, minuto: int) -> Recuento:
    """How many match; `minuto` changes the key, since what is open depends on the clock."""
    with conexion() as con:
        return servicio.contar(con, Filtro.model_validate_json(filtro_json), ahora())


@st.cache_data(ttl=300, max_entries=1, show_spinner=False)
def facetas() -> Facetas:
    """The values worth offering in the filters."""
    with conexion() as con:
        return servicio.facetas(con)


@st.cache_data(ttl=30, max_entries=1, show_spinner=False)
def frescura() -> tuple[Frescura, ...]:
    """The newest instant read of each source, shared by every session."""
    with conexion() as con:
        return servicio.frescura(con)
