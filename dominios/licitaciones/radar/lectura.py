"""One walk over an entry, led by a table: tag → what to do with it. What the table does not name is not visited.

Reading each of some 120 fields with a search of its own costs nine times the parsing; one walk, about as much.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from lxml import etree

Datos: TypeAlias = "dict[str, object]"
"""Raw values on their way to a model, which validates them; a field that is left out keeps its default."""
Regla: TypeAlias = "Callable[[etree._Element, Datos], None]"
Tabla: TypeAlias = "dict[str, Regla]"
"""Qualified tag of a child → its rule."""


def leer(elemento: etree._Element, tabla: Tabla, datos: Datos) -> None:
    """Apply the table to the children of `elemento`, in document order."""
    for hijo in elemento:
        regla = tabla.get(hijo.tag)
        if regla is not None:
            regla(hijo, datos)


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

    def regla(elemento: etree._Element, datos: Datos) -> None:
        for hijo in elemento:
            siguiente = tabla.get(hijo.tag)
            if siguiente is not None:
                siguiente(hijo, datos)

    return regla


def objeto(campo: str, tabla: Tabla) -> Regla:
    """An object of its own; of several, the first counts."""

    def regla(elemento: etree._Element, datos: Datos) -> None:
        if campo not in datos:
            nuevo: Datos = {}
            datos[campo] = nuevo
            leer(elemento, tabla, nuevo)

    return regla


def objetos(campo: str, tabla: Tabla, **fijo: str) -> Regla:
    """A list of objects, each starting from the fixed values given."""

    def regla(elemento: etree._Element, datos: Datos) -> None:
        nuevo: Datos = {**fijo}
        leer(elemento, tabla, nuevo)
        _anotar(datos, campo, nuevo)

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
