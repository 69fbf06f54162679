"""Between passes, a look at the head: pure rule of when to look, when to start a pass and when to stop looking."""

from __future__ import annotations

from enum import Enum

from dominios.licitaciones.radar.modelo import Modelo

CIEGAS_MAXIMAS = 3
"""Whole answers in a row with the very same bytes: the server ignores conditions, and each look costs a whole page."""


class Decision(Enum):
    """What to do after a look."""

    ESPERAR = "esperar"
    PASAR = "pasar"
    APAGAR = "apagar"


class Mirada(Modelo):
    """The answer to a conditional request of the head: 304, or 200 with the hash of its bytes."""

    estado: int
    huella: bytes | None


class Vigilancia(Modelo):
    """What the watch of one channel remembers. `ciegas`: whole answers in a row that said nothing new."""

    huella: bytes | None = None
    ciegas: int = 0
    apagada: bool = False


def mirar(vigilancia: Vigilancia, mirada: Mirada) -> tuple[Vigilancia, Decision]:
    """The watch after a look, and what to do. Failures are no look: the next pass will speak of them.

    The first whole answer starts a pass, which costs one conditional request if nothing had changed.
    """
    if vigilancia.apagada:
        return vigilancia, Decision.APAGAR
    if mirada.estado != 200:
        return vigilancia.model_copy(update={"ciegas": 0}), Decision.ESPERAR
    if mirada.huella != vigilancia.huella:
        return Vigilancia(huella=mirada.huella), Decision.PASAR
    ciegas = vigilancia.ciegas + 1
    if ciegas >= CIEGAS_MAXIMAS:
        return vigilancia.model_copy(update={"ciegas": ciegas, "apagada": True}), Decision.APAGAR
    return vigilancia.model_copy(update={"ciegas": ciegas}), Decision.ESPERAR
