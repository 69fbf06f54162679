"""The first account of an installation: without it nobody comes in to the web."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from pydantic import ValidationError

from nucleo import registro
from nucleo.bd import conectar
from nucleo.errores import ErrorConfiguracion
from nucleo.personas import administrar
from nucleo.personas.modelo import AltaUsuario, Rol, normalizar
from nucleo.reloj import reloj_del_sistema

USUARIO = "SOBRE_ADMIN_USUARIO"
CLAVE = "SOBRE_ADMIN_CLAVE"
MAQUINA = "máquina"
"""Who signs what is done from the command line: whoever can use the data folder."""


def primera_cuenta(datos: Path) -> str | None:
    """Open it if there is none, and what to tell about it; None when there was one.

    Raises ErrorConfiguracion or ErrorEntrada when the name or the password of the environment will not do.
    """
    with closing(conectar(registro.preparar(datos))) as con:
        return None if administrar.hay_cuentas(con) else _abrir(con)


def _abrir(con: sqlite3.Connection) -> str:
    nombre = normalizar(os.environ.get(USUARIO, "") or "admin")
    try:
        alta = AltaUsuario(usuario=nombre, nombre="Administración", rol=Rol.ADMIN)
    except ValidationError as error:
        raise ErrorConfiguracion(f"{USUARIO} no vale: {error.errors()[0]['msg']}.") from error
    clave = os.environ.get(CLAVE, "")
    if clave:
        administrar.crear(con, alta, clave, MAQUINA, reloj_del_sistema())
        return f"Primera cuenta: «{nombre}», con la contraseña de {CLAVE}."
    de_un_uso = administrar.invitar(con, alta, MAQUINA, reloj_del_sistema())
    return (
        f"Primera cuenta: «{nombre}», contraseña de un solo uso: {de_un_uso}\n"
        "Apúntala: no se vuelve a mostrar. Al entrar habrá que cambiarla; «sobre usuario clave» da otra."
    )
