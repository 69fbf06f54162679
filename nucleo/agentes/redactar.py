"""What of a call's arguments may be kept in the record: the shape and the plain values, no secrets, no people."""

from __future__ import annotations

import json
import re

from nucleo.agentes.tokens import FORMA

OCULTO = "***"
CADENA_MAX = 200
ELEMENTOS_MAX = 20
HONDURA_MAX = 5
TOTAL_MAX = 4000
"""Characters of the whole record of a call's arguments."""

_CLAVE_SECRETA = re.compile(
    r"token|clave|contrase|passw|secret|authori|api_?key|bearer|nonce|nif|dni|nie\b|iban|telefono|correo|e?mail",
    re.IGNORECASE,
)
_EN_TEXTO = (
    FORMA,
    re.compile(r"(?i)\bbearer\s+\S+"),
    re.compile(r"\b(?:[XYZxyz][-. ]?)?\d{1,2}\.?\d{3}\.?\d{3}[-. ]?[A-Za-z]\b"),  # DNI and NIE
    re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,63}"),
    re.compile(r"\b[A-Za-z]{2}\d{2}(?: ?\w{4}){4,7}\b"),  # IBAN
    re.compile(r"(?<!\d)(?:\+?34[ .-]?)?[6-9]\d{2}[ .-]?\d{3}[ .-]?\d{3}(?!\d)"),  # Spanish telephone
)


def redactar(argumentos: object) -> str:
    """JSON text of the arguments, cut and without what must not be kept. It takes anything, also hostile input."""
    try:
        texto = json.dumps(_limpiar(argumentos, HONDURA_MAX), ensure_ascii=True)
    except (ValueError, TypeError):
        return json.dumps("ilegible")
    return texto if len(texto) <= TOTAL_MAX else json.dumps(texto[: TOTAL_MAX // 2] + "…")


def redactar_del_todo(argumentos: object) -> str:
    """Only which arguments there were: for tools that handle personal data."""
    claves = argumentos.keys() if isinstance(argumentos, dict) else ()
    return redactar({str(clave)[:60]: OCULTO for clave in list(claves)[:ELEMENTOS_MAX]})


def _limpiar(valor: object, hondura: int) -> object:
    match valor:
        case dict() | list() | tuple() if hondura == 0:
            return "…"
        case dict():
            return _objeto(valor, hondura)
        case list() | tuple():
            limpios = [_limpiar(v, hondura - 1) for v in valor[:ELEMENTOS_MAX]]
            return [*limpios, f"… {len(valor)} en total"] if len(valor) > ELEMENTOS_MAX else limpios
        case str():
            return _texto(valor)
        case int() if abs(valor) > 10**30:
            return "entero enorme"
    return valor if isinstance(valor, int | float | None) else type(valor).__name__


def _objeto(valor: dict[object, object], hondura: int) -> dict[str, object]:
    pares = [(str(clave)[:60], dentro) for clave, dentro in list(valor.items())[:ELEMENTOS_MAX]]
    limpio = {_texto(clave): _valor(clave, dentro, hondura) for clave, dentro in pares}
    return limpio | ({"…": f"{len(valor)} claves"} if len(valor) > ELEMENTOS_MAX else {})


def _valor(clave: str, valor: object, hondura: int) -> object:
    return OCULTO if _CLAVE_SECRETA.search(clave) else _limpiar(valor, hondura - 1)


def _texto(texto: str) -> str:
    """Cut first (with room to see a whole secret that crosses the cut), so that a huge text costs nothing."""
    tapado = texto[: 2 * CADENA_MAX]
    for forma in _EN_TEXTO:
        tapado = forma.sub(OCULTO, tapado)
    return tapado if len(texto) <= CADENA_MAX else f"{tapado[:CADENA_MAX]}… ({len(texto)} caracteres)"
