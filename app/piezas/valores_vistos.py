"""Values of ports on screen: each with its label, as a person reads it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from pydantic import JsonValue

from app.piezas.formato import importe
from app.piezas.tablas import LARGO_DE_CELDA, datos
from app.piezas.texto import neutralizar
from nucleo.recorridos.plan import Formulario, Puerto, Tipo, Valores


def tabla_de_valores(valores: Valores, puertos: Iterable[Puerto]) -> None:
    """Two columns: what it is and its value; what no port declares goes by its name."""
    por_nombre = {p.nombre: p for p in puertos}
    datos((rotulo(por_nombre.get(n), n), valor_visto(por_nombre.get(n), v)) for n, v in valores.items())


def rotulo(puerto: Puerto | None, nombre: str) -> str:
    """The label of the form, or the name in words; as Markdown."""
    etiqueta = puerto.formulario.etiqueta if puerto and puerto.formulario else ""
    return neutralizar(etiqueta or nombre.replace("_", " ").capitalize(), 160)


def valor_visto(puerto: Puerto | None, valor: JsonValue) -> str:
    """The value as Markdown of one line."""
    match valor:
        case None:
            return "—"
        case bool():
            formulario = (puerto and puerto.formulario) or Formulario()
            return neutralizar(formulario.si if valor else formulario.no)
        case str():
            return _texto(puerto.tipo if puerto else Tipo.TEXTO, valor)
        case list() if all(isinstance(uno, str) for uno in valor):
            return "; ".join(neutralizar(str(uno), 400) for uno in valor[:50]) or "ninguno"
    return neutralizar(json.dumps(valor, ensure_ascii=False), LARGO_DE_CELDA)


def _texto(tipo: Tipo, valor: str) -> str:
    """Its type was checked before it was stored."""
    if tipo is Tipo.IMPORTE:
        return importe(Decimal(valor))
    if tipo is Tipo.FECHA:
        return f"{date.fromisoformat(valor):%d/%m/%Y}"
    return neutralizar(valor, LARGO_DE_CELDA) or "—"
