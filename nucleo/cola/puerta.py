"""Which attempts may be worked for by an agent's tools, and keeping one open while a proposal is written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from nucleo.agentes.encargo import Abierto, Encargo, Puerta, encargo_cerrado
from nucleo.agentes.herramientas import Contexto
from nucleo.bd import conectar, fichero_de, transaccion
from nucleo.cola.servicio import intento_abierto, trabajo


def puerta_a(fichero: Path) -> Puerta:
    """The gate to the queue of that shared database, which may be the one where a proposal is written."""

    @contextmanager
    def mientras_abierto(
        con: sqlite3.Connection, contexto: Contexto, tipo: str, pedido: Encargo
    ) -> Iterator[Abierto]:
        if fichero_de(con) == fichero.resolve():
            yield abierto(con, contexto, tipo, pedido)
        else:
            with closing(conectar(fichero)) as cola, transaccion(cola):
                yield abierto(cola, contexto, tipo, pedido)

    return mientras_abierto


def abierto(cola: sqlite3.Connection, contexto: Contexto, tipo: str, pedido: Encargo) -> Abierto:
    """The attempt. An agent comes in with the name of the Hermes profile that the attempt was given to.

    Raises ErrorEntrada when it is not open, is of another job or type, or was given to another agent.
    """
    intento = intento_abierto(cola, pedido.nonce)
    if (
        intento is None
        or (intento.trabajo_id, intento.tipo) != (pedido.trabajo, tipo)
        or intento.perfil != contexto.agente.nombre
    ):
        raise encargo_cerrado()
    datos = trabajo(cola, intento.trabajo_id).datos
    return Abierto(intento.id, intento.version, intento.nonce, intento.trabajo_id, datos)
