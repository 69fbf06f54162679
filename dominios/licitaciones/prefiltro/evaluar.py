"""The prefilter's algebra: pure, explained, and leaning to let in.

1. Something must let the tender in: a CPV branch, a word, a brand, a followed buyer, or having no usable CPV.
2. A condition (amount, place, type, procedure, kind of publication, dataset, time left) or an excluded buyer leaves
   it out, but only for what is published.
3. An exclusion of content (CPV branch or word) beats a mere word, and yields to stronger evidence: an included CPV,
   a brand, a followed buyer. With `estricta: sí` it does not yield.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from dominios.licitaciones.prefiltro.efectos import Criterio, fuera
from dominios.licitaciones.prefiltro.modelo import DatosPrefiltro, Decision, Perfil, Regla
from dominios.licitaciones.prefiltro.reglas_condicion import CONDICIONES
from dominios.licitaciones.prefiltro.reglas_contenido import CONTENIDO

CRITERIOS: tuple[Criterio, ...] = CONTENIDO + CONDICIONES

FUERTES = frozenset({"cpv", "marcas", "organos_seguidos"})
"""Reasons to enter before which an exclusion of content yields."""

CEDEN = frozenset({"palabras_excluidas", "cpv_excluido"})


def evaluar(perfil: Perfil, datos: DatosPrefiltro, ahora: datetime) -> Decision:
    """Whether the tender deserves a look, and every rule that had something to say. `ahora` is aware."""
    reglas = (criterio(perfil, datos, ahora) for criterio in CRITERIOS)
    return decidir([r for r in reglas if r is not None], estricta=perfil.estricta)


def decidir(reglas: Iterable[Regla], *, estricta: bool) -> Decision:
    """The decision that these rules add up to; their order does not matter to it."""
    reglas = tuple(reglas)
    fuertes = [r for r in reglas if r.efecto == "entra" and r.nombre in FUERTES]
    if fuertes and not estricta:
        reglas = tuple(_ceder(r) for r in reglas)
    efectos = {r.efecto for r in reglas}
    if "entra" not in efectos:
        reglas += (fuera("sin_criterio", "Ni su CPV, ni sus palabras, ni su órgano están en el perfil."),)
    return Decision(dentro="entra" in efectos and "fuera" not in efectos, reglas=reglas)


def _ceder(regla: Regla) -> Regla:
    if regla.efecto != "fuera" or regla.nombre not in CEDEN:
        return regla
    detalle = f"{regla.detalle} No la descarta: pesa más lo que la hace entrar."
    return regla.model_copy(update={"efecto": "neutral", "detalle": detalle})
