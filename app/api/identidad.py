"""Who asks over HTTP: an agent by its token, a person by their session, or who is at this machine by the local key."""

from __future__ import annotations

import getpass
import hashlib
import logging
import sqlite3
from hmac import compare_digest
from pathlib import Path

from app import llave
from nucleo.agentes.servicio import autenticar
from nucleo.errores import ErrorConfiguracion
from nucleo.personas.modelo import SesionViva, Usuario
from nucleo.recorridos.api.mensajes import Identidad
from nucleo.recorridos.comandos import Actor, ClaseActor
from nucleo.reloj import Reloj

REGISTRO = logging.getLogger(__name__)


def persona_local() -> Actor:
    """Whoever uses this machine's command line: who can read the data folder may do everything anyway."""
    try:
        nombre = getpass.getuser()
    except (KeyError, OSError, ImportError):  # a user without a name, as in some containers
        nombre = "operador"
    return Actor(clase=ClaseActor.PERSONA, nombre=nombre, rol="admin")


def de_sesion(sesion: SesionViva | None) -> Identidad | None:
    """The person of a session; nobody while their password still has to be changed."""
    if sesion is None or sesion.usuario.cambiar_clave:
        return None
    return Identidad(actor=persona(sesion.usuario))


def persona(usuario: Usuario) -> Actor:
    """A person with an account, as who acts."""
    return Actor(clase=ClaseActor.PERSONA, nombre=usuario.usuario, rol=usuario.rol.value)


def quien_es(con: sqlite3.Connection, datos: Path, token: str | None, reloj: Reloj) -> Identidad | None:
    """The identity of that token, None for nobody's. Asked for every request, so that a revoked agent stops at once.

    `executor` and `reloj` have no token: those identities exist only inside our own processes.
    """
    if token is not None and token.startswith(llave.PREFIJO):
        return Identidad(actor=persona_local()) if _es_la_llave(datos, token) else None
    agente = autenticar(con, token, reloj())
    if agente is None:
        return None
    return Identidad(actor=Actor(clase=ClaseActor.AGENTE, nombre=agente.nombre), permisos=agente.permisos)


def _es_la_llave(datos: Path, token: str) -> bool:
    try:
        guardada = llave.leer(datos)
    except ErrorConfiguracion as error:
        REGISTRO.warning("%s", error.mensaje)
        return False
    return guardada is not None and compare_digest(_huella(token), _huella(guardada))


def _huella(texto: str) -> bytes:
    """Of one length whatever is sent, so that comparing tells nothing of how much is right."""
    return hashlib.sha256(texto.encode("utf-8", "surrogatepass")).digest()
