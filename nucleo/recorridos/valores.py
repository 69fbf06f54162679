"""What a value of a port is: exact types, comparisons without surprises, one written form and its fingerprint."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from hashlib import sha256
from typing import Any

from pydantic import JsonValue, ValidationError

from nucleo.modelo import Modelo
from nucleo.recorridos.plan import Operador, Puerto, Tipo

SALIDAS_MAXIMO = 32 * 1024
"""Bytes of all the outputs of one step, in canonical form: documents are artefacts, not outputs."""
CONTEXTO_MAXIMO = 64 * 1024

IMPORTE = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,6})?")
FECHA = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
ARTEFACTO = re.compile(r"art_[0-9A-Za-z]{26}")

Esquemas = Mapping[str, type[Modelo]]


def canonico(valor: Any) -> str:
    """The one JSON text of a value: sorted keys, no spaces. Raises ValueError for NaN and infinities."""
    return json.dumps(valor, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def huella(valor: Any) -> str:
    """Hexadecimal sha256 of the canonical form: the order of keys does not count."""
    return sha256(canonico(valor).encode()).hexdigest()


def tamano(valor: Any) -> int:
    """Bytes of the canonical form."""
    return len(canonico(valor).encode())


def problema_de(puerto: Puerto, valor: JsonValue, esquemas: Esquemas) -> str | None:
    """Why the value is not one of that port, in Spanish without final stop; None when it is."""
    if not _DE_TIPO[puerto.tipo](valor):
        return f"«{puerto.nombre}» tiene que ser {_SE_ESPERA[puerto.tipo]}"
    if puerto.tipo is Tipo.OPCION and valor not in puerto.opciones:
        return f"«{puerto.nombre}» tiene que ser una de: {', '.join(puerto.opciones)}"
    if puerto.esquema is not None:
        return _problema_de_esquema(puerto, valor, esquemas)
    return None


def igual(a: JsonValue, b: JsonValue) -> bool:
    """Equality of JSON: True is not 1 and "1" is not 1, at any depth; 1 and 1.0 are the same number."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a == b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(igual, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(igual(v, b[k]) for k, v in a.items())
    return type(a) is type(b) and a == b


def mismo(a: Modelo, b: Modelo) -> bool:
    """Whether two models are written the same: for `==`, True is 1 at any depth."""
    return a == b and a.model_dump_json() == b.model_dump_json()


def compara(tipo: Tipo, operador: Operador, valor: JsonValue, con: JsonValue) -> bool:
    """The comparison of a gate; both sides are already of that type (`con`, for `en`, a list of it)."""
    match operador:
        case Operador.EXISTE:
            return True
        case Operador.EN:
            return isinstance(con, list) and any(_iguales(tipo, valor, uno) for uno in con)
        case Operador.IGUAL:
            return _iguales(tipo, valor, con)
        case Operador.DISTINTO:
            return not _iguales(tipo, valor, con)
        case Operador.MAYOR:
            return bool(_medida(tipo, valor) > _medida(tipo, con))
        case Operador.MENOR:
            return bool(_medida(tipo, valor) < _medida(tipo, con))


def _iguales(tipo: Tipo, a: JsonValue, b: JsonValue) -> bool:
    if tipo is Tipo.IMPORTE:
        return Decimal(str(a)) == Decimal(str(b))
    return igual(a, b)


def _medida(tipo: Tipo, valor: JsonValue) -> Any:
    if tipo is Tipo.IMPORTE:
        return Decimal(str(valor))
    if tipo is Tipo.FECHA:
        return date.fromisoformat(str(valor))
    return valor


def _es_entero(valor: JsonValue) -> bool:
    return isinstance(valor, int) and not isinstance(valor, bool)


def _es_numero(valor: JsonValue) -> bool:
    return isinstance(valor, int | float) and not isinstance(valor, bool)


def _es_fecha(valor: JsonValue) -> bool:
    if not isinstance(valor, str) or not FECHA.fullmatch(valor):
        return False
    try:
        date.fromisoformat(valor)
    except ValueError:
        return False
    return True


_DE_TIPO: dict[Tipo, Callable[[JsonValue], bool]] = {
    Tipo.TEXTO: lambda v: isinstance(v, str),
    Tipo.NUMERO: _es_numero,
    Tipo.ENTERO: _es_entero,
    Tipo.BOOLEANO: lambda v: isinstance(v, bool),
    Tipo.OBJETO: lambda v: isinstance(v, dict),
    Tipo.LISTA: lambda v: isinstance(v, list),
    Tipo.OPCION: lambda v: isinstance(v, str),
    Tipo.FECHA: _es_fecha,
    Tipo.IMPORTE: lambda v: isinstance(v, str) and IMPORTE.fullmatch(v) is not None,
    Tipo.ARTEFACTO: lambda v: isinstance(v, str) and ARTEFACTO.fullmatch(v) is not None,
}

_SE_ESPERA = {
    Tipo.TEXTO: "un texto",
    Tipo.NUMERO: "un número finito",
    Tipo.ENTERO: "un número entero",
    Tipo.BOOLEANO: "verdadero o falso",
    Tipo.OBJETO: "un objeto",
    Tipo.LISTA: "una lista",
    Tipo.OPCION: "el texto de una de sus opciones",
    Tipo.FECHA: "una fecha AAAA-MM-DD",
    Tipo.IMPORTE: 'un importe como texto con punto decimal ("1234.50")',
    Tipo.ARTEFACTO: "el identificador de un artefacto (art_…)",
}


def _problema_de_esquema(puerto: Puerto, valor: JsonValue, esquemas: Esquemas) -> str | None:
    modelo = esquemas.get(puerto.esquema or "")
    if modelo is None:
        return f"«{puerto.nombre}» usa el esquema «{puerto.esquema}», que no está en esta instalación"
    for numero, uno in enumerate(valor if isinstance(valor, list) else [valor], start=1):
        try:
            modelo.model_validate_json(canonico(uno))
        except ValidationError as error:
            detalle = error.errors(include_url=False, include_context=False, include_input=False)[0]
            donde = ".".join(map(str, detalle["loc"])) or "el conjunto"
            cual = f" (elemento {numero})" if isinstance(valor, list) else ""
            return f"«{puerto.nombre}»{cual} no cumple «{puerto.esquema}» en {donde}: {detalle['type']}"
    return None
