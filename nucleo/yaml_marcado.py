"""YAML that remembers the line of everything, and takes every scalar as the text a person wrote.

Text, because YAML's own guesses betray here: 03100000 would be an octal number and 15.000 fifteen.
"""

from __future__ import annotations

from typing import NamedTuple

import yaml

Lugar = tuple[str | int, ...]
"""Keys and positions from the root down to a value, as pydantic reports them."""

PROFUNDIDAD_MAXIMA = 10
_SIN_FONDO = 100
"""Levels at which reading stops, long before Python's own limit."""

_TIPOS = ("str", "int", "float", "bool", "null", "timestamp", "map", "seq")
_CORRIENTES = frozenset(f"tag:yaml.org,2002:{tipo}" for tipo in _TIPOS)
"""What YAML takes a plain value for; any other tag was asked for by hand."""


class YamlNoValido(Exception):
    """`linea` counts from 1; `campo` is where, "" for the whole document."""

    def __init__(self, linea: int, campo: str, mensaje: str) -> None:
        super().__init__(mensaje)
        self.linea, self.campo, self.mensaje = linea, campo, mensaje


class Marcado(NamedTuple):
    """The document as dicts, lists and text (empty values are left out), and the line of each place."""

    datos: dict[str, object]
    lineas: dict[Lugar, int]


def leer_yaml(texto: str) -> Marcado:
    """Raises YamlNoValido for bad syntax, duplicate keys, references, tags, or a root that is no mapping."""
    try:
        raiz = yaml.compose(texto, Loader=_SinReferencias)
    except yaml.MarkedYAMLError as error:
        linea = error.problem_mark.line + 1 if error.problem_mark else 1
        raise YamlNoValido(
            linea, "", "no se entiende: revisa los dos puntos, los guiones y la sangría"
        ) from error
    except yaml.YAMLError as error:
        raise YamlNoValido(1, "", "no se entiende: contiene caracteres que YAML no admite") from error
    if raiz is None:
        return Marcado({}, {})
    if not isinstance(raiz, yaml.MappingNode):
        raise YamlNoValido(_linea(raiz), "", "debe ser una lista de campos «nombre: valor»")
    lineas: dict[Lugar, int] = {}
    return Marcado(_mapa(raiz, (), lineas), lineas)


class _SinReferencias(yaml.SafeLoader):
    """Refuses `*alias` (a profile needs none, and nested ones can grow without end) and levels without end."""

    _nivel = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            evento = self.peek_event()  # type: ignore[no-untyped-call]
            linea = evento.start_mark.line + 1
            raise YamlNoValido(
                linea, "", "un asterisco suelto es una referencia: escribe el valor entre comillas"
            )
        if self._nivel >= _SIN_FONDO:
            raise YamlNoValido(self.peek_event().start_mark.line + 1, "", _DEMASIADOS)  # type: ignore[no-untyped-call]
        self._nivel += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._nivel -= 1


_DEMASIADOS = "tiene demasiados niveles"


def _mapa(nodo: yaml.MappingNode, lugar: Lugar, lineas: dict[Lugar, int]) -> dict[str, object]:
    datos: dict[str, object] = {}
    vistas: set[str] = set()
    for clave, valor in nodo.value:
        nombre = _texto(clave, lugar)
        aqui = (*lugar, nombre)
        if nombre in vistas:
            raise YamlNoValido(_linea(clave), campo(aqui), "está repetido: junta los dos en uno")
        vistas.add(nombre)
        lineas[aqui] = _linea(clave)
        convertido = _valor(valor, aqui, lineas)
        if convertido is not None:
            datos[nombre] = convertido
    return datos


def _valor(nodo: yaml.Node, lugar: Lugar, lineas: dict[Lugar, int]) -> object:
    if len(lugar) > PROFUNDIDAD_MAXIMA:
        raise YamlNoValido(_linea(nodo), campo(lugar), _DEMASIADOS)
    if nodo.tag not in _CORRIENTES:
        raise _forma_rara(nodo, lugar)
    if isinstance(nodo, yaml.MappingNode):
        return _mapa(nodo, lugar, lineas)
    if isinstance(nodo, yaml.SequenceNode):
        elementos: list[object] = []
        for elemento in nodo.value:
            aqui = (*lugar, len(elementos))
            lineas[aqui] = _linea(elemento)
            convertido = _valor(elemento, aqui, lineas)
            if convertido is not None:
                elementos.append(convertido)
        return elementos
    if nodo.tag == "tag:yaml.org,2002:null":
        return None
    return _texto(nodo, lugar)


def _texto(nodo: yaml.Node, lugar: Lugar) -> str:
    if not isinstance(nodo, yaml.ScalarNode) or nodo.tag not in _CORRIENTES:
        raise _forma_rara(nodo, lugar)
    return str(nodo.value)


def _forma_rara(nodo: yaml.Node, lugar: Lugar) -> YamlNoValido:
    return YamlNoValido(_linea(nodo), campo(lugar), "no admite esa forma: escribe un texto sencillo")


def _linea(nodo: yaml.Node) -> int:
    return int(nodo.start_mark.line) + 1


def campo(lugar: Lugar) -> str:
    """cpv, incluir, 2 → "cpv.incluir[3]": positions count from 1 for people."""
    nombre = ""
    for pieza in lugar:
        nombre += f"[{pieza + 1}]" if isinstance(pieza, int) else f".{pieza}" if nombre else pieza
    return nombre
