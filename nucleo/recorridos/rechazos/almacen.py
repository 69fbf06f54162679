"""The refusals' rows."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import NamedTuple

from pydantic import ValidationError

from nucleo.recorridos.comandos import Actor, Comando
from nucleo.recorridos.rechazos.modelo import Insistente, Rechazo
from nucleo.reloj import a_micros, desde_micros

RECHAZOS_POR_RECORRIDO = 1_000
"""The newest ones are kept: whoever insists does not fill the disk."""


class RechazoNuevo(NamedTuple):
    """A refused command. `texto` is its JSON, cut if it was too long; `revision`, the run's then."""

    codigo: str
    mensaje: str
    actor: Actor
    texto: str
    revision: int
    en: datetime


def poner(con: sqlite3.Connection, rid: str, huella: str, nuevo: RechazoNuevo) -> None:
    """Keep a refused command: the same one once, and only the newest of each run."""
    con.execute(
        """INSERT INTO recorrido_rechazo(rid, huella, codigo, mensaje, actor, texto, revision, en)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(rid, huella, codigo) DO NOTHING""",
        (
            *(
                rid,
                huella,
                nuevo.codigo,
                nuevo.mensaje,
                nuevo.actor.model_dump_json(),
                nuevo.texto,
                nuevo.revision,
            ),
            a_micros(nuevo.en),
        ),
    )
    con.execute(
        """DELETE FROM recorrido_rechazo WHERE rid = ?1 AND id <= (
             SELECT id FROM recorrido_rechazo WHERE rid = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)""",
        (rid, RECHAZOS_POR_RECORRIDO),
    )


def de_recorrido(con: sqlite3.Connection, rid: str, desde: int, limite: int) -> tuple[Rechazo, ...]:
    """After that id, in order."""
    filas = con.execute(
        """SELECT id, codigo, mensaje, actor, texto, revision, en FROM recorrido_rechazo
           WHERE rid = ? AND id > ? ORDER BY id LIMIT ?""",
        (rid, desde, limite),
    )
    return tuple(
        Rechazo(
            id=id_,
            codigo=codigo,
            mensaje=mensaje,
            actor=Actor.model_validate_json(actor),
            comando=_comando(texto),
            texto=texto,
            revision=revision,
            en=desde_micros(en),
        )
        for id_, codigo, mensaje, actor, texto, revision, en in filas
    )


def contar(con: sqlite3.Connection, rid: str) -> int:
    """How many the run has."""
    return int(con.execute("SELECT count(*) FROM recorrido_rechazo WHERE rid = ?", (rid,)).fetchone()[0])


def insistentes(con: sqlite3.Connection, desde: datetime, veces: int) -> tuple[Insistente, ...]:
    """Whoever was refused most first."""
    filas = con.execute(
        """SELECT actor, count(*) FROM recorrido_rechazo WHERE en >= ? AND codigo = 'PROHIBIDO'
           GROUP BY actor HAVING count(*) >= ? ORDER BY count(*) DESC, actor""",
        (a_micros(desde), veces),
    )
    return tuple(Insistente(actor=Actor.model_validate_json(actor), veces=n) for actor, n in filas)


def _comando(texto: str) -> Comando | None:
    try:
        return Comando.model_validate_json(texto)
    except ValidationError:  # it was cut
        return None
