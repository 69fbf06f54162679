"""Spanish regions (NUTS 2021, same codes as 2016): label, parent, indirect tax and local time."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from nucleo.codigos.tabla import leer_tabla
from nucleo.texto import plegar


class Region(NamedTuple):
    """`impuesto` is IVA, IGIC or IPSI; it and `zona` (IANA) are None for the extra-regio codes."""

    codigo: str
    padre: str | None
    etiqueta: str
    impuesto: str | None
    zona: str | None


@lru_cache(maxsize=1)
def regiones() -> dict[str, Region]:
    """Every region by code."""
    return {c: Region(c, p or None, e, i or None, z or None) for c, p, e, i, z in leer_tabla("nuts.csv")}


def region(codigo: str) -> Region | None:
    """The region, or None when the code is not Spanish or not known."""
    return regiones().get(codigo)


def etiqueta_nuts(codigo: str) -> str | None:
    """Name of the region, or None when unknown (show the code as published)."""
    conocida = region(codigo)
    return conocida.etiqueta if conocida else None


def dentro_de_region(codigo: str, rama: str) -> bool:
    """Whether `codigo` is `rama` or a part of it (ES612 is within ES61)."""
    return codigo.startswith(rama)


def coinciden(codigo: str, rama: str) -> bool:
    """Whether the two places may be one: either is within the other (a tender for all ES concerns ES61 too)."""
    return codigo.startswith(rama) or rama.startswith(codigo)


def buscar_region(nombre: str) -> tuple[Region, ...]:
    """Regions whose name has these words, whatever their accents."""
    buscado = plegar(nombre)
    return tuple(r for r in regiones().values() if buscado and buscado in plegar(r.etiqueta))
