"""The bytes on disk: a file named by its fingerprint is whole and never changes; equal contents share it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

from nucleo.reloj import a_micros

HUERFANO = timedelta(hours=24)
"""A file that no row names is left for this long: somebody may be about to write the row."""
_A_MEDIAS = "a-medias-"


def huella_de(contenido: bytes) -> str:
    """Hexadecimal sha256."""
    return sha256(contenido).hexdigest()


def guardar(carpeta: Path, contenido: bytes, ahora: datetime) -> str:
    """Have the bytes on disk under their fingerprint, which it returns. `carpeta` is created.

    Its date is set to `ahora` even if it was there, so that it is not swept before its row is written.
    """
    huella = huella_de(contenido)
    destino = ruta(carpeta, huella)
    if not destino.is_file():
        _escribir(destino, contenido)
    instante = a_micros(ahora) * 1000
    os.utime(destino, ns=(instante, instante))
    return huella


def ruta(carpeta: Path, huella: str) -> Path:
    """Where the bytes of that fingerprint are."""
    return carpeta / huella[:2] / huella


def viejos(carpeta: Path, ahora: datetime) -> Iterator[Path]:
    """Files old enough to be swept if no row names them."""
    for fichero in sorted(carpeta.glob("??/*")):
        if es_viejo(fichero, ahora):
            yield fichero


def es_viejo(fichero: Path, ahora: datetime) -> bool:
    """Whether a day has passed since it was last given to be kept."""
    try:
        return fichero.stat().st_mtime_ns <= a_micros(ahora - HUERFANO) * 1000
    except FileNotFoundError:
        return False


def _escribir(destino: Path, contenido: bytes) -> None:
    """Whole or not at all, and on disk before it has its name."""
    destino.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    a_medias = destino.with_name(f"{_A_MEDIAS}{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(a_medias, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as fichero:
            fichero.write(contenido)
            fichero.flush()
            os.fsync(fichero.fileno())
        a_medias.rename(destino)
    except OSError:
        a_medias.unlink(missing_ok=True)
        raise
    _asegurar(destino.parent)
    _asegurar(destino.parent.parent)


def _asegurar(carpeta: Path) -> None:
    """The name is on disk too."""
    descriptor = os.open(carpeta, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
