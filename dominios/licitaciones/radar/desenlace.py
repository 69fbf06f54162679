"""How a tender ended, lot by lot, from the result codes: the status alone does not tell (RES is not «won»)."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import NamedTuple

from dominios.licitaciones.radar.importes import importe_conocido
from dominios.licitaciones.radar.modelo import Licitacion, Resultado
from dominios.licitaciones.radar.plazos import ADJUDICADOS

POR_CODIGO = {
    "1": "adjudicada",
    "2": "adjudicada",
    "3": "desierta",
    "4": "desistida",
    "5": "renuncia",
    "6": "desierta",
    "7": "desierta",
    "8": "adjudicada",
    "9": "formalizada",
    "10": "pendiente",
    "11": "formalizada",
}
"""TenderResultCode-2.09 (10 = best valued, not yet awarded; 11 = formalised in-house order)."""

SIN_ADJUDICAR = frozenset(("desierta", "desistida", "renuncia"))
_GANADOS = frozenset(("adjudicada", "formalizada"))
_FUERZA = {"pendiente": 0, "desierta": 1, "desistida": 2, "renuncia": 3, "adjudicada": 4, "formalizada": 5}


class Desenlace(NamedTuple):
    """`desenlace` never says `abierta`: that depends on the clock."""

    desenlace: str
    sin_adjudicar: tuple[str, ...]
    deducidos: tuple[str, ...]
    adjudicado: Decimal | None


def calcular_desenlace(lic: Licitacion) -> Desenlace:
    """Outcome over all lots: declared ones, and those that only the results name."""
    declarados = [lote.id for lote in lic.lotes if lote.id]
    por_lote: dict[str | None, str] = dict.fromkeys(declarados, "pendiente")
    deducidos = []
    sin_nombrar = _sin_nombrar(declarados, lic.resultados)
    for resultado in lic.resultados:
        estado = POR_CODIGO.get(resultado.resultado or "", "pendiente")
        for lote in sin_nombrar if resultado.lote is None else (resultado.lote,):
            if lote is not None and lote not in por_lote:
                deducidos.append(lote)
            if _FUERZA[estado] > _FUERZA[por_lote.setdefault(lote, "pendiente")]:
                por_lote[lote] = estado
    return Desenlace(
        desenlace=_resumir(list(por_lote.values()), lic),
        sin_adjudicar=tuple(lote for lote, e in por_lote.items() if lote and e in SIN_ADJUDICAR),
        deducidos=tuple(deducidos),
        adjudicado=_adjudicado(lic.resultados),
    )


def _sin_nombrar(declarados: list[str], resultados: tuple[Resultado, ...]) -> tuple[str | None, ...]:
    """What a result without lot speaks of: the declared lots that no result names, or the tender as a whole."""
    nombrados = {r.lote for r in resultados}
    return tuple(lote for lote in declarados if lote not in nombrados) or (None,)


def _resumir(estados: list[str], lic: Licitacion) -> str:
    distintos = set(estados)
    if distintos <= {"pendiente"}:
        return "anulada" if lic.estado in {"ANUL", "ANU"} else "pendiente"
    if distintos == {"formalizada"}:
        return "formalizada"
    if distintos & _GANADOS:
        return "adjudicada" if distintos <= _GANADOS else "adjudicada_parcial"
    if "pendiente" in distintos:
        return "pendiente"
    return Counter(sorted(estados)).most_common(1)[0][0]


def _adjudicado(resultados: tuple[Resultado, ...]) -> Decimal | None:
    """Sum over the awards, each per lot and winner; None when any of them is unknown (0 in a framework is)."""
    importes = [importe_conocido(r.sin_iva) for r in resultados if r.resultado in ADJUDICADOS]
    conocidos = [i for i in importes if i is not None]
    return sum(conocidos, Decimal(0)) if conocidos and len(conocidos) == len(importes) else None
