"""The body of an answer, decoded piece by piece and never beyond its cap."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable, Iterator
from typing import BinaryIO, Protocol

from nucleo.errores import ErrorRed

_TROZO = 1 << 18
_GZIP = 16 + zlib.MAX_WBITS


class _Descompresor(Protocol):
    def trozos(self, datos: bytes) -> Iterator[bytes]:
        """Decoded bytes, never more than _TROZO at once."""

    def entero(self) -> bool:
        """Whether the stream came to its own end."""


class _Tal:
    def trozos(self, datos: bytes) -> Iterator[bytes]:
        yield datos

    def entero(self) -> bool:
        return True


class _Gzip:
    """One or more gzip members; expands at most _TROZO bytes at a time, whatever the ratio."""

    def __init__(self) -> None:
        self._objeto = zlib.decompressobj(_GZIP)
        self._empezado = False

    def trozos(self, datos: bytes) -> Iterator[bytes]:
        while datos:
            if self._objeto.eof:
                self._objeto = zlib.decompressobj(_GZIP)
            self._empezado = True
            yield self._objeto.decompress(datos, _TROZO)
            datos = self._objeto.unused_data if self._objeto.eof else self._objeto.unconsumed_tail

    def entero(self) -> bool:
        return self._objeto.eof or not self._empezado


async def volcar(crudo: AsyncIterable[bytes], codificacion: str, tope: int, salida: BinaryIO) -> None:
    """Write the decoded body to `salida`.

    Raises ErrorRed: `demasiado_grande` (decoded bytes beyond `tope`, worth no retry), `codificacion` (an encoding that
    was not asked for), `truncada` (the compressed stream is damaged or stops early).
    """
    descompresor = _elegir(codificacion)
    total = 0
    try:
        async for datos in crudo:
            for trozo in descompresor.trozos(datos):
                total += len(trozo)
                if total > tope:
                    raise ErrorRed(
                        f"La respuesta pasa del tamaño máximo ({tope // 2**20} MB): no se guarda.",
                        codigo="demasiado_grande",
                        reintentable=False,
                    )
                salida.write(trozo)
    except zlib.error as error:
        raise ErrorRed("La respuesta comprimida llegó dañada.", codigo="truncada") from error
    if not descompresor.entero():
        raise ErrorRed("La respuesta comprimida llegó cortada.", codigo="truncada")


def _elegir(codificacion: str) -> _Descompresor:
    match codificacion.strip().lower():
        case "" | "identity":
            return _Tal()
        case "gzip" | "x-gzip":
            return _Gzip()
    raise ErrorRed(
        "La respuesta viene en una codificación que no se pidió.", codigo="codificacion", reintentable=False
    )
