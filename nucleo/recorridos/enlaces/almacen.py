"""The links' rows."""

from __future__ import annotations

import sqlite3

from nucleo.recorridos.comandos import Actor
from nucleo.recorridos.enlaces.modelo import Enlace
from nucleo.reloj import a_micros, desde_micros

_CAMPOS = "padre, hijo, motivo, autor, creado"


def poner(con: sqlite3.Connection, nuevo: Enlace) -> None:
    """Insert it; raises sqlite3.IntegrityError when the child has a parent."""
    con.execute(
        f"INSERT INTO recorrido_enlace({_CAMPOS}) VALUES (?, ?, ?, ?, ?)",
        (nuevo.padre, nuevo.hijo, nuevo.motivo, nuevo.autor.model_dump_json(), a_micros(nuevo.creado)),
    )


def padre_de(con: sqlite3.Connection, hijo: str) -> Enlace | None:
    """The link with its parent."""
    return next(iter(_leer(con, "hijo = ?", hijo)), None)


def hijos_de(con: sqlite3.Connection, padre: str, limite: int) -> tuple[Enlace, ...]:
    """The newest links with its children."""
    return _leer(con, "padre = ? ORDER BY hijo DESC LIMIT ?", padre, limite)


def desciende(con: sqlite3.Connection, rid: str, de: str) -> bool:
    """Whether `rid` is `de` or comes from it, however far."""
    fila = con.execute(
        """WITH RECURSIVE antepasado(id) AS (
             SELECT ?1 UNION SELECT padre FROM recorrido_enlace JOIN antepasado ON hijo = id)
           SELECT EXISTS(SELECT 1 FROM antepasado WHERE id = ?2)""",
        (rid, de),
    ).fetchone()
    return bool(fila[0])


def _leer(con: sqlite3.Connection, donde: str, *valores: object) -> tuple[Enlace, ...]:
    filas = con.execute(f"SELECT {_CAMPOS} FROM recorrido_enlace WHERE {donde}", valores)
    return tuple(
        Enlace(
            padre=padre,
            hijo=hijo,
            motivo=motivo,
            autor=Actor.model_validate_json(autor),
            creado=desde_micros(creado),
        )
        for padre, hijo, motivo, autor, creado in filas
    )
