"""What this installation gives to the guided runs, as each domain declares its own part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from dominios.licitaciones import registro as licitaciones
from nucleo.recorridos.casa import Casa

T = TypeVar("T")


@lru_cache(maxsize=4)
def casa(datos: Path) -> Casa:
    """Everything registered over that data folder; the same object each time, so that what is cached by it lasts.

    Raises ValueError when two domains give two things the same name: a fault of ours.
    """
    dominios = {licitaciones.DOMINIO: licitaciones.recorridos(datos)}
    return Casa(
        plantillas=_juntas(c.plantillas for c in dominios.values()),
        funciones=_juntas(c.funciones for c in dominios.values()),
        esquemas=_juntas(c.esquemas for c in dominios.values()),
        plazo=_plazo_de(dominios),
    )


def _juntas(partes: Iterable[Mapping[str, T]]) -> dict[str, T]:
    todo: dict[str, T] = {}
    for parte in partes:
        if repetidos := todo.keys() & parte.keys():
            raise ValueError(f"dos dominios registran lo mismo: {', '.join(sorted(repetidos))}")
        todo |= parte
    return todo


def _plazo_de(dominios: Mapping[str, Casa]) -> Callable[[str, str], datetime | None]:
    def plazo(dominio: str, objeto_id: str) -> datetime | None:
        suya = dominios.get(dominio)
        return suya.plazo(dominio, objeto_id) if suya else None

    return plazo
