"""The local key: what tells that a request comes from the person at this machine. It stays in the data folder."""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

from nucleo.errores import ErrorConfiguracion

FICHERO = "llave-local"
PREFIJO = "sobre-local_"
"""Unlike an agent's token, so that one is never looked up as the other."""
_FORMA = re.compile(rf"{PREFIJO}[A-Za-z0-9_-]{{43}}")


def leer(datos: Path) -> str | None:
    """The key, None when there is none yet. Raises ErrorConfiguracion when others may read it or it is damaged."""
    fichero = datos / FICHERO
    try:
        descriptor = os.open(fichero, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _inservible(fichero, "no se puede leer") from error
    with os.fdopen(descriptor, encoding="ascii", errors="replace") as abierto:
        estado = os.fstat(abierto.fileno())
        if estado.st_mode & 0o077 or estado.st_uid != os.geteuid():
            raise _inservible(fichero, "la pueden leer otros usuarios o no es tuya")
        llave = abierto.read(200).strip()
    if not _FORMA.fullmatch(llave):
        raise _inservible(fichero, "no contiene una llave")
    return llave


def leer_o_crear(datos: Path) -> str:
    """The key, made now if need be: whole and readable only by its owner from the first instant. Raises as `leer`."""
    llave = leer(datos)
    if llave is not None:
        return llave
    nueva = datos / f".{FICHERO}.{secrets.token_hex(8)}"
    try:
        descriptor = os.open(nueva, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as abierto:
            abierto.write(PREFIJO + secrets.token_urlsafe(32) + "\n")
            abierto.flush()
            os.fsync(abierto.fileno())
        with suppress(FileExistsError):  # another process was quicker: theirs is the one
            os.link(nueva, datos / FICHERO)
    except OSError as error:
        raise _inservible(datos / FICHERO, "no se puede crear") from error
    finally:
        nueva.unlink(missing_ok=True)
    creada = leer(datos)
    if creada is None:
        raise _inservible(datos / FICHERO, "ha desaparecido mientras se creaba")
    return creada


def _inservible(fichero: Path, motivo: str) -> ErrorConfiguracion:
    return ErrorConfiguracion(
        f"La llave de esta máquina ({fichero}) {motivo}: bórrala y se hará otra, solo para ti."
    )
