"""SQL of the sync's memory. What a page brings and where the walk goes on change in one transaction of the caller."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime
from typing import NamedTuple

from dominios.licitaciones.radar.apartado.almacen import resolver_cuarentena
from dominios.licitaciones.radar.sincronizar.modelo import Alarma, Cabecera, Estado, Leida, Ventana


class Clave(NamedTuple):
    """A channel: dataset and URL of its head."""

    fuente: str
    url: str


class UltimaPasada(NamedTuple):
    """How the last pass of a channel ended. `error`: why nothing could be read, else None."""

    fuente: str
    url: str
    terminada: str
    completa: bool
    paginas: int
    versiones_nuevas: int
    alarmas: tuple[Alarma, ...]
    error: str | None


def leer_estado(con: sqlite3.Connection, clave: Clave) -> Estado:
    """What is remembered of a channel; a new one has nothing."""
    fila = con.execute(
        "SELECT marca, etag, last_modified, instante, leida FROM sincronizar_canal WHERE fuente = ? AND url = ?",
        clave,
    ).fetchone()
    if fila is None:
        return Estado()
    ventanas = con.execute(
        "SELECT techo, fondo, suelo, cursor, leidas, minimo, intentos FROM sincronizar_ventana"
        " WHERE fuente = ? AND url = ? ORDER BY orden",
        clave,
    )
    return Estado(
        marca=fila[0],
        ventanas=tuple(
            Ventana(techo=v[0], fondo=v[1], suelo=v[2], cursor=v[3], leidas=v[4], minimo=v[5], intentos=v[6])
            for v in ventanas
        ),
        cabecera=Cabecera(etag=fila[1], last_modified=fila[2], instante=fila[3]) if fila[4] else None,
    )


def guardar_estado(con: sqlite3.Connection, clave: Clave, estado: Estado) -> None:
    """Replace what is remembered of a channel."""
    cabecera = estado.cabecera or Cabecera(etag=None, last_modified=None, instante=None)
    con.execute(
        "INSERT OR REPLACE INTO sincronizar_canal VALUES (?,?,?,?,?,?,?)",
        (
            *clave,
            estado.marca,
            cabecera.etag,
            cabecera.last_modified,
            cabecera.instante,
            estado.cabecera is not None,
        ),
    )
    con.execute("DELETE FROM sincronizar_ventana WHERE fuente = ? AND url = ?", clave)
    con.executemany(
        "INSERT INTO sincronizar_ventana VALUES (?,?,?,?,?,?,?,?,?,?)",
        [
            (*clave, i, v.techo, v.fondo, v.suelo, v.cursor, v.leidas, v.minimo, v.intentos)
            for i, v in enumerate(estado.ventanas)
        ],
    )


def pagina_vista(con: sqlite3.Connection, url: str, huella: bytes) -> tuple[Leida, int | None] | None:
    """What these bytes at this URL said when they were read, and their feed/updated."""
    fila = con.execute(
        "SELECT siguiente, maximo, minimo, cosas, instante FROM sincronizar_pagina WHERE url = ? AND huella = ?",
        (url, huella),
    ).fetchone()
    if fila is None:
        return None
    return Leida(url=url, siguiente=fila[0], maximo=fila[1], minimo=fila[2], cosas=fila[3]), fila[4]


def anotar_pagina(con: sqlite3.Connection, leida: Leida, huella: bytes, instante: int | None) -> None:
    """Remember what a page said of itself."""
    con.execute(
        "INSERT OR REPLACE INTO sincronizar_pagina VALUES (?,?,?,?,?,?,?)",
        (leida.url, huella, leida.siguiente, leida.maximo, leida.minimo, leida.cosas, instante),
    )


def resolver_ilegibles(con: sqlite3.Connection, url: str, cuando: datetime) -> None:
    """The page at this URL has been read: the unreadable answers it gave before need nobody."""
    filas = con.execute(
        "SELECT id FROM cuarentena WHERE resuelta IS NULL AND nivel = 'pagina' AND origen = ?", (url,)
    ).fetchall()
    for (identificador,) in filas:
        resolver_cuarentena(con, identificador, cuando)


def ilegibles(con: sqlite3.Connection, url: str) -> int:
    """How many unreadable answers of this URL are set apart."""
    (cuantas,) = con.execute(
        "SELECT count(*) FROM cuarentena WHERE resuelta IS NULL AND nivel = 'pagina' AND origen = ?", (url,)
    ).fetchone()
    return int(cuantas)


def anotar_pasada(con: sqlite3.Connection, pasada: UltimaPasada) -> None:
    """Replace what is known of the channel's last pass."""
    alarmas = json.dumps([a.model_dump() for a in pasada.alarmas], ensure_ascii=False)
    con.execute(
        "INSERT OR REPLACE INTO sincronizar_pasada VALUES (?,?,?,?,?,?,?,?)",
        (*pasada[:4], pasada.paginas, pasada.versiones_nuevas, alarmas, pasada.error),
    )


def ultimas_pasadas(con: sqlite3.Connection) -> tuple[UltimaPasada, ...]:
    """How the last pass of every channel ended."""
    filas = con.execute(
        "SELECT fuente, url, terminada, completa, paginas, versiones_nuevas, alarmas, error"
        " FROM sincronizar_pasada ORDER BY fuente, url"
    )
    return tuple(
        UltimaPasada(
            fuente=fila[0],
            url=fila[1],
            terminada=fila[2],
            completa=bool(fila[3]),
            paginas=fila[4],
            versiones_nuevas=fila[5],
            alarmas=tuple(Alarma.model_validate(a) for a in json.loads(fila[6])),
            error=fila[7],
        )
        for fila in filas
    )
