"""From loose arguments to a strict model, or to a list of errors in Spanish that an agent can act on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from nucleo.agentes.herramientas import ErrorCampo
from nucleo.modelo import Modelo

A = TypeVar("A", bound=Modelo)
ERRORES_MAX = 20
INCONTABLES = 1000
"""Errors beyond which none is told apart: writing each one down takes longer than finding them all."""
_CAMPO_MAX = 80
_ENVUELTO = "payload"

_FRASES = {
    "missing": "falta",
    "extra_forbidden": "este campo no existe",
    "string_type": "tiene que ser un texto",
    "string_too_short": "como mínimo, {min_length} caracteres",
    "string_too_long": "como máximo, {max_length} caracteres",
    "string_pattern_mismatch": "no tiene la forma debida ({pattern})",
    "int_type": "tiene que ser un número entero",
    "int_from_float": "tiene que ser un número entero",
    "int_parsing_size": "es un número demasiado grande",
    "float_type": "tiene que ser un número",
    "finite_number": "tiene que ser un número finito",
    "bool_type": "tiene que ser true o false",
    "list_type": "tiene que ser una lista",
    "tuple_type": "tiene que ser una lista",
    "set_type": "tiene que ser una lista",
    "frozen_set_type": "tiene que ser una lista",
    "dict_type": "tiene que ser un objeto",
    "model_type": "tiene que ser un objeto",
    "model_attributes_type": "tiene que ser un objeto",
    "none_required": "tiene que ser null",
    "too_long": "como máximo, {max_length} elementos",
    "too_short": "como mínimo, {min_length} elementos",
    "literal_error": "tiene que ser uno de: {expected}",
    "enum": "tiene que ser uno de: {expected}",
    "greater_than": "tiene que ser mayor que {gt}",
    "greater_than_equal": "como mínimo, {ge}",
    "less_than": "tiene que ser menor que {lt}",
    "less_than_equal": "como máximo, {le}",
    "decimal_type": "tiene que ser un número, mejor como texto («1234.56»)",
    "decimal_parsing": "tiene que ser un número («1234.56»)",
    "datetime_type": "tiene que ser fecha y hora ISO con zona",
    "datetime_parsing": "tiene que ser fecha y hora ISO con zona",
    "datetime_from_date_parsing": "tiene que ser fecha y hora ISO con zona",
    "timezone_aware": "le falta la zona horaria",
    "date_type": "tiene que ser una fecha (aaaa-mm-dd)",
    "date_parsing": "tiene que ser una fecha (aaaa-mm-dd)",
    "date_from_datetime_parsing": "tiene que ser una fecha (aaaa-mm-dd)",
    "value_error": "{error}",
    "json_invalid": "tiene caracteres que no son texto válido",
}


def validar(modelo: type[A], argumentos: object) -> A | tuple[ErrorCampo, ...]:
    """The model, or what is wrong with each field. It takes whatever came; the values are never told back.

    Arguments wrapped in a single `payload` object are taken as well: some clients can only send them so.
    """
    sueltos = _desenvolver(modelo, {} if argumentos is None else argumentos)
    try:
        # Through JSON text: strict mode then takes a list for a tuple and a text for an instant, and nothing looser.
        return modelo.model_validate_json(json.dumps(sueltos))
    except ValidationError as error:
        if error.error_count() > INCONTABLES:
            return (
                ErrorCampo(campo="", mensaje=f"hay {error.error_count()} errores: manda menos elementos"),
            )
        return tuple(_error(e) for e in error.errors(include_url=False, include_input=False)[:ERRORES_MAX])
    except (RecursionError, ValueError, TypeError):
        return (ErrorCampo(campo="", mensaje="los argumentos están demasiado anidados o no son JSON"),)


def _desenvolver(modelo: type[Modelo], argumentos: object) -> object:
    solo_envuelto = isinstance(argumentos, Mapping) and list(argumentos) == [_ENVUELTO]
    if isinstance(argumentos, Mapping) and solo_envuelto and _ENVUELTO not in modelo.model_fields:
        return argumentos[_ENVUELTO]
    return argumentos


def _error(detalle: ErrorDetails) -> ErrorCampo:
    campo = ".".join(str(parte) for parte in detalle["loc"])
    frase = _FRASES.get(detalle["type"], "no tiene la forma debida")
    contexto = dict(detalle.get("ctx", {}))
    if "expected" in contexto:
        contexto["expected"] = str(contexto["expected"]).replace(" or ", " o ")
    return ErrorCampo(
        campo=campo[:_CAMPO_MAX].encode("utf-8", "replace").decode(), mensaje=frase.format_map(contexto)
    )
