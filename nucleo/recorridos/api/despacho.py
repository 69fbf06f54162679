"""One request, whoever carries it: which route it is, whether this identity may, and what comes out."""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

from nucleo.errores import ErrorEntrada, ErrorSobre, NoEncontrado, Ocupado
from nucleo.recorridos.api.cuerpo import CuerpoInvalido
from nucleo.recorridos.api.mensajes import (
    LEER,
    PROPONER,
    Identidad,
    Peticion,
    Respuesta,
    negativa,
    negativa_de,
)
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.reloj import Reloj

REGISTRO = logging.getLogger(__name__)
DE_PERSONA = "persona"
"""What a route asks instead of a permission when it is a person's: no agent has it."""
PERMISOS = (LEER, PROPONER, DE_PERSONA)


@dataclass(frozen=True)
class Entorno:
    """What every answer is made of. `con`: of the shared database; `datos`: folder of the installation."""

    con: sqlite3.Connection
    casa: Casa
    datos: Path
    reloj: Reloj


class Pedido(NamedTuple):
    """A request that may be attended. `partes`: what the address says, by name."""

    peticion: Peticion
    identidad: Identidad
    partes: Mapping[str, str]


Atender: TypeAlias = Callable[[Entorno, Pedido], Respuesta]


@dataclass(frozen=True)
class Ruta:
    """An address and what it asks. `atender` None: it is a stream, which only HTTP has.

    `espera`: HTTP waits for a change before asking it. `cuerpo_max`: bytes it takes; 0, none.
    """

    metodo: str
    patron: str
    permiso: str
    atender: Atender | None
    resumen: str
    espera: bool = False
    cuerpo_max: int = 0

    def partes(self, ruta: str) -> dict[str, str] | None:
        """What that path says at each name of the pattern; None when it is another path."""
        hallado = re.fullmatch(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]{1,128})", self.patron), ruta)
        return hallado.groupdict() if hallado else None


class Casada(NamedTuple):
    """A route and what the path says."""

    ruta: Ruta
    partes: Mapping[str, str]


class Api:
    """The closed list of routes."""

    def __init__(self, rutas: Iterable[Ruta]) -> None:
        self.rutas = tuple(rutas)

    def casar(self, metodo: str, ruta: str) -> Casada | Respuesta:
        """The route of that request, or why there is none (404, 405)."""
        casadas = [Casada(r, partes) for r in self.rutas if (partes := r.partes(ruta)) is not None]
        if not casadas:
            return negativa(404, "NO_EXISTE", "No hay nada en esa dirección.")
        for casada in casadas:
            if casada.ruta.metodo == metodo:
                return casada
        admitidos = ", ".join(sorted({c.ruta.metodo for c in casadas}))
        respuesta = negativa(405, "METODO", f"Esa dirección solo admite {admitidos}.")
        return Respuesta(405, respuesta.cuerpo, cabeceras={"allow": admitidos})

    def negar(self, identidad: Identidad | None, casada: Casada | Respuesta) -> Respuesta | None:
        """The refusal that needs nothing else than who asks and for what; None when it may go on."""
        if identidad is None:
            return sin_identidad()
        if isinstance(casada, Respuesta):
            return casada
        permiso = casada.ruta.permiso
        if permiso == DE_PERSONA and not identidad.es_persona:
            return negativa(403, "PROHIBIDO", "Eso lo hace una persona.")
        if not identidad.puede(PROPONER if permiso == DE_PERSONA else permiso):
            return negativa(403, "PROHIBIDO", f"Hace falta el permiso «{permiso}», y no lo tienes.")
        return None

    def atender(self, entorno: Entorno, peticion: Peticion, identidad: Identidad | None) -> Respuesta:
        """The answer. What is refused has changed nothing; what is raised is a fault of ours."""
        casada = self.casar(peticion.metodo, peticion.ruta)
        negada = self.negar(identidad, casada)
        if negada is not None:
            return negada
        assert isinstance(casada, Casada) and identidad is not None  # noqa: S101 - `negar` answers otherwise
        if casada.ruta.atender is None:
            return negativa(405, "METODO", "Esa dirección es una corriente: solo por HTTP.")
        if len(peticion.cuerpo) > casada.ruta.cuerpo_max:
            return demasiado_grande(casada.ruta.cuerpo_max)
        try:
            return casada.ruta.atender(entorno, Pedido(peticion, identidad, casada.partes))
        except Exception as error:
            respuesta = negativa_de_fallo(error)
            if respuesta is None:
                raise
            return respuesta


def sin_identidad() -> Respuesta:
    """The answer to nobody: the same whatever was asked."""
    respuesta = negativa(
        401, "SIN_IDENTIDAD", "Hace falta el token de un agente o la llave de esta máquina («llave-local»)."
    )
    return Respuesta(401, respuesta.cuerpo, cabeceras={"www-authenticate": 'Bearer realm="sobre"'})


def demasiado_grande(cuantos: int) -> Respuesta:
    """The answer to a body of more than so many bytes."""
    if cuantos == 0:
        return negativa_de(CuerpoInvalido("Esa dirección no admite cuerpo."))
    return negativa(413, "DEMASIADO_GRANDE", f"El cuerpo pasa de {cuantos // 1024} KiB.")


def negativa_de_fallo(error: Exception) -> Respuesta | None:
    """How what was raised is told; None when it is a fault of ours."""
    match error:
        case ErrorRecorrido():
            return negativa_de(error)
        case NoEncontrado() | ErrorEntrada() | Ocupado():
            return negativa(*_DE_LA_CASA[type(error)], error.mensaje)
        case sqlite3.OperationalError(sqlite_errorcode=codigo) if codigo & 0xFF in _MENSAJES:
            REGISTRO.warning("la base de datos no puede: %s", error)
            return negativa(503, "OCUPADO", _MENSAJES[codigo & 0xFF])
    return None


_DE_LA_CASA: Mapping[type[ErrorSobre], tuple[int, str]] = {
    NoEncontrado: (404, "NO_EXISTE"),
    ErrorEntrada: (400, "COMANDO_INVALIDO"),
    Ocupado: (503, "OCUPADO"),
}
_OCUPADA = "La base de datos está ocupada: repite lo mismo dentro de un momento."
_SIN_SITIO = "No se puede escribir en el disco: avisa a quien mantiene la instalación."
_MENSAJES = {
    sqlite3.SQLITE_BUSY: _OCUPADA,
    sqlite3.SQLITE_LOCKED: _OCUPADA,
    sqlite3.SQLITE_FULL: _SIN_SITIO,
    sqlite3.SQLITE_IOERR: _SIN_SITIO,
}
