"""Accounts and sessions. Instants are aware, UTC."""

from __future__ import annotations

import re
from datetime import datetime
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from nucleo.modelo import Modelo

_USUARIO = re.compile(r"[a-z0-9][a-z0-9._@-]{1,63}")


class Rol(StrEnum):
    """What a person may do: look, decide and write, or administer; each includes the former."""

    LECTOR = "lector"
    EDITOR = "editor"
    ADMIN = "admin"

    def alcanza(self, minimo: Rol) -> bool:
        """Whether this role may do what asks for at least `minimo`."""
        orden = list(Rol)
        return orden.index(self) >= orden.index(minimo)


def normalizar(usuario: str) -> str:
    """The name as it is stored: people do not remember how they wrote it."""
    return usuario.strip().casefold()


def _con_forma(usuario: str) -> str:
    if not _USUARIO.fullmatch(usuario):
        raise PydanticCustomError(
            "usuario",
            "de 2 a 64 letras sin acento, cifras, punto, guion o arroba, y empieza por letra o cifra",
        )
    return usuario


def _visible(nombre: str) -> str:
    limpio = nombre.strip()
    if not 1 <= len(limpio) <= 120:
        raise PydanticCustomError("nombre", "el nombre que se ve tiene de 1 a 120 caracteres")
    return limpio


class AltaUsuario(Modelo):
    """What is needed to open an account. `usuario` already normalised; what is wrong is told in Spanish."""

    usuario: Annotated[str, AfterValidator(_con_forma)]
    nombre: Annotated[str, AfterValidator(_visible)]
    rol: Rol


class Usuario(Modelo):
    """An account. `cambiar_clave`: somebody else chose the password, and it is changed before anything else."""

    id: int
    usuario: str
    nombre: str
    rol: Rol
    creado: datetime
    desactivado: datetime | None
    cambiar_clave: bool


class Guardada(NamedTuple):
    """What is kept of a password, and whether it has to be changed at the next login."""

    texto: str
    cambiar: bool


class CambioClave(NamedTuple):
    """The password that somebody has, and the one they want."""

    actual: str
    nueva: str


class Procedencia(NamedTuple):
    """From where somebody comes in: address, and what the browser says it is."""

    ip: str
    agente: str


class SesionViva(NamedTuple):
    """A session that stands. `huella`: hex sha256 of its token; `vista`: last renewal; `caduca`: if not renewed."""

    huella: str
    usuario: Usuario
    creada: datetime
    vista: datetime
    caduca: datetime


class Entrada(NamedTuple):
    """A session just opened: the only time that its token can be read."""

    token: str
    sesion: SesionViva
