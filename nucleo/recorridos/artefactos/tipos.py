"""The kinds of file that are kept, and whether some bytes are what they are said to be."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from io import BytesIO

from nucleo.recorridos.artefactos.limites import BYTES_MAX
from nucleo.recorridos.errores import ErrorRecorrido

OFFICE = "application/vnd.openxmlformats-officedocument"


def exigir_admitido(tipo_medio: str, contenido: bytes) -> None:
    """Raises ErrorRecorrido DEMASIADO_GRANDE or TIPO_NO_ADMITIDO (a kind not kept, or other than what it says)."""
    if len(contenido) > BYTES_MAX:
        raise ErrorRecorrido(
            "DEMASIADO_GRANDE", "El fichero pasa de 20 MiB: divídelo o deja solo lo necesario."
        )
    es_suyo = ADMITIDOS.get(tipo_medio)
    if es_suyo is None:
        raise ErrorRecorrido(
            "TIPO_NO_ADMITIDO",
            f"No se guardan ficheros «{tipo_medio[:100]}». Se guardan: {', '.join(ADMITIDOS)}.",
        )
    if not es_suyo(contenido):
        raise ErrorRecorrido(
            "TIPO_NO_ADMITIDO", f"El contenido no es de tipo «{tipo_medio}»: revisa el fichero."
        )


def _empieza(*firmas: bytes) -> Callable[[bytes], bool]:
    return lambda contenido: contenido.startswith(firmas)


def _es_texto(contenido: bytes) -> bool:
    try:
        return "\0" not in contenido.decode("utf-8")
    except UnicodeDecodeError:
        return False


def _es_json(contenido: bytes) -> bool:
    try:
        json.loads(contenido.decode("utf-8"))
    except (ValueError, RecursionError):
        return False
    return True


def _es_marcado(contenido: bytes) -> bool:
    return _es_texto(contenido) and contenido.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def _con_dentro(*partes: str) -> Callable[[bytes], bool]:
    """A zip whose directory names those parts; nothing of it is unpacked."""

    def comprobar(contenido: bytes) -> bool:
        try:
            with zipfile.ZipFile(BytesIO(contenido)) as paquete:
                return set(partes) <= set(paquete.namelist())
        except (zipfile.BadZipFile, ValueError, NotImplementedError):
            return False

    return comprobar


ADMITIDOS: Mapping[str, Callable[[bytes], bool]] = {
    "text/plain": _es_texto,
    "text/markdown": _es_texto,
    "text/csv": _es_texto,
    "text/html": _es_texto,
    "application/json": _es_json,
    "application/xml": _es_marcado,
    "image/svg+xml": _es_marcado,
    "image/png": _empieza(b"\x89PNG\r\n\x1a\n"),
    "image/jpeg": _empieza(b"\xff\xd8\xff"),
    "application/pdf": _empieza(b"%PDF-"),
    "application/zip": _con_dentro(),
    f"{OFFICE}.wordprocessingml.document": _con_dentro("[Content_Types].xml", "word/document.xml"),
    f"{OFFICE}.spreadsheetml.sheet": _con_dentro("[Content_Types].xml", "xl/workbook.xml"),
    f"{OFFICE}.presentationml.presentation": _con_dentro("[Content_Types].xml", "ppt/presentation.xml"),
}
"""Kind → its check. What is not here is not kept."""
