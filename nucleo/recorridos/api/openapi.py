"""The API described as OpenAPI 3.1, from its own routes and models."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pydantic.json_schema import models_json_schema

from nucleo.modelo import Modelo
from nucleo.recorridos.api.despacho import Ruta
from nucleo.recorridos.api.formas import FORMAS, Forma
from nucleo.recorridos.api.mensajes import Negativa

_REFERENCIA = "#/components/schemas/{model}"


def documento(rutas: Iterable[Ruta]) -> dict[str, Any]:
    """A JSON document; models as they are read, which is also how they are written."""
    descritas = [(ruta, FORMAS[ruta.atender]) for ruta in rutas if ruta.atender in FORMAS]
    modelos: dict[type[Modelo], None] = {Negativa: None}
    for _, forma in descritas:
        modelos |= {m: None for m in (forma.da, forma.consulta, forma.pide) if m is not None}
    raices, definiciones = models_json_schema([(m, "validation") for m in modelos], ref_template=_REFERENCIA)
    esquemas = {m: raices[m, "validation"] for m in modelos}
    caminos: dict[str, dict[str, Any]] = {}
    for ruta, forma in descritas:
        caminos.setdefault(ruta.patron, {})[ruta.metodo.lower()] = _operacion(
            ruta, forma, esquemas, definiciones["$defs"]
        )
    return {
        "openapi": "3.1.0",
        "info": {"title": "Sobre Abierto: recorridos", "version": "1"},
        "paths": caminos,
        "components": {
            "schemas": definiciones["$defs"],
            "securitySchemes": {"portador": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"portador": []}],
    }


def _operacion(
    ruta: Ruta, forma: Forma, esquemas: dict[type[Modelo], Any], definiciones: dict[str, Any]
) -> dict[str, Any]:
    de_la_ruta = [
        {"name": nombre, "in": "path", "required": True, "schema": {"type": "string"}}
        for nombre in re.findall(r"\{(\w+)\}", ruta.patron)
    ]
    consulta = definiciones[esquemas[forma.consulta]["$ref"].rpartition("/")[2]]
    de_la_consulta = [
        # Several values of one go with commas.
        {
            "name": n,
            "in": "query",
            "required": n in consulta.get("required", ()),
            "schema": e,
            "explode": False,
        }
        for n, e in consulta.get("properties", {}).items()
    ]
    dado = {"application/json": {"schema": esquemas[forma.da]}} if forma.da else {"*/*": {}}
    operacion: dict[str, Any] = {
        "summary": ruta.resumen,
        "description": f"Permiso: {ruta.permiso}.",
        "parameters": de_la_ruta + de_la_consulta,
        "responses": {
            "2XX": {"description": "Hecho.", "content": dado},
            "default": {
                "description": "Negado: no ha cambiado nada.",
                "content": {"application/json": {"schema": esquemas[Negativa]}},
            },
        },
    }
    if ruta.cuerpo_max:
        cuerpo = {"application/json": {"schema": esquemas[forma.pide]}} if forma.pide else {"*/*": {}}
        operacion["requestBody"] = {"required": True, "content": cuerpo}
    return operacion
