"""Reads a profile file: valid whole, or refused with the line, the field and what to write instead."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from dominios.licitaciones.prefiltro.modelo import Importes, Organos, Perfil, RamasCpv
from dominios.licitaciones.prefiltro.yaml_marcado import Lugar, Marcado, YamlNoValido, campo, leer_yaml
from nucleo.errores import ErrorConfiguracion, NoEncontrado

TAMANO_MAXIMO = 1_000_000
"""Bytes of a profile file."""

_MODELOS: dict[str, type[BaseModel]] = {"cpv": RamasCpv, "importes": Importes, "organos": Organos}
_MENSAJES = {
    "missing": "falta",
    "string_type": "tiene que ser un texto",
    "tuple_type": "tiene que ser una lista, con un elemento por línea tras un guion",
    "model_type": "tiene que llevar debajo sus propios campos",
}


class Problema(NamedTuple):
    """What is wrong in one place; `linea` counts from 1."""

    linea: int
    campo: str
    mensaje: str


class PerfilNoValido(ErrorConfiguracion):
    """The profile file is refused; `problemas` says everything that is wrong, in order of line."""

    codigo = "perfil_no_valido"

    def __init__(self, fichero: str, problemas: list[Problema]) -> None:
        self.problemas = tuple(sorted(problemas))
        frases = [_frase(p) for p in self.problemas]
        mensaje = f"{fichero} no es un perfil válido: {'; '.join(frases)}"
        super().__init__(mensaje if mensaje.endswith("?") else f"{mensaje}.")


def leer_perfil(fichero: Path) -> Perfil:
    """Raises NoEncontrado when there is no file, PerfilNoValido when it is not a profile."""
    if not fichero.is_file():
        raise NoEncontrado(
            f"No hay perfil en {fichero}: copia ahí deploy/perfil.ejemplo.yaml y adáptalo, o di cuál con --perfil."
        )
    crudo = fichero.read_bytes()[: TAMANO_MAXIMO + 1]
    if len(crudo) > TAMANO_MAXIMO:
        raise PerfilNoValido(fichero.name, [Problema(1, "", "es demasiado grande")])
    try:
        return interpretar_perfil(crudo.decode("utf-8-sig"), fichero.name)
    except UnicodeDecodeError as error:
        linea = crudo[: error.start].count(b"\n") + 1
        raise PerfilNoValido(fichero.name, [Problema(linea, "", "no está guardado en UTF-8")]) from error


def interpretar_perfil(texto: str, nombre: str = "perfil.yaml") -> Perfil:
    """The profile that the YAML text says. Raises PerfilNoValido; `nombre` is what the message calls the file."""
    try:
        marcado = leer_yaml(texto)
    except YamlNoValido as error:
        raise PerfilNoValido(nombre, [Problema(error.linea, error.campo, error.mensaje)]) from error
    try:
        perfil = Perfil.model_validate(marcado.datos)
    except ValidationError as error:
        raise PerfilNoValido(nombre, [_problema(e, marcado) for e in error.errors()]) from error
    problemas = _incoherencias(perfil, marcado)
    if problemas:
        raise PerfilNoValido(nombre, problemas)
    return perfil


def _problema(error: ErrorDetails, marcado: Marcado) -> Problema:
    lugar = error["loc"]
    if error["type"] == "extra_forbidden":
        mensaje = _clave_desconocida(lugar)
    elif error["type"] == "value_error":
        mensaje = str(error["ctx"]["error"])
    else:
        mensaje = _MENSAJES.get(error["type"], "no vale")
    return Problema(_linea(lugar, marcado), campo(lugar), mensaje)


def _clave_desconocida(lugar: Lugar) -> str:
    modelo = _MODELOS[str(lugar[0])] if len(lugar) > 1 else Perfil
    conocidas = list(modelo.model_fields)
    parecida = get_close_matches(str(lugar[-1]), conocidas, n=1)
    consejo = f"¿quisiste decir «{parecida[0]}»?" if parecida else f"los que hay son {', '.join(conocidas)}"
    return f"no es un campo del perfil: {consejo}"


def _incoherencias(perfil: Perfil, marcado: Marcado) -> list[Problema]:
    problemas = []
    minimo, maximo = perfil.importes.minimo, perfil.importes.maximo
    if minimo is not None and maximo is not None and minimo > maximo:
        linea = _linea(("importes", "maximo"), marcado)
        problemas.append(Problema(linea, "importes.maximo", "es menor que el mínimo"))
    for rama in sorted(set(perfil.cpv.incluir) & set(perfil.cpv.excluir)):
        linea = _linea(("cpv", "excluir"), marcado)
        problemas.append(Problema(linea, "cpv.excluir", f"la rama {rama} está también en cpv.incluir"))
    if not perfil.busca_algo:
        consejo = "escribe al menos una rama en cpv.incluir, una palabra, una marca o un órgano que seguir"
        problemas.append(Problema(1, "", f"no busca nada: {consejo}"))
    return problemas


def _linea(lugar: Lugar, marcado: Marcado) -> int:
    """The line of the place, or of the nearest thing above it that is written."""
    while lugar and lugar not in marcado.lineas:
        lugar = lugar[:-1]
    return marcado.lineas.get(lugar, 1)


def _frase(problema: Problema) -> str:
    sujeto = f", campo «{problema.campo}»" if problema.campo else ""
    return f"línea {problema.linea}{sujeto}: {problema.mensaje}"
