"""The queries of the list, with three plans so that none walks far: a scarce set, a walk, a sweep.

1. When a condition that an index lists (words, CPV, region, closing, amount) holds few tenders, sort those.
2. Otherwise walk the index of the order and stop with the page full, giving up after PASEO rows.
3. Otherwise sweep the index `licitacion_filtro`, which covers every condition and key that a row itself holds.

All three answer the same rows in the same order; only the cost differs.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from dominios.licitaciones.oportunidades.filtrado.almacen import TRAMOS, Conjunto, Consulta, Tramo, claves
from dominios.licitaciones.oportunidades.modelos import Cursor, Orden

POCAS = 60_000
"""Up to this many candidates, reading and sorting them all beats a sweep (bench/lista.py)."""
PARECIDO = 2
"""How many times larger than the smallest another set may be and still be listed instead of probed."""
POQUISIMAS = 5_000
"""Up to this many, they are sorted without trying a walk first."""
PASEO = 4_000
"""Rows of the order's index looked at before giving up on filling the page from it."""

_COLUMNAS = (
    "l.id, l.entrada_id, l.cola, l.fuente, l.tipo_registro, l.expediente, l.objeto, l.organo, l.estado, l.tipo,"
    " l.procedimiento, l.importe, l.presupuesto, l.cpv, l.nuts, l.plazo, l.plazo_local, l.cierre, l.instante,"
    " l.publicada, l.desenlace, l.n_lotes, l.avisos"
)


@dataclass(frozen=True)
class Peticion:
    """A stretch of a list: what is asked, in which order, next to which row, how many rows at most."""

    consulta: Consulta
    orden: Orden
    cursor: Cursor | None
    filas: int

    @property
    def atras(self) -> bool:
        """Whether it is read backwards from the cursor."""
        return self.cursor is not None and self.cursor.sentido == "antes"


def leer_pagina(con: sqlite3.Connection, peticion: Peticion) -> list[sqlite3.Row]:
    """The rows of a stretch in the order of the list; `c_tramo`, `c_valor`, `c_id` are the place of each."""
    ids = _ids(con, peticion)
    return _filas(con, peticion, ids[::-1] if peticion.atras else ids)


def contar_hasta(con: sqlite3.Connection, consulta: Consulta, tope: int) -> int:
    """How many rows match, at most `tope`."""
    escasos, _ = _conjuntos_escasos(con, consulta)
    sql = (
        f"SELECT count(*) FROM (SELECT 1 FROM {_origen(escasos)}"
        f" WHERE {consulta.condiciones(escasos)} LIMIT {tope:d})"
    )
    return int(con.execute(sql, consulta.parametros).fetchone()[0])


def _ids(con: sqlite3.Connection, peticion: Peticion) -> list[int]:
    escasos, tamano = _conjuntos_escasos(con, peticion.consulta)
    if not escasos or tamano > POQUISIMAS:
        paseo = _pasear(con, peticion)
        if paseo is not None:
            return paseo
    return _ordenar_todas(con, peticion, escasos)


def _conjuntos_escasos(con: sqlite3.Connection, consulta: Consulta) -> tuple[tuple[Conjunto, ...], int]:
    """The smallest set, if small enough to start from, and those not much larger; with the size of the smallest.

    A set of a similar size costs less to list, once, than to probe for each candidate, unless the probe only
    compares a column of the row. None is counted further than it could still be of use.
    """
    minimo = POCAS
    medidos: list[tuple[int, Conjunto]] = []
    for conjunto in consulta.conjuntos:
        margen = 1 if conjunto.indice else PARECIDO
        tope = min(POCAS, minimo * margen)
        sql = f"SELECT count(*) FROM ({conjunto.ids} LIMIT {tope + 1:d})"
        tamano = int(con.execute(sql, consulta.parametros).fetchone()[0])
        if tamano <= tope:
            medidos.append((tamano, conjunto))
            minimo = min(minimo, tamano)
    return tuple(c for n, c in medidos if n <= minimo * (1 if c.indice else PARECIDO)), minimo


def _origen(escasos: tuple[Conjunto, ...]) -> str:
    """NOT INDEXED leaves only the id as a way into the table: it starts from a scarce set."""
    return "licitacion l NOT INDEXED" if escasos else "licitacion l INDEXED BY licitacion_filtro"


def _ordenar_todas(con: sqlite3.Connection, peticion: Peticion, escasos: tuple[Conjunto, ...]) -> list[int]:
    """Plans 1 and 3: every match is read and only the best `filas` are kept while sorting."""
    consulta, cursor = peticion.consulta, peticion.cursor
    comparacion, sentido = ("<", "DESC") if peticion.atras else (">", "ASC")
    clave = claves(peticion.orden)
    condicion = consulta.condiciones(escasos)
    if cursor is not None:
        condicion += f" AND ({', '.join(clave)}) {comparacion} (:c_tramo, :c_valor, :c_id)"
    sql = (
        f"SELECT l.id FROM {_origen(escasos)} WHERE {condicion}"
        f" ORDER BY {', '.join(f'{k} {sentido}' for k in clave)} LIMIT {peticion.filas:d}"
    )
    return [int(fila[0]) for fila in con.execute(sql, consulta.parametros | _del_cursor(cursor))]


def _del_cursor(cursor: Cursor | None) -> dict[str, int]:
    if cursor is None:
        return {}
    return {"c_tramo": cursor.tramo, "c_valor": cursor.valor, "c_id": cursor.id}


