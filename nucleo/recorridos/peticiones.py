"""What the store is asked and what it answers: the request for a new run, and the receipt of any command."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from nucleo.modelo import Modelo
from nucleo.recorridos.comandos import ComandoId
from nucleo.recorridos.estado import EstadoRecorrido
from nucleo.recorridos.plan import Ident, Plan, Titulo, Valores

GENERAL = "general"
"""Domain of the runs about nothing in particular."""
RecorridoId = Annotated[str, StringConstraints(pattern=r"^rec_[0-9A-HJKMNP-TV-Z]{26}$")]


class PeticionCrear(Modelo):
    """A new run, of a plan or of a registered template («oferta@1»): one of the two.

    `contexto` is added to the plan's own; `titulo` replaces it. Without `coordinador`, the agent that asks, or the
    installation; without `dominio`, the template's. With `padre`, the run is born linked to
    it, for the reason in `motivo`.
    """

    comando_id: ComandoId
    plan: Plan | None = None
    plantilla: str | None = None
    titulo: Titulo | None = None
    dominio: Ident = GENERAL
    objeto_id: Annotated[str, Field(max_length=200)] = ""
    contexto: Annotated[Valores, Field(default_factory=dict)]
    coordinador: Annotated[str | None, Field(min_length=1, max_length=200)] = None
    padre: RecorridoId | None = None
    motivo: Annotated[str, Field(max_length=1_000)] = ""

    @model_validator(mode="after")
    def _uno_de_los_dos(self) -> Self:
        if (self.plan is None) == (self.plantilla is None):
            raise ValueError("hay que dar «plan» o «plantilla», y solo uno de los dos")
        return self


class Recibo(Modelo):
    """The small answer to an accepted command, kept for whoever repeats it.

    `intento` is the step's newest attempt after it. `repetido`: it had been done before, and nothing was done now.
    """

    id: str
    revision: int
    estado: EstadoRecorrido
    paso: Ident | None = None
    intento: int | None = None
    repetido: bool = False
