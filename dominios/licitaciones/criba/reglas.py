"""The criba's rules, pure: what an answer must be, what is left of a batch after it, and whose word counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, TypeVar

from dominios.licitaciones.criba.modelo import TANDA_MAX, Juicio, Juzgada, Palabra, Situacion, Veredicto
from nucleo.agentes.herramientas import ErrorCampo
from nucleo.agentes.tokens import FORMA

T = TypeVar("T")
VUELTAS = 2
"""What is left out of an answer is asked once more; then it stays without verdict."""


class Paso(NamedTuple):
    """What an answer does to its batch: these verdicts are kept, these are asked again, these stay without one."""

    juicios: tuple[Juicio, ...]
    repetir: tuple[int, ...]
    sin_veredicto: tuple[int, ...]

    @property
    def cierra(self) -> bool:
        """Whether nothing of the batch is left to be asked."""
        return not self.repetir


def en_tandas(cosas: Sequence[T], cuantas: int = TANDA_MAX) -> Iterator[Sequence[T]]:
    """Batches of at most that many, as even as can be: 21 go as 11 and 10, not as 20 and 1."""
    tandas = -(-len(cosas) // cuantas)
    for i in range(tandas):
        yield cosas[i * len(cosas) // tandas : (i + 1) * len(cosas) // tandas]


def revisar(
    juicios: Sequence[Juicio], pendientes: Collection[int], claves: Collection[str], secreto: str
) -> tuple[ErrorCampo, ...]:
    """What is wrong with an answer; any error refuses the whole of it.

    It must be about the batch's own pending tenders, each once; its lines must exist in the profile that was shown;
    a plain yes or no must rest on one; and no secret may be copied into a text.
    """
    veces = Counter(j.numero for j in juicios)
    return tuple(
        ErrorCampo(campo=f"juicios.{n}.{campo}", mensaje=mensaje)
        for n, juicio in enumerate(juicios)
        for campo, mensaje in _fallos(juicio, veces, pendientes, claves, secreto)
    )


def _fallos(
    juicio: Juicio,
    veces: Counter[int],
    pendientes: Collection[int],
    claves: Collection[str],
    secreto: str,
) -> Iterator[tuple[str, str]]:
    if juicio.numero not in pendientes:
        yield "numero", "no está entre las que faltan por juzgar de esta tanda"
    elif veces[juicio.numero] > 1:
        yield "numero", "está repetida: da un solo veredicto por licitación"
    if desconocidas := [c for c in juicio.lineas if c not in claves]:
        yield "lineas", f"no existen en el perfil de la tanda: {', '.join(desconocidas)}"
    if juicio.veredicto is not Veredicto.DUDA and not juicio.lineas:
        yield "lineas", "di qué líneas del perfil lo apoyan, o contesta «duda»"
    if secreto in juicio.motivo or FORMA.search(juicio.motivo):
        yield "motivo", "no copies el nonce ni ningún token en un texto"


def aplicar(juicios: Sequence[Juicio], pendientes: Sequence[int], vueltas: int) -> Paso:
    """A reviewed answer over what was pending, after `vueltas` earlier answers: together they cover it exactly."""
    dichas = {j.numero for j in juicios}
    omitidas = tuple(n for n in pendientes if n not in dichas)
    ultima = vueltas + 1 >= VUELTAS
    return Paso(tuple(juicios), () if ultima else omitidas, omitidas if ultima else ())


def situacion(palabra: Palabra | None, juzgada: Juzgada | None) -> Situacion:
    """A person's word, else the agent's, else pending."""
    if palabra is not None:
        return Situacion(palabra.veredicto.value)
    return juzgada.situacion if juzgada is not None else Situacion.PENDIENTE
