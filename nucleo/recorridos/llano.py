"""Plain JSON: what can be written and read back the same by everyone. Nothing else enters a plan or a command."""

from __future__ import annotations

import math
from typing import TypeVar

ENTERO_MAXIMO = 2**53 - 1
"""The largest whole number that every reader of JSON keeps exact."""
HONDURA_MAXIMA = 32

T = TypeVar("T")


def es_llano(valor: object, hondura: int = HONDURA_MAXIMA) -> bool:
    """Finite and exact numbers, whole characters, not too deep."""
    match valor:
        case list() | dict() if hondura == 0:
            return False
        case list():
            return all(es_llano(v, hondura - 1) for v in valor)
        case dict():
            return all(
                isinstance(k, str) and _es_texto(k) and es_llano(v, hondura - 1) for k, v in valor.items()
            )
        case _:
            return _es_simple(valor)


def _es_simple(valor: object) -> bool:
    match valor:
        case str():
            return _es_texto(valor)
        case int():
            return abs(valor) <= ENTERO_MAXIMO
        case float():
            return math.isfinite(valor)
    return valor is None


def _es_texto(valor: str) -> bool:
    try:
        valor.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return False
    return True


def exigir_llano(valor: T) -> T:
    """The value itself. Raises ValueError if it is not plain."""
    if not es_llano(valor):
        raise ValueError(
            f"hay un número que no es finito o es enorme, un carácter roto o más de {HONDURA_MAXIMA} niveles"
        )
    return valor
