"""Arguments drawn from a tool's own JSON Schema: right ones, and right ones with something wrong in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from tests.agentes.test_validar import JSON

Esquema = Mapping[str, Any]
LARGO_SIN_TOPE = 40


def buenos(esquema: Esquema, definiciones: Esquema | None = None) -> st.SearchStrategy[Any]:
    """What the schema takes, as far as JSON Schema says; patterns of texts are drawn from as well."""
    definiciones = esquema.get("$defs", {}) if definiciones is None else definiciones
    if "$ref" in esquema:
        return buenos(definiciones[esquema["$ref"].rsplit("/", 1)[-1]], definiciones)
    for varias in ("anyOf", "oneOf"):
        if varias in esquema:
            return st.one_of(*(buenos(opcion, definiciones) for opcion in esquema[varias]))
    if "enum" in esquema:
        return st.sampled_from(esquema["enum"])
    if "const" in esquema:
        return st.just(esquema["const"])
    if "type" not in esquema:
        return JSON
    return _DE_TIPO[esquema["type"]](esquema, definiciones)


def casi_buenos(esquema: Esquema) -> st.SearchStrategy[Any]:
    """The same with one field changed for anything, taken out, or one too many; or anything at all."""

    def estropear(argumentos: dict[str, Any]) -> st.SearchStrategy[Any]:
        nombre = st.sampled_from([*esquema.get("properties", {}), "sobra"])
        cambiado = st.builds(lambda clave, valor: argumentos | {clave: valor}, nombre, JSON)
        sin_uno = nombre.map(lambda clave: {c: v for c, v in argumentos.items() if c != clave})
        return cambiado | sin_uno | st.just({"payload": argumentos})

    return buenos(esquema).flatmap(estropear) | JSON


def _objeto(esquema: Esquema, definiciones: Esquema) -> st.SearchStrategy[Any]:
    if isinstance(libres := esquema.get("additionalProperties"), dict):
        return st.dictionaries(st.text(max_size=8), buenos(libres, definiciones), max_size=3)
    campos = {n: buenos(campo, definiciones) for n, campo in esquema.get("properties", {}).items()}
    obligados = {n: campos[n] for n in esquema.get("required", [])}
    return st.fixed_dictionaries(obligados, optional={n: c for n, c in campos.items() if n not in obligados})


def _lista(esquema: Esquema, definiciones: Esquema) -> st.SearchStrategy[Any]:
    maximo = min(esquema.get("maxItems", 4), 4)
    return st.lists(
        buenos(esquema["items"], definiciones), min_size=esquema.get("minItems", 0), max_size=maximo
    )


def _texto(esquema: Esquema, _: Esquema) -> st.SearchStrategy[str]:
    minimo, maximo = esquema.get("minLength", 0), esquema.get("maxLength")
    if "pattern" in esquema:
        forma = st.from_regex(str(esquema["pattern"]), fullmatch=True)
        return forma.filter(lambda t: len(t) >= minimo and (maximo is None or len(t) <= maximo))
    techo = max(minimo, LARGO_SIN_TOPE if maximo is None else min(maximo, LARGO_SIN_TOPE))
    return st.text(min_size=minimo, max_size=techo)


_DE_TIPO: Mapping[str, Callable[[Esquema, Esquema], st.SearchStrategy[Any]]] = {
    "object": _objeto,
    "array": _lista,
    "string": _texto,
    "integer": lambda e, _: st.integers(e.get("minimum"), e.get("maximum")),
    "number": lambda e, _: st.floats(e.get("minimum"), e.get("maximum"), allow_nan=False),
    "boolean": lambda _, __: st.booleans(),
    "null": lambda _, __: st.none(),
}
