"""Reads a profile written in YAML: valid whole, or refused with the line, the field and what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from nucleo.errores import ErrorConfiguracion
from nucleo.yaml_marcado import Lugar, Marcado, YamlNoValido, campo, leer_yaml

TAMANO_MAXIMO = 1_000_000
"""Bytes of a profile file."""

_MENSAJES = {
    "missing": "falta",
    "string_type": "tiene que ser un texto",
    "tuple_type": "tiene que ser una lista, con un elemento por línea tras un guion",
    "model_type": "tiene que llevar debajo sus propios campos",
}

M = TypeVar("M", bound=BaseModel)


class Problema(NamedTuple):
    """What is wrong in one place; `linea` counts from 1."""

    linea: int
    campo: str
    mensaje: str


class Incoherencia(NamedTuple):
    """Something that no field says by itself: where (the nearest written line is told) and what."""

    lugar: Lugar
    mensaje: str


class PerfilNoValido(ErrorConfiguracion):
    """The profile file is refused; `problemas` says everything that is wrong, in order of line."""

    codigo = "perfil_no_valido"

    def __init__(self, fichero: str, problemas: list[Problema]) -> None:
        self.problemas = tuple(sorted(problemas))
        frases = [_frase(p) for p in self.problemas]
        mensaje = f"{fichero} no es un perfil válido: {'; '.join(frases)}"
        super().__init__(mensaje if mensaje.endswith("?") else f"{mensaje}.")


def leer_texto(fichero: Path) -> str:
    """The file's text. Raises PerfilNoValido when it is too big or is not UTF-8, OSError when it cannot be read."""
    with fichero.open("rb") as abierto:
        return decodificar(abierto.read(TAMANO_MAXIMO + 1), fichero.name)


def decodificar(crudo: bytes, nombre: str) -> str:
    """The text of a file that is already read. Raises PerfilNoValido when it is too big or is not UTF-8."""
    if len(crudo) > TAMANO_MAXIMO:
        raise PerfilNoValido(nombre, [Problema(1, "", "es demasiado grande")])
    try:
        return crudo.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        linea = crudo[: error.start].count(b"\n") + 1
        raise PerfilNoValido(nombre, [Problema(linea, "", "no está guardado en UTF-8")]) from error


def interpretar(
    texto: str, nombre: str, modelo: type[M], incoherencias: Callable[[M], list[Incoherencia]]
) -> M:
    """The model that the YAML text says. Raises PerfilNoValido; `nombre` is what its message calls the file."""
    try:
        marcado = leer_yaml(texto)
    except YamlNoValido as error:
        raise PerfilNoValido(nombre, [Problema(error.linea, error.campo, error.mensaje)]) from error
    try:
        perfil = modelo.model_validate(marcado.datos)
    except ValidationError as error:
        problemas = [_problema(e, marcado, modelo) for e in error.errors()]
        raise PerfilNoValido(nombre, problemas) from error
    juntas = [Problema(_linea(i.lugar, marcado), campo(i.lugar), i.mensaje) for i in incoherencias(perfil)]
    if juntas:
        raise PerfilNoValido(nombre, juntas)
    return perfil


def _problema(error: ErrorDetails, marcado: Marcado, modelo: type[BaseModel]) -> Problema:
    lugar = error["loc"]
    if error["type"] == "extra_forbidden":
        mensaje = _clave_desconocida(lugar, modelo)
    elif error["type"] == "value_error":
        mensaje = str(error["ctx"]["error"])
    else:
        mensaje = _MENSAJES.get(error["type"], "no vale")
    return Problema(_linea(lugar, marcado), campo(lugar), mensaje)


def _clave_desconocida(lugar: Lugar, modelo: type[BaseModel]) -> str:
    for pieza in lugar[:-1]:
        if isinstance(pieza, str):
            modelo = next(_modelos_en(modelo.model_fields[pieza].annotation))
    conocidas = list(modelo.model_fields)
    parecida = get_close_matches(str(lugar[-1]), conocidas, n=1)
    consejo = f"¿quisiste decir «{parecida[0]}»?" if parecida else f"los que hay son {', '.join(conocidas)}"
    return f"no es un campo del perfil: {consejo}"


def _modelos_en(anotacion: object) -> Iterator[type[BaseModel]]:
    """The models that a field's type mentions: itself, or what a list or an option holds."""
    if isinstance(anotacion, type) and issubclass(anotacion, BaseModel):
        yield anotacion
    for dentro in get_args(anotacion):
        yield from _modelos_en(dentro)


def _linea(lugar: Lugar, marcado: Marcado) -> int:
    """The line of the place, or of the nearest thing above it that is written."""
    while lugar and lugar not in marcado.lineas:
        lugar = lugar[:-1]
    return marcado.lineas.get(lugar, 1)


def _frase(problema: Problema) -> str:
    sujeto = f", campo «{problema.campo}»" if problema.campo else ""
    return f"línea {problema.linea}{sujeto}: {problema.mensaje}"
