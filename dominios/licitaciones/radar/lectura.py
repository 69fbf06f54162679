"""One walk over an entry, led by a table: tag → what to do with it. What the table does not name is not visited.

Reading each of some 120 fields with a search of its own costs nine times the parsing; one walk, about as much.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from lxml import etree

Datos: TypeAlias = "dict[str, object]"
"""Raw values on their way to a model, which validates them; a field that is left out keeps its default."""
Interior: TypeAlias = "tuple[Tabla, Datos] | None"
"""How what is inside an element is read, and where to; None when nothing inside is of interest."""
Regla: TypeAlias = "Callable[[etree._Element, Datos], Interior]"
Tabla: TypeAlias = "dict[str, Regla]"
"""Qualified tag of a child → its rule."""

_NADA: tuple[Tabla, Datos] = ({}, {})


def leer(elemento: etree._Element, tabla: Tabla, datos: Datos) -> None:
    """Apply the table to what `elemento` holds, in document order.

    One iteration over all its descendants, going down and up with their parents: an iterator per element, which is
    how a recursive walk reads, costs half as much again.
    """
    interior: Interior = (tabla, datos)
    anterior = elemento
    abierto: etree._Element | None = None
    por_volver: list[tuple[etree._Element | None, Tabla, Datos]] = []
    for hijo in elemento.iterdescendants():
        padre = hijo.getparent()
        if padre is not abierto:
            if padre is anterior:
                por_volver.append((abierto, tabla, datos))
                abierto = padre
                tabla, datos = interior or _NADA
            while abierto is not padre:
                abierto, tabla, datos = por_volver.pop()
        regla = tabla.get(hijo.tag)
        interior = None if regla is None else regla(hijo, datos)
        anterior = hijo


def hoja(campo: str) -> Regla:
    """The text of a leaf; of several, the first that says something counts."""

    def regla(elemento: etree._Element, datos: Datos) -> None:
        if (texto := elemento.text) and campo not in datos and (limpio := " ".join(texto.split())):
            datos[campo] = limpio

    return regla


def hoja_en(objeto: str, campo: str) -> Regla:
    """The text of a leaf, kept in an object that no element stands for."""
    leer_hoja = hoja(campo)

    def regla(elemento: etree._Element, datos: Datos) -> None:
        leer_hoja(elemento, datos.setdefault(objeto, {}))  # type: ignore[arg-type]

    return regla


def hojas(campo: str) -> Regla:
    """The texts of a leaf that may come several times."""

    def regla(elemento: etree._Element, datos: Datos) -> None:
        if (texto := elemento.text) and (limpio := " ".join(texto.split())):
            _anotar(datos, campo, limpio)

    return regla


def codigo(campo: str) -> Regla:
    """A code and, in `listas`, the URI of the list it belongs to (lists change version over the years)."""

    def regla(elemento: etree._Element, datos: Datos) -> None:
        if (texto := elemento.text) and campo not in datos and (limpio := texto.strip()):
            datos[campo] = limpio
            _recordar_lista(elemento, datos, campo)

    return regla


def codigos(campo: str) -> Regla:
    """As `codigo`, for one that may come several times; the first list URI counts."""

    def regla(elemento: etree._Element, datos: Datos) -> None:
        if (texto := elemento.text) and (limpio := texto.strip()):
            if campo not in datos:
                _recordar_lista(elemento, datos, campo)
            _anotar(datos, campo, limpio)

    return regla


def con_atributo(campo: str, atributo: str) -> Regla:
    """(text, attribute) of the first such leaf."""

    def regla(elemento: etree._Element, datos: Datos) -> None:
        if campo not in datos:
            datos[campo] = (" ".join((elemento.text or "").split()) or None, elemento.get(atributo))

    return regla


def atributo(campo: str, nombre: str) -> Regla:
    """An attribute of the first such leaf."""

    def regla(elemento: etree._Element, datos: Datos) -> None:
        if (valor := elemento.get(nombre)) and campo not in datos:
            datos[campo] = valor

    return regla


def por_esquema(campo: str) -> Regla:
    """Identifiers as {scheme: identifier}; the first of each scheme counts."""

    def regla(elemento: etree._Element, datos: Datos) -> None:
        if valor := " ".join((elemento.text or "").split()):
            ids = datos.setdefault(campo, {})
            assert isinstance(ids, dict)  # noqa: S101 - this rule alone writes the field
            ids.setdefault(elemento.get("schemeName") or "", valor)

    return regla


def pares_de_esquema(campo: str) -> Regla:
    """Identifiers as (scheme, identifier), all of them."""

    def regla(elemento: etree._Element, datos: Datos) -> None:
        if valor := " ".join((elemento.text or "").split()):
            _anotar(datos, campo, (elemento.get("schemeName"), valor))

    return regla


def hoja_de_esquema(campo: str, esquema: str) -> Regla:
    """The text of the leaf whose scheme is the given one."""
    leer_hoja = hoja(campo)

    def regla(elemento: etree._Element, datos: Datos) -> None:
        if elemento.get("schemeName") == esquema:
            leer_hoja(elemento, datos)

    return regla


def dentro(tabla: Tabla) -> Regla:
    """Go on inside, writing in the same object."""

    def regla(_: etree._Element, datos: Datos) -> Interior:
        return tabla, datos

    return regla


def objeto(campo: str, tabla: Tabla) -> Regla:
    """An object of its own; of several, the first counts."""

    def regla(_: etree._Element, datos: Datos) -> Interior:
        if campo in datos:
            return None
        nuevo: Datos = {}
        datos[campo] = nuevo
        return tabla, nuevo

    return regla


def objetos(campo: str, tabla: Tabla, **fijo: str) -> Regla:
    """A list of objects, each starting from the fixed values given."""

    def regla(_: etree._Element, datos: Datos) -> Interior:
        nuevo: Datos = {**fijo}
        _anotar(datos, campo, nuevo)
        return tabla, nuevo

    return regla


def _anotar(datos: Datos, campo: str, valor: object) -> None:
    lista = datos.get(campo)
    if lista is None:
        datos[campo] = [valor]
    else:
        lista.append(valor)  # type: ignore[attr-defined]


def _recordar_lista(elemento: etree._Element, datos: Datos, campo: str) -> None:
    if uri := elemento.get("listURI"):
        listas = datos.get("listas")
        if listas is None:
            datos["listas"] = {campo: uri}
        else:
            listas[campo] = uri  # type: ignore[index]
