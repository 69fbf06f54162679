"""What an attempt used and cost: Hermes's session by our price table; what is not known is said, not guessed."""

from __future__ import annotations

from nucleo.cola.modelo import Causa, Metricas
from nucleo.hermes.modelo import MetricasSesion
from nucleo.hermes.precios import Precio, buscar, coste

NO_GASTAN = frozenset({Causa.LIMITE_PROVEEDOR, Causa.CREDENCIAL, Causa.NO_LANZADO})
"""Ends in which a session without tokens is the truth: the provider refused, or nothing was asked of it."""


def medir(
    sesion: MetricasSesion | None, causa: Causa, proveedor: str, precios: tuple[Precio, ...]
) -> Metricas:
    """The session's tokens and their cost. Without a session nothing is known, unless nothing can have been spent."""
    if sesion is None:
        return Metricas(proveedor=proveedor, incompletas=causa is not Causa.NO_LANZADO)
    precio = buscar(precios, proveedor, sesion.modelo)
    incompletas = sesion.partida or (sesion.tokens == 0 and causa not in NO_GASTAN)
    return Metricas(
        proveedor=proveedor,
        modelo=sesion.modelo,
        entrada=sesion.entrada,
        salida=sesion.salida,
        cache_leida=sesion.cache_leida,
        cache_escrita=sesion.cache_escrita,
        llamadas=sesion.llamadas,
        herramientas=sesion.herramientas,
        coste=None if incompletas or precio is None else coste(sesion, precio),
        incompletas=incompletas,
    )
