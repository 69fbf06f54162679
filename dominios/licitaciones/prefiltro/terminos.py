"""A word or phrase of a profile, and whether a text has it: same folding and roots as the search."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from nucleo.texto import VACIAS, plegar, raices


class Termino(NamedTuple):
    """`exactas` are roots that must be there; `prefijos` are beginnings; `frase` must be there in order."""

    exactas: frozenset[str]
    prefijos: tuple[str, ...]
    frase: str | None


@lru_cache(maxsize=4096)
def leer_termino(escrito: str) -> Termino:
    """Words in any order; between quotes, a phrase; a word that ends in * is the beginning of others.

    Function words ("de", "la") do not count, unless there is nothing else.
    """
    if len(escrito) > 2 and escrito[0] + escrito[-1] in ('""', "«»", "“”"):
        return Termino(frozenset(), (), raices(escrito))
    trozos = escrito.split()
    prefijos = tuple(p for t in trozos if t.endswith("*") and (p := plegar(t)) and " " not in p)
    sueltas = [p for t in trozos if not (t.endswith("*") and " " not in plegar(t)) for p in plegar(t).split()]
    llenas = [p for p in sueltas if p not in VACIAS]
    return Termino(
        frozenset(raices(" ".join(llenas or ([] if prefijos else sueltas))).split()), prefijos, None
    )


class Texto(NamedTuple):
    """A stored text (roots joined by blanks), ready to be asked many times."""

    entero: str
    palabras: frozenset[str]


def preparar(texto: str) -> Texto:
    """From the stored text."""
    return Texto(f" {texto} ", frozenset(texto.split()))


def aparece(termino: Termino, texto: Texto) -> bool:
    """Whether the text has what the term asks."""
    if termino.frase is not None:
        return f" {termino.frase} " in texto.entero
    return termino.exactas <= texto.palabras and all(_empieza(p, texto) for p in termino.prefijos)


def _empieza(prefijo: str, texto: Texto) -> bool:
    return f" {prefijo}" in texto.entero or raices(prefijo) in texto.palabras
