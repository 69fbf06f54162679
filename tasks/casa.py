"""What this installation gives to the guided runs, as each domain declares its own part."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from dominios.licitaciones import registro as licitaciones
from nucleo.configuracion import configuracion
from nucleo.hermes.perfiles import PerfilNoValido, leer_hermes
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import EJECUTOR

T = TypeVar("T")
REGISTRO = logging.getLogger("sobre.recorridos")


PREFECT = "prefect"
"""Connector of the runs that the installation itself leads."""
HERMES = "hermes"
"""Connector of those led by an agent that comes in with a Hermes profile of its own name."""


PERFILES = frozenset(("licitaciones", "oferta", "critico"))
"""Hermes profiles that come with the program (deploy/hermes): their jobs wait until somebody configures them."""


def casa(datos: Path) -> Casa:
    """Everything registered over that data folder; the same object while the Hermes profiles stay the same, so that
    what is cached by it lasts.

    Raises ValueError when two domains give two things the same name: a fault of ours.
    """
    return _casa(datos, perfiles_configurados())


def perfiles_configurados() -> frozenset[str]:
    """Names of the Hermes profiles of this installation; none while their file is wrong, which health tells."""
    try:
        return frozenset(p.nombre for p in leer_hermes(configuracion().hermes).perfiles)
    except PerfilNoValido as error:
        REGISTRO.info("%s", error.mensaje)
        return frozenset()


@lru_cache(maxsize=4)
def _casa(datos: Path, perfiles: frozenset[str]) -> Casa:
    def conector(coordinador: str) -> str | None:
        if coordinador == EJECUTOR.nombre:
            return PREFECT
        return HERMES if coordinador in perfiles else None

    dominios = {licitaciones.DOMINIO: licitaciones.recorridos(datos)}
    return Casa(
        plantillas=_juntas(c.plantillas for c in dominios.values()),
        funciones=_juntas(c.funciones for c in dominios.values()),
        esquemas=_juntas(c.esquemas for c in dominios.values()),
        plazo=_plazo_de(dominios),
        conector=conector,
        perfiles=PERFILES | perfiles,
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
