"""Files of the syndication taken apart into pages: an Atom page, plain or gzip, or a ZIP of pages."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO, NamedTuple

from nucleo.errores import ErrorEntrada

TAMANO_MAXIMO = 128 * 1024 * 1024
"""Bytes of one page, decompressed. Real ones reach 20 MB; a bigger one is a mistake or an attack."""


ZIP_ROTO = "zip_roto"
"""Code of the error of a ZIP that cannot be opened at all."""


class Unidad(NamedTuple):
    """One page to be read: a file, or the member of a ZIP by its position. Light: it travels between processes."""

    fichero: Path
    miembro: int | None
    origen: str  # what people see: "file" or "file.zip!member"

    @property
    def nivel(self) -> str:
        """As the quarantine says it."""
        return "pagina" if self.miembro is None else "miembro"


def unidades_de(fichero: Path) -> Iterator[Unidad]:
    """The pages of a file; its kind is told by its first bytes, never by its name.

    Of a ZIP, every member but folders, in or out of the chain: names decide nothing.
    Raises ErrorEntrada when the file does not exist or the ZIP is not whole.
    """
    if _magia(fichero) != b"PK":
        yield Unidad(fichero, None, fichero.name)
        return
    for numero, miembro in enumerate(_archivo(fichero, fichero.stat().st_mtime_ns).infolist()):
        if not miembro.is_dir() and miembro.file_size > 0:
            yield Unidad(fichero, numero, f"{fichero.name}!{miembro.filename}")


def leer_unidad(unidad: Unidad) -> bytes:
    """The bytes of a page. Raises ErrorEntrada when they cannot be decompressed or are too many."""
    try:
        with _abrir(unidad) as flujo:
            cuerpo = flujo.read(TAMANO_MAXIMO + 1)
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise ErrorEntrada(
            f"{unidad.origen} no se puede descomprimir: {error}.", codigo="miembro_roto"
        ) from error
    if len(cuerpo) > TAMANO_MAXIMO:
        raise ErrorEntrada(
            f"{unidad.origen} pasa de {TAMANO_MAXIMO // 1024**2} MB descomprimido: no es una página de PLACSP.",
            codigo="demasiado_grande",
        )
    return cuerpo


def _abrir(unidad: Unidad) -> IO[bytes] | gzip.GzipFile:
    if unidad.miembro is not None:
        archivo = _archivo(unidad.fichero, unidad.fichero.stat().st_mtime_ns)
        return archivo.open(archivo.infolist()[unidad.miembro])
    if _magia(unidad.fichero) == b"\x1f\x8b":
        return gzip.GzipFile(unidad.fichero)
    return unidad.fichero.open("rb")


def _magia(fichero: Path) -> bytes:
    try:
        with fichero.open("rb") as flujo:
            return flujo.read(2)
    except OSError as error:
        raise ErrorEntrada(
            f"No se puede leer {fichero} ({error.strerror}): revisa la ruta.", codigo="fichero_ilegible"
        ) from error


@lru_cache(maxsize=2)
def _archivo(fichero: Path, version: int) -> zipfile.ZipFile:
    """An open ZIP, kept: reading the directory of a yearly one for each of its members would cost more than they."""
    try:
        return zipfile.ZipFile(fichero)
    except (zipfile.BadZipFile, OSError) as error:
        raise ErrorEntrada(
            f"{fichero.name} no es un ZIP completo: vuelve a descargarlo.", codigo=ZIP_ROTO
        ) from error
