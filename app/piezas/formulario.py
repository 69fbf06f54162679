"""The form of a typed contract, without a screen: which control asks for each port, and what is written read back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from enum import StrEnum

from pydantic import JsonValue

from nucleo.modelo import Modelo
from nucleo.recorridos.llano import es_llano
from nucleo.recorridos.plan import Puerto, Tipo, Valores
from nucleo.recorridos.valores import Esquemas, problema_de

OPCIONES_A_LA_VISTA = 6
"""From so many options on, a list that unfolds instead of all in sight."""
Escrito = str | bool | int | date | None
"""What a control holds; None or blank is «not answered»."""


class Control(StrEnum):
    """How a value is asked for."""

    RADIO = "radio"
    DESPLEGABLE = "desplegable"
    SI_NO = "si_no"
    TEXTO = "texto"
    LINEA = "linea"
    ENTERO = "entero"
    FECHA = "fecha"
    LISTA = "lista"
    JSON = "json"
    ARTEFACTO = "artefacto"


class Campo(Modelo):
    """One control. `opciones`: only for those that choose. `rotulo` is plain text, as the others."""

    nombre: str
    tipo: Tipo
    control: Control
    rotulo: str
    requerido: bool
    ayuda: str
    ejemplo: str
    opciones: tuple[str, ...] = ()
    si: str = "Sí"
    no: str = "No"


class Lectura(Modelo):
    """What a filled form says: the outputs to send, or why they cannot be, port by port in plain Spanish."""

    salidas: Valores
    problemas: dict[str, str]


class NoSeEntiende(Exception):
    """What was written is not a value of that type; its text says how it is written."""


def campos(puertos: tuple[Puerto, ...]) -> tuple[Campo, ...]:
    """One control per port, in their order."""
    return tuple(_campo(p) for p in puertos)


def leer(puertos: tuple[Puerto, ...], escrito: Mapping[str, Escrito], esquemas: Esquemas) -> Lectura:
    """The values as the contract wants them. What is not answered is left out."""
    salidas: Valores = {}
    problemas: dict[str, str] = {}
    for puerto in puertos:
        valor = escrito.get(puerto.nombre)
        if valor is None or (isinstance(valor, str) and not valor.strip()):
            if puerto.requerido:
                problemas[puerto.nombre] = "hace falta"
            continue
        try:
            leido = _valor(puerto, valor)
        except NoSeEntiende as error:
            problemas[puerto.nombre] = str(error)
            continue
        if not es_llano(leido):
            problemas[puerto.nombre] = "es demasiado grande o tiene caracteres rotos"
        elif problema := problema_de(puerto, leido, esquemas):
            problemas[puerto.nombre] = problema.removeprefix(f"«{puerto.nombre}» ")
        else:
            salidas[puerto.nombre] = leido
    return Lectura(salidas=salidas, problemas=problemas)


def _campo(puerto: Puerto) -> Campo:
    formulario = puerto.formulario
    return Campo(
        nombre=puerto.nombre,
        tipo=puerto.tipo,
        control=_control(puerto),
        rotulo=(formulario and formulario.etiqueta) or puerto.nombre.replace("_", " ").capitalize(),
        requerido=puerto.requerido,
        ayuda=(formulario and formulario.ayuda) or puerto.descripcion,
        ejemplo=(formulario and formulario.ejemplo) or _COMO_SE_ESCRIBE.get(puerto.tipo, ""),
        opciones=puerto.opciones,
        si=formulario.si if formulario else "Sí",
        no=formulario.no if formulario else "No",
    )


def _control(puerto: Puerto) -> Control:
    match puerto.tipo:
        case Tipo.OPCION:
            return Control.RADIO if len(puerto.opciones) < OPCIONES_A_LA_VISTA else Control.DESPLEGABLE
        case Tipo.LISTA if puerto.esquema is not None:
            return Control.JSON
        case _:
            return _CONTROLES[puerto.tipo]


_CONTROLES = {
    Tipo.TEXTO: Control.TEXTO,
    Tipo.NUMERO: Control.LINEA,
    Tipo.ENTERO: Control.ENTERO,
    Tipo.BOOLEANO: Control.SI_NO,
    Tipo.OBJETO: Control.JSON,
    Tipo.LISTA: Control.LISTA,
    Tipo.FECHA: Control.FECHA,
    Tipo.IMPORTE: Control.LINEA,
    Tipo.ARTEFACTO: Control.ARTEFACTO,
}
_COMO_SE_ESCRIBE = {
    Tipo.NUMERO: "12,5",
    Tipo.IMPORTE: "1234,50",
    Tipo.LISTA: "Uno por línea",
    Tipo.OBJETO: '{"clave": "valor"}',
}


def _valor(puerto: Puerto, valor: Escrito) -> JsonValue:
    """Raises NoSeEntiende."""
    if isinstance(valor, date):
        return valor.isoformat()
    if not isinstance(valor, str):
        return valor
    match _control(puerto):
        case Control.LINEA:
            decimal = _decimal(valor)
            return decimal if puerto.tipo is Tipo.IMPORTE else json.loads(decimal)
        case Control.LISTA:
            return [linea.strip() for linea in valor.splitlines() if linea.strip()]
        case Control.JSON:
            return _json(valor)
        case _:
            return valor.strip()


_MILES = re.compile(r"-?[0-9]{1,3}(\.[0-9]{3}){1,6}(,[0-9]{1,20})?")
_LLANO = re.compile(r"-?[0-9]{1,20}([.,][0-9]{1,20})?")
_DUDOSO = re.compile(r"-?[0-9]{1,3}\.[0-9]{3}")


def _decimal(escrito: str) -> str:
    """«1.234,50», «1234,5», «1234.50 €» → «1234.50». What two people would read as two numbers is refused."""
    numero = escrito.replace("€", "").replace(" ", "").replace("\N{NO-BREAK SPACE}", "")
    if _DUDOSO.fullmatch(numero):
        sin_puntos = numero.replace(".", "")
        raise NoSeEntiende(f"«{numero}» se puede leer de dos maneras: escribe {sin_puntos} o {sin_puntos},00")
    if _MILES.fullmatch(numero):
        numero = numero.replace(".", "")
    elif not _LLANO.fullmatch(numero):
        raise NoSeEntiende("se escribe con cifras y coma decimal: 1234,50")
    entera, _, decimales = numero.replace(",", ".").partition(".")
    signo = "-" if entera.startswith("-") else ""
    llano = signo + (entera.lstrip("-").lstrip("0") or "0")
    return f"{llano}.{decimales}" if decimales else llano


def _json(escrito: str) -> JsonValue:
    try:
        leido: JsonValue = json.loads(escrito, parse_constant=_sin_constantes)
    except (ValueError, RecursionError) as error:
        donde = f", en la línea {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise NoSeEntiende(f"no es JSON bien escrito{donde}") from None
    return leido


def _sin_constantes(nombre: str) -> JsonValue:
    raise NoSeEntiende(f"«{nombre}» no es un número")
