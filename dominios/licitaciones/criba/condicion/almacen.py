"""SQL of where a tender stands, for lists that filter by it (constant text; values travel as parameters)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dominios.licitaciones.criba.modelo import Situacion


class Condicion(NamedTuple):
    """`ids` is a SELECT of the tenders that meet it, `sondeo` tests one `licitacion l`."""

    ids: str
    sondeo: str


def en_situacion(situaciones: Sequence[Situacion], parametros: dict[str, int | str]) -> Condicion:
    """Tenders that stand in one of those; adds its values to `parametros`."""
    nombres = {f"criba{n}": s.value for n, s in enumerate(situaciones)}
    parametros.update(nombres)
    return _con(f"situacion IN ({', '.join(f':{n}' for n in nombres)})")


def _con(condicion: str) -> Condicion:
    return Condicion(
        ids=f"SELECT licitacion_id FROM criba_situacion WHERE {condicion}",
        sondeo=f"EXISTS(SELECT 1 FROM criba_situacion WHERE licitacion_id = l.id AND {condicion})",
    )


CON_PALABRA = _con("decidida = 1")
"""Tenders that a person has decided on."""
