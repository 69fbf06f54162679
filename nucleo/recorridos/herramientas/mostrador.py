"""The API as an agent's call reaches it: the same routes and the same client, inside this process."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from nucleo.agentes.herramientas import Contexto, ErrorCampo, Orden, Respuesta
from nucleo.bd import FICHERO_COMUN, conectar
from nucleo.modelo import Modelo
from nucleo.recorridos.api.cuerpo import CuerpoInvalido
from nucleo.recorridos.api.despacho import Entorno
from nucleo.recorridos.api.mensajes import Identidad
from nucleo.recorridos.api.rutas import API
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.cliente import Cliente
from nucleo.recorridos.comandos import Actor, ClaseActor
from nucleo.recorridos.errores import ErrorRecorrido, PlanInvalido
from nucleo.recorridos.transporte import TransporteInterno

A = TypeVar("A", bound=Modelo)
Hacer = Callable[[Cliente, A], Modelo]
OCUPADA_MS = 5_000
"""How long a call waits for another writer before it answers that it is busy."""


class Negada(Respuesta):
    """A refusal of the runs; `revision_actual` when the agent needs it."""

    revision_actual: int | None = None


class Mostrador:
    """Makes the functions of the tools from functions of a client. `casa`: the installation's, by data folder."""

    def __init__(self, casa: Callable[[Path], Casa]) -> None:
        self._casa = casa

    def lectura(self, hacer: Hacer[A]) -> Callable[[Contexto, A], Modelo]:
        """A tool that reads, with the connection that it is lent."""
        return lambda contexto, dicho: self._atender(contexto, contexto.leer(FICHERO_COMUN), hacer, dicho)

    def orden(self, hacer: Hacer[A]) -> Orden[A]:
        """A tool that changes something, with a connection of its own."""

        def ejecutar(contexto: Contexto, dicho: A) -> Modelo:
            with closing(conectar(contexto.datos / FICHERO_COMUN)) as con:
                con.execute(f"PRAGMA busy_timeout={OCUPADA_MS}")
                return self._atender(contexto, con, hacer, dicho)

        return Orden(ejecutar)

    def _atender(self, contexto: Contexto, con: sqlite3.Connection, hacer: Hacer[A], dicho: A) -> Modelo:
        actor = Actor(clase=ClaseActor.AGENTE, nombre=contexto.agente.nombre)
        identidad = Identidad(actor=actor, permisos=contexto.agente.permisos)
        entorno = Entorno(con, self._casa(contexto.datos), contexto.datos, contexto.reloj)
        # Once: the agent repeats what finds the database busy, with the same identifier.
        cliente = Cliente(TransporteInterno(API, lambda: entorno, identidad), intentos=1)
        try:
            return hacer(cliente, dicho)
        except ErrorRecorrido as error:
            return negada(error)


def negada(error: ErrorRecorrido) -> Negada:
    """The refusal as agents read it, with every problem in a line."""
    problemas = error.problemas if isinstance(error, PlanInvalido | CuerpoInvalido) else ()
    errores = tuple(ErrorCampo(campo=p.paso or "", mensaje=p.mensaje) for p in problemas)
    return Negada(
        codigo=error.codigo,
        errores=errores or (ErrorCampo(campo="", mensaje=error.mensaje),),
        revision_actual=error.revision,
    )
