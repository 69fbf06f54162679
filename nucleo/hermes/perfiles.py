"""Which Hermes profiles there are and what their models cost: the file that SOBRE_HERMES names, valid whole or refused.

Keys are never in the file: each profile says the variable or the file that holds its own.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, Field, SecretStr, StringConstraints, ValidationError
from pydantic import model_validator as validador_de_modelo
from pydantic_core import ErrorDetails

from nucleo.errores import ErrorConfiguracion, ErrorSobre
from nucleo.hermes.precios import Precio
from nucleo.hermes.transporte import comprobar_url
from nucleo.modelo import Modelo

TAMANO_MAXIMO = 1_000_000
CLAVE_MINIMA = 16
"""Characters: Hermes itself does not start with a shorter key."""
Nombre = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{1,31}$")]
"""Also a valid name of an agent: a profile comes in to our MCP server with the agent of its own name."""
_CLAVE = re.compile(r"[\x21-\x7e]+")


class PerfilNoValido(ErrorConfiguracion):
    """The file of profiles is refused; `problemas` says all that is wrong, as (field, message)."""

    codigo = "hermes_perfiles"

    def __init__(self, fichero: str, problemas: list[tuple[str, str]]) -> None:
        self.problemas = tuple(problemas)
        frases = "; ".join(f"{campo}: {mensaje}" if campo else mensaje for campo, mensaje in problemas)
        super().__init__(f"{fichero} no sirve como configuración de Hermes: {frases}.")


def _url(url: str) -> str:
    try:
        return comprobar_url(url)
    except ErrorSobre as error:
        raise ValueError(error.mensaje.rstrip(".")) from error


class _PerfilEscrito(Modelo):
    url: Annotated[str, AfterValidator(_url)]
    clave_env: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None
    clave_fichero: Annotated[str, StringConstraints(min_length=1)] | None = None
    proveedor: Annotated[str, StringConstraints(min_length=1)] = "desconocido"

    @validador_de_modelo(mode="after")
    def _una_clave(self) -> Self:
        if (self.clave_env is None) == (self.clave_fichero is None):
            raise ValueError("di dónde está la clave con clave_env o con clave_fichero, uno de los dos")
        return self


class _FicheroEscrito(Modelo):
    perfiles: Annotated[dict[Nombre, _PerfilEscrito], Field(min_length=1)]
    moneda: Literal["EUR", "USD"] = "USD"
    precios: Annotated[tuple[Precio, ...], Field(strict=False)] = ()


class Perfil(Modelo):
    """A profile ready to be called. `proveedor` is whose limits and prices apply; Hermes does not tell."""

    nombre: str
    url: str
    clave: SecretStr
    proveedor: str


class Hermes(Modelo):
    """Everything configured; without profiles every job waits. Prices are in `moneda` per million tokens."""

    perfiles: tuple[Perfil, ...] = ()
    moneda: Literal["EUR", "USD"] = "USD"
    precios: tuple[Precio, ...] = ()

    def perfil(self, nombre: str) -> Perfil | None:
        """The profile of that name, or None: its jobs wait."""
        return next((p for p in self.perfiles if p.nombre == nombre), None)


def leer_hermes(fichero: Path | None, entorno: Mapping[str, str] | None = None) -> Hermes:
    """The configuration in a JSON or TOML file; None, nothing configured.

    Raises PerfilNoValido. A relative `clave_fichero` counts from the folder of the file.
    """
    if fichero is None:
        return Hermes()
    escrito = _validar(_datos(fichero), fichero.name)
    problemas: list[tuple[str, str]] = []
    perfiles = []
    for nombre, dicho in escrito.perfiles.items():
        clave = _clave(dicho, fichero.parent, os.environ if entorno is None else entorno)
        if isinstance(clave, str):
            problemas.append((f"perfiles.{nombre}", clave))
        else:
            perfiles.append(Perfil(nombre=nombre, url=dicho.url, clave=clave, proveedor=dicho.proveedor))
    problemas += _repetidos(escrito)
    if problemas:
        raise PerfilNoValido(fichero.name, problemas)
    return Hermes(perfiles=tuple(perfiles), moneda=escrito.moneda, precios=escrito.precios)


def _datos(fichero: Path) -> object:
    try:
        with fichero.open("rb") as abierto:
            crudo = abierto.read(TAMANO_MAXIMO + 1)
    except OSError as error:
        raise PerfilNoValido(fichero.name, [("", "no se puede leer (lo señala SOBRE_HERMES)")]) from error
    if len(crudo) > TAMANO_MAXIMO:
        raise PerfilNoValido(fichero.name, [("", "es demasiado grande")])
    try:
        texto = crudo.decode("utf-8-sig")
        if fichero.suffix == ".toml":
            return tomllib.loads(texto)
        datos: object = json.loads(texto)
    except UnicodeDecodeError as error:
        raise PerfilNoValido(fichero.name, [("", "no está guardado en UTF-8")]) from error
    except tomllib.TOMLDecodeError as error:
        raise PerfilNoValido(fichero.name, [("", f"no es TOML ({error})")]) from error
    except (json.JSONDecodeError, RecursionError) as error:
        linea = f", línea {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise PerfilNoValido(fichero.name, [("", f"no es JSON{linea}")]) from error
    return datos


def _validar(datos: object, nombre: str) -> _FicheroEscrito:
    try:
        return _FicheroEscrito.model_validate(datos)
    except ValidationError as error:
        raise PerfilNoValido(nombre, [_problema(e) for e in error.errors()]) from error


_FRASES = {
    "missing": "falta",
    "string_type": "tiene que ser un texto",
    "dict_type": "tiene que llevar dentro sus propios campos",
    "model_type": "tiene que llevar dentro sus propios campos",
    "too_short": "no hay ninguno",
    "literal_error": "tiene que ser EUR o USD",
    "is_instance_of": 'se escribe entre comillas y con punto decimal: "0.25"',
    "greater_than_equal": "no puede ser negativo",
}
_MODELOS: dict[str, type[BaseModel]] = {"perfiles": _PerfilEscrito, "precios": Precio}


def _problema(error: ErrorDetails) -> tuple[str, str]:
    lugar = [str(p) for p in error["loc"]]
    campo = ".".join(p for p in lugar if p != "[key]")
    if error["type"] == "extra_forbidden":
        conocidos = list((_MODELOS[lugar[0]] if len(lugar) > 1 else _FicheroEscrito).model_fields)
        parecido = get_close_matches(lugar[-1], conocidos, n=1)
        return campo, f"no se conoce; ¿es «{parecido[0]}»?" if parecido else "no se conoce"
    if error["type"] == "value_error":
        return campo, str(error["ctx"]["error"])
    if "[key]" in lugar:
        return campo, "el nombre de un perfil va en minúsculas, cifras y guiones, de 2 a 32 caracteres"
    return campo, _FRASES.get(error["type"], "no vale")


def _clave(dicho: _PerfilEscrito, carpeta: Path, entorno: Mapping[str, str]) -> SecretStr | str:
    """The key, or what is wrong with it (never the key itself)."""
    if dicho.clave_env is not None:
        clave, donde = entorno.get(dicho.clave_env, ""), f"la variable {dicho.clave_env}"
    else:
        fichero = carpeta / Path(dicho.clave_fichero or "").expanduser()
        try:
            clave, donde = fichero.read_text("utf-8")[:4096].strip(), f"el fichero {fichero.name}"
        except (OSError, UnicodeDecodeError):
            return f"no se puede leer la clave en {fichero.name}"
    if not clave:
        return f"{donde} está vacío o no existe" if dicho.clave_fichero else f"{donde} no tiene nada"
    if len(clave) < CLAVE_MINIMA or not _CLAVE.fullmatch(clave):
        return (
            f"la clave de {donde} tiene que llevar {CLAVE_MINIMA} caracteres o más, sin espacios ni acentos"
        )
    return SecretStr(clave)


def _repetidos(escrito: _FicheroEscrito) -> list[tuple[str, str]]:
    """Two profiles at one address are one agent with two names; two prices for a model, one of them wrong."""
    problemas = []
    urls: dict[str, str] = {}
    for nombre, perfil in escrito.perfiles.items():
        if perfil.url in urls:
            problemas.append((f"perfiles.{nombre}.url", f"es la misma que la de «{urls[perfil.url]}»"))
        urls.setdefault(perfil.url, nombre)
    vistos: set[tuple[str, str]] = set()
    for numero, precio in enumerate(escrito.precios):
        if (precio.proveedor, precio.modelo) in vistos:
            problemas.append((f"precios.{numero}", "ese modelo ya tiene precio"))
        vistos.add((precio.proveedor, precio.modelo))
    return problemas
