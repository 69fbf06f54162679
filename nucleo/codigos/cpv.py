"""CPV 2008 (Regulation EC 213/2008): labels, the tree, and the branch a code hangs from.

A code is eight digits as PLACSP publishes it; the tree is in its digits: trailing zeros are what is not said yet.
"""

from __future__ import annotations

import re
from functools import lru_cache

from nucleo.codigos.tabla import leer_tabla
from nucleo.errores import ErrorEntrada

_RAMA = re.compile(r"([0-9]{2,8})(?:\*|-([0-9]))?")


@lru_cache(maxsize=1)
def _tabla() -> dict[str, tuple[str, str]]:
    return {codigo: (control, etiqueta) for codigo, control, etiqueta in leer_tabla("cpv.csv")}


@lru_cache(maxsize=1)
def codigos_cpv() -> frozenset[str]:
    """The 9,454 codes of the vocabulary."""
    return frozenset(_tabla())


def cpv_conocido(codigo: str) -> bool:
    """Whether the eight digits are a code of CPV 2008."""
    return codigo in codigos_cpv()


def etiqueta_cpv(codigo: str) -> str | None:
    """Spanish label, or None when the code is unknown (show the code as published)."""
    fila = _tabla().get(codigo)
    return fila[1] if fila else None


def digito_control(codigo: str) -> str | None:
    """The check digit (72000000 → 5), or None when the code is unknown."""
    fila = _tabla().get(codigo)
    return fila[0] if fila else None


def antecesores(codigo: str) -> tuple[str, ...]:
    """Known codes above this one, from the nearest to its division (a few branches skip a level)."""
    posibles = (codigo[:n].ljust(8, "0") for n in range(len(codigo) - 1, 1, -1))
    return tuple(dict.fromkeys(c for c in posibles if c != codigo and cpv_conocido(c)))


def prefijo_de_arbol(rama: str) -> str:
    """The digits that every code of the branch begins with: 72000000-5, 72* and 72 → "72"; 30200000 → "302".

    Two digits at least, so that division 30 is not taken for 3. Raises ErrorEntrada when it is not a branch.
    """
    encaje = _RAMA.fullmatch(rama.strip())
    if encaje is None:
        raise ErrorEntrada(
            f"«{rama}» no es una rama de CPV: escribe de 2 a 8 cifras, por ejemplo 72 o 72260000."
        )
    cifras, control = encaje[1], encaje[2]
    if control is not None and control != digito_control(cifras):
        raise ErrorEntrada(f"«{rama}» no es un código CPV: el dígito de control no cuadra.")
    return cifras[:2] + cifras[2:].rstrip("0")


def dentro_de(codigo: str, rama: str) -> bool:
    """Whether `codigo` is the branch or hangs from it. Raises ErrorEntrada when `rama` is not a branch."""
    return codigo.startswith(prefijo_de_arbol(rama))
