"""Keeping an answer under a size: first long texts are cut, then long lists, and the answer says what was cut."""

from __future__ import annotations

import json
from collections.abc import Iterator

TOPE = 48_000
"""Bytes of JSON (UTF-8) that an answer may have: some 12,000 tokens, what a model reads without losing the thread."""

_PASOS = ((4000, 200), (1500, 60), (600, 30), (300, 12), (120, 5), (60, 2), (30, 1))
"""(characters of a text, elements of a list): each step is tried when the one before was not enough."""
_AVISOS_MAX = 20


def en_json(valor: object) -> str:
    """Compact JSON, real accents; what cannot be UTF-8 is escaped."""
    texto = json.dumps(valor, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        texto.encode()
    except UnicodeEncodeError:
        return json.dumps(valor, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return texto


def octetos(texto: str) -> int:
    """Bytes on the wire."""
    return len(texto.encode())


def recortar(respuesta: dict[str, object], tope: int = TOPE) -> str:
    """The answer as JSON of at most `tope` bytes. What was cut is told in `recortado`: path, kept and total.

    An answer that no cut can bring under the size becomes an `ok: false` that says so.
    """
    texto = en_json(respuesta)
    if octetos(texto) <= tope:
        return texto
    for caracteres, elementos in _PASOS:
        avisos: list[str] = []
        menor = _cortar(respuesta, caracteres, elementos, "", avisos)
        assert isinstance(menor, dict)  # noqa: S101 - a dict is cut into a dict
        texto = en_json(menor | {"recortado": list(_unicos(avisos))})
        if octetos(texto) <= tope:
            return texto
    mensaje = "El resultado no cabe ni recortado: pide menos (otra página, otro apartado)."
    return en_json(
        {"ok": False, "codigo": "demasiado_grande", "errores": [{"campo": "", "mensaje": mensaje}]}
    )


def _cortar(valor: object, caracteres: int, elementos: int, donde: str, avisos: list[str]) -> object:
    match valor:
        case str() if len(valor) > caracteres:
            avisos.append(f"{donde}: {caracteres} de {len(valor)} caracteres")
            return valor[:caracteres] + "…"
        case list():
            if len(valor) > elementos:
                avisos.append(f"{donde}: {elementos} de {len(valor)} elementos")
            return [_cortar(v, caracteres, elementos, f"{donde}[]", avisos) for v in valor[:elementos]]
        case dict():
            dentro = f"{donde}." if donde else ""
            return {k: _cortar(v, caracteres, elementos, f"{dentro}{k}", avisos) for k, v in valor.items()}
        case _:
            return valor


def _unicos(avisos: list[str]) -> Iterator[str]:
    distintos = dict.fromkeys(avisos)
    yield from list(distintos)[:_AVISOS_MAX]
    if len(distintos) > _AVISOS_MAX:
        yield f"… y {len(distintos) - _AVISOS_MAX} más"
