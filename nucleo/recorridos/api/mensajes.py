"""What goes in and comes out of the API, whatever carries it: a socket, or a call inside this process."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from nucleo.modelo import Modelo
from nucleo.recorridos.comandos import Actor, ClaseActor
from nucleo.recorridos.errores import ErrorRecorrido, PlanInvalido, Problema

JSON = "application/json"
CUERPO_MAX = 128 * 1024
"""Bytes of a JSON body."""
REINTENTAR_S = 1
"""What a 503 advises to wait."""

LEER = "leer:recorridos"
PROPONER = "proponer:recorridos"


class Identidad(Modelo):
    """Who asks, as a session, a token or our own process say; `permisos` are an agent's."""

    actor: Actor
    permisos: frozenset[str] = frozenset()

    @property
    def es_persona(self) -> bool:
        """People decide; nobody else does."""
        return self.actor.clase is ClaseActor.PERSONA

    def puede(self, permiso: str) -> bool:
        """An agent, what it was given; a person reads, and does the rest unless only a reader."""
        if self.actor.clase is ClaseActor.AGENTE:
            return permiso in self.permisos
        return permiso == LEER or self.actor.rol != "lector"


class Peticion(NamedTuple):
    """`ruta` is the decoded path («/api/recorridos»); `cuerpo`, bytes as sent, of media type `tipo`."""

    metodo: str
    ruta: str
    consulta: Mapping[str, str] = {}
    cuerpo: bytes = b""
    tipo: str = ""


@dataclass(frozen=True)
class Respuesta:
    """What is sent back, names of headers in lower case; a no is `{codigo, mensaje, revision_actual?, problemas?}`."""

    estado: int
    cuerpo: bytes
    tipo: str = JSON
    cabeceras: Mapping[str, str] = field(default_factory=dict)


class Negativa(Modelo):
    """What a no says."""

    codigo: str
    mensaje: str
    revision_actual: int | None = None
    problemas: tuple[Problema, ...] = ()


def en_json(estado: int, documento: object) -> Respuesta:
    """A JSON answer."""
    return Respuesta(estado, json.dumps(documento, ensure_ascii=False, separators=(",", ":")).encode())


def modelo_en_json(estado: int, modelo: Modelo) -> Respuesta:
    """A model as JSON."""
    return Respuesta(estado, modelo.model_dump_json().encode())


def negativa(
    estado: int,
    codigo: str,
    mensaje: str,
    *,
    revision: int | None = None,
    problemas: Iterable[Problema] = (),
) -> Respuesta:
    """A refusal; of a 503, with what to wait."""
    documento: dict[str, object] = {"codigo": codigo, "mensaje": mensaje}
    if revision is not None:
        documento["revision_actual"] = revision
    if lista := [p.model_dump(mode="json") for p in problemas]:
        documento["problemas"] = lista
    respuesta = en_json(estado, documento)
    espera = {"retry-after": str(REINTENTAR_S)} if estado == 503 else {}
    return Respuesta(estado, respuesta.cuerpo, cabeceras=espera)


def negativa_de(error: ErrorRecorrido) -> Respuesta:
    """How a run's refusal is told."""
    problemas = error.problemas if isinstance(error, PlanInvalido) else ()
    return negativa(error.http, error.codigo, error.mensaje, revision=error.revision, problemas=problemas)
