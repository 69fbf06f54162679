"""Doing once what is asked twice: the same request gets the same answer, and its identifier is nobody else's."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from nucleo.modelo import Modelo
from nucleo.recorridos import almacen
from nucleo.recorridos.almacen import ReciboGuardado
from nucleo.recorridos.comandos import Actor
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.valores import huella


class Marca(NamedTuple):
    """A request as its receipt knows it: the scope (a run's id, or a word), the identifier and the fingerprint."""

    ambito: str
    clave: str
    huella: str


def marca_de(ambito: str, clave: str, peticion: Modelo, actor: Actor, *partes: str) -> Marca:
    """Two requests are the same one when what they carry and who sends them are; `partes`: what else they carry."""
    contenido = [peticion.model_dump(mode="json"), actor.clase, actor.nombre, *partes]
    return Marca(ambito, clave, huella(contenido))


def anterior(con: sqlite3.Connection, marca: Marca) -> str | None:
    """The answer that the same request got, as JSON. Raises ErrorRecorrido CLAVE_REUTILIZADA if it was another one.

    Within the transaction of what is asked, and before looking at anything else.
    """
    guardado = almacen.recibo(con, marca.ambito, marca.clave)
    if guardado is None:
        return None
    if guardado.huella != marca.huella:
        raise ErrorRecorrido(
            "CLAVE_REUTILIZADA",
            f"«{marca.clave}» ya identificó otra petición: usa un comando_id nuevo para esta.",
        )
    return guardado.respuesta


def guardar(con: sqlite3.Connection, marca: Marca, respuesta: Modelo) -> None:
    """Keep the answer, in the same transaction as what was done."""
    almacen.poner_recibo(
        con, marca.ambito, marca.clave, ReciboGuardado(marca.huella, respuesta.model_dump_json())
    )
