"""The continuations' rows."""

from __future__ import annotations

import sqlite3

from nucleo.recorridos.comandos import Actor
from nucleo.recorridos.continuaciones.modelo import Continuacion, EstadoContinuacion
from nucleo.reloj import a_micros, desde_micros

_CAMPOS = "id, rid, texto, autor, estado, entrega, creada"


def poner(con: sqlite3.Connection, nueva: Continuacion) -> None:
    """Insert it."""
    con.execute(
        f"INSERT INTO recorrido_continuacion({_CAMPOS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            *(nueva.id, nueva.recorrido, nueva.texto, nueva.autor.model_dump_json(), nueva.estado),
            *(nueva.entrega, a_micros(nueva.creada)),
        ),
    )


def mover(con: sqlite3.Connection, movida: Continuacion) -> None:
    """Write where it stands."""
    con.execute(
        "UPDATE recorrido_continuacion SET estado = ?, entrega = ? WHERE id = ?",
        (movida.estado, movida.entrega, movida.id),
    )


def continuacion(con: sqlite3.Connection, identificador: str) -> Continuacion | None:
    """That one."""
    return next(iter(_leer(con, "id = ?", identificador)), None)


def abiertas_de(con: sqlite3.Connection, rid: str) -> tuple[Continuacion, ...]:
    """The run's drafts and those on their way, oldest first."""
    return _leer(con, "rid = ? AND estado IN ('borrador', 'encolada') ORDER BY id", rid)


def todas_de(con: sqlite3.Connection, rid: str, tras: str, limite: int) -> tuple[Continuacion, ...]:
    """The run's ones after that id, oldest first."""
    return _leer(con, "rid = ? AND id > ? ORDER BY id LIMIT ?", rid, tras, limite)


def de_entrega(con: sqlite3.Connection, entrega: str) -> tuple[Continuacion, ...]:
    """The texts that a delivery carries, oldest first."""
    return _leer(con, "entrega = ? ORDER BY id", entrega)


def entregar(con: sqlite3.Connection, entrega: str) -> None:
    """The delivery arrived, and they with it."""
    con.execute("UPDATE recorrido_continuacion SET estado = 'entregada' WHERE entrega = ?", (entrega,))


def devolver(con: sqlite3.Connection, entrega: str) -> None:
    """The delivery will not be sent: they are drafts again."""
    con.execute(
        "UPDATE recorrido_continuacion SET estado = 'borrador', entrega = NULL WHERE entrega = ?", (entrega,)
    )


def mudar(con: sqlite3.Connection, vieja: str, nueva: str) -> None:
    """Another delivery carries them from now on."""
    con.execute("UPDATE recorrido_continuacion SET entrega = ? WHERE entrega = ?", (nueva, vieja))


def _leer(con: sqlite3.Connection, donde: str, *valores: object) -> tuple[Continuacion, ...]:
    filas = con.execute(f"SELECT {_CAMPOS} FROM recorrido_continuacion WHERE {donde}", valores)
    return tuple(
        Continuacion(
            id=id_,
            recorrido=rid,
            texto=texto,
            autor=Actor.model_validate_json(autor),
            estado=EstadoContinuacion(estado),
            entrega=entrega,
            creada=desde_micros(creada),
        )
        for id_, rid, texto, autor, estado, entrega, creada in filas
    )
