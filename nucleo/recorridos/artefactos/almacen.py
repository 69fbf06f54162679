"""The artefacts' rows."""

from __future__ import annotations

import sqlite3

from nucleo.recorridos.artefactos.modelo import Artefacto
from nucleo.recorridos.comandos import Actor
from nucleo.reloj import a_micros, desde_micros

_CAMPOS = "id, rid, paso, intento, nombre, tipo_medio, bytes, sha256, actor, creado"


def poner(con: sqlite3.Connection, nuevo: Artefacto) -> None:
    """Insert it."""
    con.execute(
        f"INSERT INTO recorrido_artefacto({_CAMPOS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(nuevo.id, nuevo.recorrido, nuevo.paso, nuevo.intento, nuevo.nombre, nuevo.tipo_medio),
            *(nuevo.bytes, nuevo.sha256, nuevo.actor.model_dump_json(), a_micros(nuevo.creado)),
        ),
    )


def artefacto(con: sqlite3.Connection, identificador: str) -> Artefacto | None:
    """That one."""
    return next(iter(_leer(con, "id = ?", identificador)), None)


def de_recorrido(con: sqlite3.Connection, rid: str, tras: str, limite: int) -> tuple[Artefacto, ...]:
    """The run's ones after that id, oldest first."""
    return _leer(con, "rid = ? AND id > ? ORDER BY id LIMIT ?", rid, tras, limite)


def contar(con: sqlite3.Connection, rid: str) -> int:
    """How many the run has."""
    return int(con.execute("SELECT count(*) FROM recorrido_artefacto WHERE rid = ?", (rid,)).fetchone()[0])


def es_de(con: sqlite3.Connection, rid: str, identificador: str) -> bool:
    """Whether the run has that one."""
    fila = con.execute("SELECT rid FROM recorrido_artefacto WHERE id = ?", (identificador,)).fetchone()
    return fila is not None and fila[0] == rid


def hay_con(con: sqlite3.Connection, sha256: str) -> bool:
    """Whether any row has those bytes."""
    return (
        con.execute("SELECT 1 FROM recorrido_artefacto WHERE sha256 = ? LIMIT 1", (sha256,)).fetchone()
        is not None
    )


def _leer(con: sqlite3.Connection, donde: str, *valores: object) -> tuple[Artefacto, ...]:
    filas = con.execute(f"SELECT {_CAMPOS} FROM recorrido_artefacto WHERE {donde}", valores)
    return tuple(
        Artefacto(
            id=id_,
            recorrido=rid,
            paso=paso,
            intento=intento,
            nombre=nombre,
            tipo_medio=tipo_medio,
            bytes=tamano,
            sha256=sha256,
            actor=Actor.model_validate_json(actor),
            creado=desde_micros(creado),
        )
        for id_, rid, paso, intento, nombre, tipo_medio, tamano, sha256, actor, creado in filas
    )