def _pasear(con: sqlite3.Connection, peticion: Peticion) -> list[int] | None:
    """Plan 2: one stretch after another along its index; None when PASEO rows of one did not fill the page."""
    ids: list[int] = []
    for numero, tramo in _tramos_desde(peticion):
        hallados, agotado = _pasear_tramo(con, peticion, numero, tramo, peticion.filas - len(ids))
        if agotado:
            return None
        ids += hallados
        if len(ids) == peticion.filas:
            break
    return ids


def _tramos_desde(peticion: Peticion) -> Sequence[tuple[int, Tramo]]:
    """The stretches still to be read, in the direction of reading."""
    tramos = list(enumerate(TRAMOS[peticion.orden]))
    cursor = peticion.cursor
    if cursor is None:
        return tramos
    if peticion.atras:
        return [t for t in reversed(tramos) if t[0] <= cursor.tramo]
    return [t for t in tramos if t[0] >= cursor.tramo]


def _pasear_tramo(
    con: sqlite3.Connection, peticion: Peticion, numero: int, tramo: Tramo, faltan: int
) -> tuple[list[int], bool]:
    """Ids of the stretch that pass the filter, at most `faltan`; and whether PASEO rows were not enough."""
    cursor = peticion.cursor
    baja = tramo.descendente != peticion.atras
    desde, parametros = "", dict(peticion.consulta.parametros)
    if cursor is not None and cursor.tramo == numero:
        signo = -1 if tramo.descendente else 1
        parametros |= {"c_valor": signo * cursor.valor, "c_id": signo * cursor.id}
        desde = f" AND ({tramo.columna}, l.id) {'<' if baja else '>'} (:c_valor, :c_id)"
    sentido = "DESC" if baja else "ASC"
    donde = f"l.vigente = 1 AND {tramo.condicion}{desde}{peticion.consulta.cotas(tramo.indice)}"
    vistas = (
        f"SELECT l.* FROM licitacion l INDEXED BY {tramo.indice} WHERE {donde}"
        f" ORDER BY {tramo.columna} {sentido}, l.id {sentido} LIMIT {PASEO:d}"
    )
    sql = f"SELECT l.id FROM ({vistas}) l WHERE {peticion.consulta.condiciones(())} LIMIT {faltan:d}"
    ids = [int(fila[0]) for fila in con.execute(sql, parametros)]
    if len(ids) == faltan:
        return ids, False
    vistas_total = con.execute(f"SELECT count(*) FROM ({vistas.replace('l.*', '1')})", parametros).fetchone()[
        0
    ]
    return ids, int(vistas_total) >= PASEO


def _filas(con: sqlite3.Connection, peticion: Peticion, ids: Sequence[int]) -> list[sqlite3.Row]:
    cursor = con.cursor()
    cursor.row_factory = sqlite3.Row
    tramo, valor, desempate = claves(peticion.orden)
    sql = (
        f"SELECT {_COLUMNAS}, {tramo} AS c_tramo, {valor} AS c_valor, {desempate} AS c_id"
        " FROM licitacion l WHERE l.id = :id"
    )
    ahora = peticion.consulta.parametros["ahora"]
    return [cursor.execute(sql, {"id": i, "ahora": ahora}).fetchone() for i in ids]


def valores_frecuentes(
    con: sqlite3.Connection,
) -> list[tuple[str, str, str | None, str | None, str | None, int]]:
    """Combinations of (tipo_registro, fuente, estado, tipo, procedimiento) among current tenders, with their count.

    Read in the order of the covering index, so that nothing is sorted.
    """
    return con.execute(
        "SELECT tipo_registro, fuente, estado, tipo, procedimiento, count(*)"
        " FROM licitacion INDEXED BY licitacion_filtro WHERE vigente = 1 GROUP BY 1, 2, 3, 4, 5"
    ).fetchall()


def ultimas_paginas(con: sqlite3.Connection) -> list[tuple[str, int]]:
    """Newest instant (microseconds UTC) of the pages read of each source."""
    return con.execute(
        "SELECT fuente, max(instante) FROM pagina WHERE fuente IS NOT NULL AND instante IS NOT NULL GROUP BY fuente"
        " ORDER BY fuente"
    ).fetchall()


def leer_fila(con: sqlite3.Connection, licitacion_id: int) -> sqlite3.Row | None:
    """The row of one tender, or None."""
    cursor = con.cursor()
    cursor.row_factory = sqlite3.Row
    fila: sqlite3.Row | None = cursor.execute(
        f"SELECT {_COLUMNAS} FROM licitacion l WHERE l.id = ?", (licitacion_id,)
    ).fetchone()
    return fila


def leer_lectura(
    con: sqlite3.Connection, licitacion_id: int
) -> tuple[str, int, str | None, str | None] | None:
    """(dataset, instant, when it was read, page it came in) of the newest version of a tender; None when unknown.

    The page is found by its instant: the newest page that carried that very content.
    """
    fila = con.execute(
        "SELECT l.fuente, l.instante, p.alta, p.origen FROM licitacion l"
        " LEFT JOIN pagina p ON p.fuente = l.fuente AND p.instante = l.pagina_instante"
        " WHERE l.id = ? ORDER BY p.alta LIMIT 1",
        (licitacion_id,),
    ).fetchone()
    return None if fila is None else (fila[0], fila[1], fila[2], fila[3])
