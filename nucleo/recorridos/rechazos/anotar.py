"""Keeping a refusal, when somebody should know of it."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from nucleo.recorridos import almacen
from nucleo.recorridos.comandos import Actor, ClaseActor, Comando, TipoComando
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.rechazos import almacen as filas
from nucleo.recorridos.transacciones import escritura
from nucleo.recorridos.valores import huella

CON_PRUEBA = frozenset(
    (
        "PROHIBIDO",
        "CLASE",
        "INTENTO_VIEJO",
        "NO_EN_CURSO",
        "TERMINADO",
        "CLAVE_REUTILIZADA",
        "PASADO_ALTERADO",
        "PLAN_INVALIDO",
    )
)
"""What is kept of agents and of our own processes."""
TEXTO_MAXIMO = 40_000
"""Characters kept of a command: those of a whole report (its outputs are at most 32 KiB)."""


def anotar_rechazo(  # noqa: PLR0913, PLR0917 - the refusal and all that it was about
    con: sqlite3.Connection, rid: str, comando: Comando, actor: Actor, error: ErrorRecorrido, ahora: datetime
) -> None:
    """Keep it if it is worth it, in a transaction of its own: the refused one was undone. Repeated, it is kept once."""
    if not _vale_la_pena(comando, actor, error):
        return
    texto = comando.model_dump_json(exclude_defaults=True)
    with escritura(con):
        revision = almacen.revision(con, rid)
        if revision is None:
            return
        filas.poner(
            con,
            rid,
            huella([texto, actor.clase, actor.nombre]),
            filas.RechazoNuevo(
                error.codigo, error.mensaje[:1_000], actor, texto[:TEXTO_MAXIMO], revision, ahora
            ),
        )


def _vale_la_pena(comando: Comando, actor: Actor, error: ErrorRecorrido) -> bool:
    """A sign of life tells nothing; what a person cannot do is only of note when it is not allowed."""
    if comando.tipo is TipoComando.LATIDO:
        return False
    if actor.clase is ClaseActor.PERSONA:
        return error.codigo == "PROHIBIDO"
    return error.codigo in CON_PRUEBA
