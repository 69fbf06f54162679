"""An artefact: a file that a step left, and the request to keep one."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from nucleo.modelo import Modelo
from nucleo.recorridos.comandos import Actor, ComandoId
from nucleo.recorridos.plan import Ident

NombreFichero = Annotated[
    str, StringConstraints(min_length=1, max_length=160, pattern=r"^[^/\\\x00-\x1f\x7f<>:\"|?*]+$")
]
"""A file's name without folders nor what some system does not take; it is shown and offered, never used as a path."""


class NuevoArtefacto(Modelo):
    """The request to keep a file. `intento`: the attempt it comes from; None for what a person brings to a question."""

    comando_id: ComandoId
    paso: Ident
    intento: Annotated[int | None, Field(ge=1)] = None
    nombre: NombreFichero
    tipo_medio: Annotated[str, Field(max_length=100)]


class Artefacto(Modelo):
    """A kept file. `bytes` is its size; two with the same `sha256` share what is on disk. `creado`: aware UTC."""

    id: str
    recorrido: str
    paso: Ident
    intento: int | None
    nombre: NombreFichero
    tipo_medio: str
    bytes: int
    sha256: str
    actor: Actor
    creado: datetime


class ReciboArtefacto(Modelo):
    """The answer to a request; `repetido`: it was kept before and nothing was done now."""

    artefacto: Artefacto
    repetido: bool = False


class Contenido(Modelo):
    """An artefact with its bytes, checked against their fingerprint."""

    artefacto: Artefacto
    contenido: bytes
