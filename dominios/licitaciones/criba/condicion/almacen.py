"""SQL of where a tender stands, for lists that filter by it (constant text; values travel as parameters)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dominios.licitaciones.criba.modelo import Situacion


class Condicion(NamedTuple):
    """`ids` is a SELECT of the tenders that meet it, `sondeo` tests one `licitacion l`."""

    ids: str
    sondeo: str


def _situacion(licitacion: str) -> str:
    """The same that `reglas.situacion` says: a person's newest word, else the newest answer, else pending."""
    return f"""coalesce(
        (SELECT veredicto FROM criba_palabra WHERE licitacion_id = {licitacion} ORDER BY id DESC LIMIT 1),
        (SELECT situacion FROM criba_elemento WHERE licitacion_id = {licitacion} AND situacion <> 'pendiente'
          ORDER BY tanda_id DESC LIMIT 1),
        (SELECT situacion FROM criba_elemento WHERE licitacion_id = {licitacion} LIMIT 1))"""


def en_situacion(situaciones: Sequence[Situacion], parametros: dict[str, int | str]) -> Condicion:
    """Tenders that stand in one of those; adds its values to `parametros`. The list starts from an index of each."""
    nombres = {f"criba{n}": s.value for n, s in enumerate(situaciones)}
    parametros.update(nombres)
    alguna = f"({', '.join(f':{n}' for n in nombres)})"
    posibles = f"""SELECT licitacion_id FROM criba_palabra WHERE veredicto IN {alguna}
        UNION SELECT licitacion_id FROM criba_elemento WHERE situacion IN {alguna} AND licitacion_id IS NOT NULL"""
    return Condicion(
        ids=f"SELECT c.licitacion_id FROM ({posibles}) c WHERE {_situacion('c.licitacion_id')} IN {alguna}",
        sondeo=f"{_situacion('l.id')} IN {alguna}",
    )


CON_PALABRA = Condicion(
    ids="SELECT DISTINCT licitacion_id FROM criba_palabra",
    sondeo="EXISTS(SELECT 1 FROM criba_palabra WHERE licitacion_id = l.id)",
)
"""Tenders that a person has decided on."""
