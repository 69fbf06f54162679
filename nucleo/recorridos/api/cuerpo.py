"""From bytes or text to models, once and strictly: what two readers could take differently is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar, get_origin

from pydantic import ValidationError

from nucleo.agentes.validar import validar
from nucleo.modelo import Modelo
from nucleo.recorridos.api.mensajes import CUERPO_MAX, JSON, Peticion
from nucleo.recorridos.errores import ErrorRecorrido, PlanInvalido, Problema
from nucleo.recorridos.llano import es_llano

M = TypeVar("M", bound=Modelo)
HONDURA_MAX = 64
"""Nesting of a whole body: a plan around values of the depth that these may have."""


class CuerpoInvalido(ErrorRecorrido):
    """The body is not the command that it should be, with everything wrong in it."""

    def __init__(self, mensaje: str, problemas: tuple[Problema, ...] = ()) -> None:
        super().__init__("COMANDO_INVALIDO", mensaje)
        self.problemas = problemas


def leer_cuerpo(peticion: Peticion, modelo: type[M]) -> M:
    """The model that the body holds.

    Raises ErrorRecorrido: TIPO_NO_ADMITIDO, DEMASIADO_GRANDE, COMANDO_INVALIDO, or PLAN_INVALIDO when all that is
    wrong is in its plan.
    """
    if peticion.tipo.partition(";")[0].strip().lower() not in {"", JSON}:
        raise ErrorRecorrido("TIPO_NO_ADMITIDO", "El cuerpo tiene que ser application/json.")
    if len(peticion.cuerpo) > CUERPO_MAX:
        raise ErrorRecorrido("DEMASIADO_GRANDE", f"El cuerpo pasa de {CUERPO_MAX // 1024} KiB.")
    return a_modelo(modelo, leer_json(peticion.cuerpo))


def a_modelo(modelo: type[M], documento: object) -> M:
    """The same for a document that is already JSON. Raises as `leer_cuerpo`."""
    validado = validar(modelo, documento)
    if not isinstance(validado, tuple):
        return validado
    # A list with wrong elements is also told to have too few.
    errores = [e for e in validado if not any(otro.campo.startswith(f"{e.campo}.") for otro in validado)]
    problemas = tuple(
        Problema(
            paso=_paso_de(documento, e.campo), mensaje=f"{e.campo}: {e.mensaje}" if e.campo else e.mensaje
        )
        for e in errores
    )
    if all(e.campo.startswith("plan.") for e in errores):
        raise PlanInvalido(problemas)
    raise CuerpoInvalido("; ".join(p.mensaje for p in problemas), problemas)


def leer_consulta(modelo: type[M], consulta: Mapping[str, str]) -> M:
    """The model of the query's parameters; several values of one go with commas. Raises ErrorRecorrido."""
    valores = {c: v.split(",") if _es_lista(modelo, c) else v for c, v in consulta.items()}
    try:
        return modelo.model_validate(valores, strict=False)
    except ValidationError as error:
        campos = dict.fromkeys(str(e["loc"][0]) if e["loc"] else "consulta" for e in error.errors())
        mensaje = f"En la dirección no vale: {', '.join(campos)}."
        raise CuerpoInvalido(mensaje.encode("utf-8", "replace").decode()) from error


def _es_lista(modelo: type[Modelo], campo: str) -> bool:
    declarado = modelo.model_fields.get(campo)
    return declarado is not None and get_origin(declarado.annotation) is tuple


def leer_json(octetos: bytes) -> object:
    """The document. Raises ErrorRecorrido COMANDO_INVALIDO: not JSON, repeated keys, NaN, broken text, too deep."""
    try:
        documento = json.loads(octetos.decode(), object_pairs_hook=_sin_repetidas, parse_constant=_constante)
    except (ValueError, RecursionError) as error:
        raise CuerpoInvalido("El cuerpo no es JSON, o repite claves, o es demasiado hondo.") from error
    if not isinstance(documento, dict) or not es_llano(documento, HONDURA_MAX):
        raise CuerpoInvalido(
            "El cuerpo tiene que ser un objeto JSON con números exactos y texto completo, sin anidar de más."
        )
    return documento


def _sin_repetidas(pares: list[tuple[str, Any]]) -> dict[str, Any]:
    objeto = dict(pares)
    if len(objeto) != len(pares):
        raise ValueError("clave repetida")
    return objeto


def _constante(nombre: str) -> NoReturn:
    raise ValueError(nombre)


def _paso_de(documento: object, campo: str) -> str | None:
    """The step that a path like `plan.pasos.3.titulo` is in, when it says its name."""
    partes = campo.split(".")
    if partes[:2] != ["plan", "pasos"] or len(partes) < 3 or not partes[2].isdecimal():
        return None
    nodo: Any = documento
    try:
        nombre = nodo["plan"]["pasos"][int(partes[2])]["id"]
    except (KeyError, IndexError, TypeError):
        return None
    return nombre if isinstance(nombre, str) else None
