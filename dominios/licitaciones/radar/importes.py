"""Published amounts: text in, exact decimals out, and never a guess."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

_UN_SEPARADOR = re.compile(r"-?\d+(?:[.,]\d+)?\Z")
_PUNTO_MILES = re.compile(r"-?\d{1,3}(?:\.\d{3})+,\d+\Z")
_COMA_MILES = re.compile(r"-?\d{1,3}(?:,\d{3})+\.\d+\Z")
_MAXIMO = Decimal("1e13")
"""No public contract reaches ten trillion euros: beyond it the figure is a mistake, not an amount."""

ENTERO_MAXIMO = 1_000_000
"""More bidders, lots or employees than this is a mistake (10000000000000001 has been published)."""


@lru_cache(maxsize=512)
def leer_importe(publicado: str | None) -> Decimal | None:
    """The amount that the text means, or None when it cannot be read with certainty.

    One kind of separator is the decimal one (`5989390,79`, `3.5`); with both, the last is (`1.234,56`, `1,234.56`).
    """
    if not publicado:
        return None
    compacto = publicado.strip()
    if _UN_SEPARADOR.match(compacto):
        normal = compacto.replace(",", ".")
    elif _PUNTO_MILES.match(compacto):
        normal = compacto.replace(".", "").replace(",", ".")
    elif _COMA_MILES.match(compacto):
        normal = compacto.replace(",", "")
    else:
        return None
    importe = Decimal(normal)
    return importe if abs(importe) < _MAXIMO else None


def importe_conocido(publicado: str | None) -> Decimal | None:
    """As `leer_importe`, but 0 is «unknown» (PLACSP publishes 0 where it has no amount)."""
    return leer_importe(publicado) or None


def centimos(importe: Decimal | None) -> int | None:
    """Whole cents, rounded half even, for sorting and filtering."""
    return None if importe is None else int((importe * 100).to_integral_value())


def leer_entero(publicado: str | None) -> int | None:
    """A small non-negative integer, or None when unreadable or absurd."""
    if not publicado or not publicado.isascii() or not publicado.isdigit() or len(publicado) > 7:
        return None
    numero = int(publicado)
    return numero if numero <= ENTERO_MAXIMO else None
