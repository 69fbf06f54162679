"""What a session costs, by a table of prices in configuration; Hermes does not know it with most providers."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, Field

from nucleo.hermes.modelo import MetricasSesion
from nucleo.modelo import Modelo

POR_MILLON = Decimal(1_000_000)


def _exacto(valor: object) -> object:
    """Text or whole number → Decimal. A float is refused: 0.1 is not one tenth."""
    if isinstance(valor, str | int) and not isinstance(valor, bool):
        try:
            return Decimal(valor)
        except ArithmeticError:
            return valor
    return valor


Euros = Annotated[
    Decimal, BeforeValidator(_exacto), Field(ge=0, allow_inf_nan=False, max_digits=12, decimal_places=6)
]
"""Money per million tokens, in the currency of the whole table."""


class Precio(Modelo):
    """What a provider asks for a model, per million tokens. Without cache prices, cached tokens cost as input."""

    proveedor: Annotated[str, Field(min_length=1)]
    modelo: Annotated[str, Field(min_length=1)]
    entrada: Euros
    salida: Euros
    cache_leida: Euros | None = None
    cache_escrita: Euros | None = None


def buscar(tabla: tuple[Precio, ...], proveedor: str, modelo: str | None) -> Precio | None:
    """The price of a model at a provider; None when the table does not have it."""
    return next((p for p in tabla if (p.proveedor, p.modelo) == (proveedor, modelo)), None)


def coste(metricas: MetricasSesion, precio: Precio) -> Decimal:
    """Exact, not rounded. Reasoning tokens are already among those of output."""
    leida = precio.entrada if precio.cache_leida is None else precio.cache_leida
    escrita = precio.entrada if precio.cache_escrita is None else precio.cache_escrita
    return (
        metricas.entrada * precio.entrada
        + metricas.cache_leida * leida
        + metricas.cache_escrita * escrita
        + metricas.salida * precio.salida
    ) / POR_MILLON
