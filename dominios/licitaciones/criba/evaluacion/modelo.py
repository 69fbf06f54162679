"""A frozen set, and how a model with some instructions did on it."""

from __future__ import annotations

from decimal import Decimal
from hashlib import sha256
from typing import Annotated, NamedTuple

from pydantic import Field

from dominios.licitaciones.criba.modelo import Situacion, Veredicto, Vista
from nucleo.empresa.lineas import Linea
from nucleo.modelo import Modelo

CASOS_MAX = 2000
NOMBRE_MAX = 120


class Caso(Modelo):
    """A tender as it was read, and what a person says of it."""

    vista: Vista
    etiqueta: Veredicto


class Conjunto(Modelo):
    """Everything that a verdict depends on, so that the same question can be asked again a year later."""

    nombre: Annotated[str, Field(min_length=1, max_length=NOMBRE_MAX)]
    perfil_version: int
    perfil: tuple[Linea, ...]
    casos: Annotated[tuple[Caso, ...], Field(min_length=1, max_length=CASOS_MAX)]

    @property
    def huella(self) -> str:
        """32 hex digits of the questions: another label does not make them be asked again."""
        preguntas = "\n".join(
            [*(x.model_dump_json() for x in self.perfil), *(c.vista.model_dump_json() for c in self.casos)]
        )
        return sha256(preguntas.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class Contestado(NamedTuple):
    """An answer to a case: `numero` counts from 1 in the set."""

    numero: int
    situacion: Situacion
    intento_id: int | None
    instrucciones: str | None


class Medida(Modelo):
    """How a group of answers did. A ratio is None when there is nothing to divide by.

    `precision`: of what was said to fit and a person is sure about, how much does. `exhaustividad`: of what fits, how
    much was said to. `a_la_vista`: of what fits, how much was not said not to (fits, doubt, or no verdict).
    """

    casos: int
    aciertos: int
    dudas: int
    sin_veredicto: int
    perdidas: int
    precision: float | None
    exhaustividad: float | None
    a_la_vista: float | None


class Fila(Modelo):
    """A model and a version of the instructions. `coste` is None when no attempt's is known; `sin_coste` of them."""

    modelo: str
    instrucciones: str
    medida: Medida
    intentos: int
    coste: Decimal | None
    sin_coste: int
