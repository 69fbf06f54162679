"""SQL of the evaluation: the answers to a frozen set, and the tenders that people labelled."""

from __future__ import annotations

import sqlite3

from dominios.licitaciones.criba.evaluacion.modelo import Caso, Contestado
from dominios.licitaciones.criba.modelo import Situacion, Veredicto, Vista


def contestados(con: sqlite3.Connection, conjunto: str) -> list[Contestado]:
    """Every answer of its closed batches, round after round."""
    filas = con.execute(
        """SELECT e.numero, e.situacion, e.intento_id, e.instrucciones FROM criba_tanda t
            JOIN criba_elemento e ON e.tanda_id = t.id
            WHERE t.conjunto = ? AND t.cerrada IS NOT NULL ORDER BY t.id, e.numero""",
        (conjunto,),
    )
    return [Contestado(int(n), Situacion(s), intento, version) for n, s, intento, version in filas]


def tandas(con: sqlite3.Connection, conjunto: str) -> list[int]:
    """Its batches, open ones too."""
    filas = con.execute("SELECT id FROM criba_tanda WHERE conjunto = ? ORDER BY id", (conjunto,))
    return [int(t) for (t,) in filas]


def abiertas(con: sqlite3.Connection, conjunto: str) -> int:
    """How many of its batches wait for an answer."""
    (cuantas,) = con.execute(
        "SELECT count(*) FROM criba_tanda WHERE conjunto = ? AND cerrada IS NULL", (conjunto,)
    ).fetchone()
    return int(cuantas)


def etiquetadas(con: sqlite3.Connection) -> list[Caso]:
    """Tenders of which a person spoke and that an agent was asked about, as it read them last, oldest first."""
    filas = con.execute(
        """SELECT e.vista, p.veredicto, max(p.id) FROM criba_palabra p
            JOIN criba_elemento e ON e.licitacion_id = p.licitacion_id AND e.tanda_id =
              (SELECT max(tanda_id) FROM criba_elemento WHERE licitacion_id = p.licitacion_id)
            GROUP BY p.licitacion_id ORDER BY p.licitacion_id"""
    )
    return [
        Caso(vista=Vista.model_validate_json(vista), etiqueta=Veredicto(veredicto))
        for vista, veredicto, _ in filas
    ]
