"""What a search for opportunities asks and what it answers: filter, order, cursor and page."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from dominios.licitaciones.criba.modelo import Situacion
from nucleo.errores import ErrorEntrada

RamaCpv = Annotated[str, StringConstraints(pattern=r"^\d{2,8}$")]
PrefijoNuts = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}[0-9A-Z]{0,3}$")]
Codigo = Annotated[str, StringConstraints(min_length=1, max_length=40)]
MAXIMO_DE_VALORES = 100
"""Of one field: more is no choice that a person made, and SQLite refuses conditions that are too long."""
_POCOS = Field(max_length=MAXIMO_DE_VALORES)

Importe = Annotated[Decimal, Field(ge=0, le=Decimal(10) ** 13)]

Entero64 = Annotated[int, Field(gt=-(2**63), lt=2**63)]

TOPE_RECUENTO = 1000
"""Above it a count is «más de 1.000»: nobody reads on, and counting everything costs more than the page."""


class _Modelo(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Filtro(_Modelo):
    """Conditions joined with AND; several values of one field are joined with OR. Empty means no condition.

    `cpv` are branches (digits without the trailing zeros: 72 holds 72212000) and `nuts` prefixes; both look at
    the codes of the tender and of its lots. Amounts are euros, over the budget without tax or, failing it, the
    estimated value. `cierra_en_dias` implies open. `criba` is where a tender stands, a person's word first.
    """

    texto: Annotated[str, StringConstraints(max_length=400)] = ""
    cpv: Annotated[tuple[RamaCpv, ...], _POCOS] = ()
    nuts: Annotated[tuple[PrefijoNuts, ...], _POCOS] = ()
    importe_min: Importe | None = None
    importe_max: Importe | None = None
    estado: Annotated[tuple[Codigo, ...], _POCOS] = ()
    tipo: Annotated[tuple[Codigo, ...], _POCOS] = ()
    procedimiento: Annotated[tuple[Codigo, ...], _POCOS] = ()
    tipo_registro: Annotated[tuple[Codigo, ...], _POCOS] = ()
    fuente: Annotated[tuple[Codigo, ...], _POCOS] = ()
    solo_abiertas: bool = False
    cierra_en_dias: Annotated[int, Field(ge=1, le=3650)] | None = None
    con_avisos: bool = False
    criba: Annotated[tuple[Situacion, ...], _POCOS] = ()
    decididas: bool = False
    """Only those that a person has decided on."""

    @model_validator(mode="after")
    def _importes_en_orden(self) -> Self:
        if (
            self.importe_min is not None
            and self.importe_max is not None
            and self.importe_min > self.importe_max
        ):
            raise ValueError("importe_min es mayor que importe_max")
        return self


class Orden(StrEnum):
    """How a list is ordered. What has no value for the order comes last, most recently updated first."""

    CIERRE = "cierre"
    """Open ones first, the one that closes soonest on top; then the closed ones, the last to close on top."""
    ACTUALIZACION = "actualizacion"
    IMPORTE = "importe"
    PUBLICADA = "publicada"


class Cursor(_Modelo):
    """Place of a row in an order (three integers that grow along the list) and which way to read from it."""

    tramo: Annotated[int, Field(ge=0, le=9)]
    valor: Entero64
    id: Entero64
    sentido: Literal["despues", "antes"]

    def en_texto(self) -> str:
        """A form for links, read back by `leer_cursor`."""
        return f"{self.sentido[0]}{self.tramo}_{self.valor}_{self.id}"


def leer_cursor(texto: str) -> Cursor:
    """The cursor written by `Cursor.en_texto`. Raises ErrorEntrada when it is not one."""
    try:
        tramo, valor, id_ = (int(parte) for parte in texto[1:].split("_"))
        sentido: dict[str, Literal["despues", "antes"]] = {"d": "despues", "a": "antes"}
        return Cursor(tramo=tramo, valor=valor, id=id_, sentido=sentido[texto[:1]])
    except (ValueError, KeyError, ValidationError) as error:
        raise ErrorEntrada(
            "El enlace a esta página de la lista no es válido: vuelve a la primera."
        ) from error


class Pagina(_Modelo):
    """Which stretch of the list is wanted: from the beginning, or from a cursor."""

    cursor: Cursor | None = None
    filas: Annotated[int, Field(ge=1, le=500)] = 50


class Oportunidad(_Modelo):
    """One row of the list. Instants are UTC; codes are codes; `importe_clase` says what the amount is."""

    id: int
    entrada_id: str
    cola: str
    fuente: str
    tipo_registro: str
    expediente: str | None
    objeto: str
    organo: str | None
    estado: str | None
    tipo: str | None
    procedimiento: str | None
    importe: Decimal | None
    importe_clase: Literal["presupuesto", "valor_estimado"] | None
    cpv: str | None
    nuts: str | None
    plazo: datetime | None
    plazo_local: str | None
    en_plazo: bool
    """Something may still be submitted: an offer, or an answer to a market consultation."""
    abierta: bool
    """An offer may still be submitted."""
    actualizada: datetime
    publicada: str | None
    desenlace: str
    n_lotes: int
    avisos: tuple[str, ...]


class PaginaResultados(_Modelo):
    """A page of rows with the links to its neighbours (None at the ends)."""

    filas: tuple[Oportunidad, ...]
    anterior: Cursor | None
    siguiente: Cursor | None


class Recuento(_Modelo):
    """How many rows match; `hay_mas` when the count stopped at TOPE_RECUENTO."""

    total: int
    hay_mas: bool


class Faceta(_Modelo):
    """A value that a field takes among current tenders, and in how many of them."""

    valor: str
    cuantas: int


class Facetas(_Modelo):
    """Values to offer in the filters, most frequent first."""

    estado: tuple[Faceta, ...]
    tipo: tuple[Faceta, ...]
    procedimiento: tuple[Faceta, ...]
    tipo_registro: tuple[Faceta, ...]
    fuente: tuple[Faceta, ...]


class Frescura(_Modelo):
    """Newest published instant (UTC) that has been read of a source."""

    fuente: str
    ultima: datetime


class Procedencia(_Modelo):
    """Where what is known of a tender comes from. Instants in UTC; `leida` and `origen` None when not recorded."""

    fuente: str
    actualizada: datetime
    leida: datetime | None
    origen: str | None
