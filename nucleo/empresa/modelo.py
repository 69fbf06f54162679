"""The company's profile as people write it: strict, closed, and every list empty unless somebody fills it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator

from nucleo.campos import (
    LISTA,
    Booleano,
    Dia,
    Euros,
    Nif,
    Ramas,
    Regiones,
    Texto,
    Textos,
    cada,
    entero,
)
from nucleo.modelo import Modelo
from nucleo.texto import plegar

ANIO = entero(1950, 2100)
PERSONAS = entero(0, 999_999)


class Tamano(StrEnum):
    """Size of the firm (Recommendation 2003/361/EC); the European declaration asks for it."""

    MICRO = "micro"
    PEQUENA = "pequena"
    MEDIANA = "mediana"
    GRANDE = "grande"


def _tamano(valor: object) -> Tamano:
    try:
        return Tamano(plegar(str(valor)))
    except ValueError as error:
        raise ValueError("escribe micro, pequeña, mediana o grande") from error


def _clasificacion(valor: str) -> str:
    """Group, subgroup and category, as «V-2-3» (RD 1098/2001, arts. 25 and 37, and RD 773/2015)."""
    grupo, _, resto = valor.strip().upper().replace(" ", "").partition("-")
    subgrupo, _, categoria = resto.partition("-")
    validos = len(grupo) == 1 and "A" <= grupo <= "V" and subgrupo.isdecimal() and categoria.isdecimal()
    if not validos or not 1 <= int(categoria) <= 6:
        raise ValueError(
            f"«{valor}» no es una clasificación: escribe grupo-subgrupo-categoría, por ejemplo V-2-3"
        )
    return f"{grupo}-{int(subgrupo)}-{int(categoria)}"


class Importes(Modelo):
    """Contracts that it can take on, in euros without tax, both ends included."""

    minimo: Euros | None = None
    maximo: Euros | None = None


class Ejercicio(Modelo):
    """Turnover of a closed year, in euros."""

    ejercicio: Annotated[int, ANIO]
    importe: Euros


class Obra(Modelo):
    """A past contract: work, service or supply. `importe` without tax; `acreditada` = its certificate is at hand."""

    objeto: Texto
    destinatario: Texto
    importe: Euros | None = None
    inicio: Dia | None = None
    fin: Dia | None = None
    cpv: Ramas = ()
    acreditada: Booleano = False


class Certificado(Modelo):
    """A standard that it is certified in (ISO 9001, ENS…)."""

    norma: Texto
    alcance: Texto | None = None
    caduca: Dia | None = None


class Seguro(Modelo):
    """An insurance policy; `capital` in euros."""

    tipo: Texto
    capital: Euros | None = None
    caduca: Dia | None = None


class Puesto(Modelo):
    """How many people hold a kind of job: a number, never who they are."""

    puesto: Texto
    personas: Annotated[int, PERSONAS]


class Plantilla(Modelo):
    """Staff counts. `media` of the last year; `discapacidad` = how many of them have a recognised disability."""

    media: Annotated[int, PERSONAS] | None = None
    discapacidad: Annotated[int, PERSONAS] | None = None
    puestos: Annotated[tuple[Puesto, ...], LISTA] = ()


class Firmante(Modelo):
    """Somebody who may sign for the company. Personal data: it never reaches an agent."""

    nombre: Texto
    nif: Nif | None = None
    cargo: Texto | None = None
    poder: Texto | None = None
    """The deed that gives the power, as it is cited."""
    mancomunada: Booleano = False


class Rival(Modelo):
    """A competitor that is followed."""

    nombre: Texto
    nif: Nif


class Empresa(Modelo):
    """One version of the profile."""

    nombre: Texto
    nif: Nif
    nombre_comercial: Texto | None = None
    domicilio: Texto | None = None
    tamano: Annotated[Tamano, BeforeValidator(_tamano)] | None = None
    actividades: Textos = ()
    distribuye: Textos = ()
    ademas: Textos = ()
    no_hace: Textos = ()
    cpv: Ramas = ()
    regiones: Regiones = ()
    importes: Importes = Importes()
    negocio: Annotated[tuple[Ejercicio, ...], LISTA] = ()
    obras: Annotated[tuple[Obra, ...], LISTA] = ()
    clasificaciones: Annotated[tuple[Annotated[str, cada(_clasificacion)], ...], LISTA] = ()
    certificados: Annotated[tuple[Certificado, ...], LISTA] = ()
    seguros: Annotated[tuple[Seguro, ...], LISTA] = ()
    plantilla: Plantilla = Plantilla()
    rolece: Dia | None = None
    """Until when the entry in the register of bidders (ROLECE, or a regional one) is in force."""
    firmantes: Annotated[tuple[Firmante, ...], LISTA] = ()
    rivales: Annotated[tuple[Rival, ...], LISTA] = ()

    def facturado(self, ejercicio: int) -> Decimal | None:
        """Turnover of that year, if it is written."""
        return next((n.importe for n in self.negocio if n.ejercicio == ejercicio), None)


def caducado(hasta: date | None, hoy: date) -> bool:
    """Whether something that was in force until that day no longer is; with no date it has no end."""
    return hasta is not None and hasta < hoy
