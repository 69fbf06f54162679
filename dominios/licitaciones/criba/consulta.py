"""Every tender of the criba with where it stands and why: a filter may hide some, but none is ever missing."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from dominios.licitaciones.criba import almacen
from dominios.licitaciones.criba.modelo import Juzgada, Palabra, Situacion
from dominios.licitaciones.criba.reglas import situacion
from dominios.licitaciones.prefiltro.almacen import Candidata, candidatas
from nucleo.bd import transaccion
from nucleo.errores import ErrorEntrada
from nucleo.modelo import Modelo

MOTIVO_MAX = 1000
PERSONA_MAX = 120


class Cribada(Modelo):
    """A prefiltered open tender with what the agent and a person said of it."""

    candidata: Candidata
    situacion: Situacion
    juzgada: Juzgada | None
    palabra: Palabra | None


def cribadas(con: sqlite3.Connection, prefiltro_huella: str, ahora: datetime) -> tuple[Cribada, ...]:
    """All that the prefilter let in and are open, the one that closes first at the top."""
    abiertas = candidatas(con, prefiltro_huella, ahora, dentro=True)
    ids = [c.licitacion_id for c in abiertas]
    juzgadas, palabras = almacen.juzgadas(con, ids), almacen.ultimas_palabras(con, ids)
    return tuple(
        Cribada(
            candidata=c,
            situacion=situacion(palabras.get(c.licitacion_id), juzgadas.get(c.licitacion_id)),
            juzgada=juzgadas.get(c.licitacion_id),
            palabra=palabras.get(c.licitacion_id),
        )
        for c in abiertas
    )


class Resumen(Modelo):
    """Where a tender stands and why, in one line; `persona` when it is a person's word."""

    situacion: Situacion
    motivo: str
    persona: str | None


def resumenes(con: sqlite3.Connection, licitaciones: Sequence[int]) -> dict[int, Resumen]:
    """Of those tenders, the ones that an agent was asked about or a person spoke of: a look-up by their numbers."""
    juzgadas, palabras = almacen.juzgadas(con, licitaciones), almacen.ultimas_palabras(con, licitaciones)
    return {i: _resumen(palabras.get(i), juzgadas.get(i)) for i in {*juzgadas, *palabras}}


def _resumen(palabra: Palabra | None, juzgada: Juzgada | None) -> Resumen:
    motivo = palabra.motivo if palabra else juzgada.motivo if juzgada else ""
    return Resumen(
        situacion=situacion(palabra, juzgada), motivo=motivo, persona=palabra.persona if palabra else None
    )


def exigir_persona(persona: str) -> None:
    """Raises ErrorEntrada unless it says who does it."""
    if not persona.strip():
        raise ErrorEntrada("Di quién lo decide.")
    if len(persona) > PERSONA_MAX:
        raise ErrorEntrada(
            f"El nombre de quien decide es demasiado largo: como máximo, {PERSONA_MAX} caracteres."
        )


def decidir(con: sqlite3.Connection, licitacion_id: int, palabra: Palabra) -> None:
    """A person's word on a tender: it wins over any agent's, before and after, and the former ones are kept."""
    exigir_persona(palabra.persona)
    if len(palabra.motivo) > MOTIVO_MAX:
        raise ErrorEntrada(f"El motivo es demasiado largo: como máximo, {MOTIVO_MAX} caracteres.")
    with transaccion(con):
        almacen.decir(con, licitacion_id, palabra)
