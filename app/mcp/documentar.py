"""Writes the list of tools into docs/mcp.md, from the tools themselves: `python -m app.mcp.documentar`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.mcp.herramientas import CATALOGO
from nucleo.agentes.herramientas import Catalogo, UnaHerramienta

DOCUMENTO = Path(__file__).resolve().parents[2] / "docs" / "mcp.md"
INICIO = "<!-- herramientas: las escribe «python -m app.mcp.documentar» -->"
FIN = "<!-- fin de las herramientas -->"


def actualizado(documento: str, catalogo: Catalogo) -> str:
    """The document with the list between its marks. Raises ValueError when the marks are missing."""
    antes, inicio, resto = documento.partition(INICIO)
    _, fin, despues = resto.partition(FIN)
    if not inicio or not fin:
        raise ValueError("el documento no tiene las marcas de las herramientas")
    lista = "\n\n".join(_seccion(h) for h in catalogo.todas())
    return f"{antes}{INICIO}\n\n{lista}\n\n{FIN}{despues}"


def _seccion(herramienta: UnaHerramienta) -> str:
    esquema: dict[str, Any] = herramienta.esquema()
    obligatorios = esquema.get("required", [])
    definiciones = esquema.get("$defs", {})
    lineas = [
        f"### `{herramienta.nombre}`",
        "",
        f"Permiso `{herramienta.permiso}`. {herramienta.descripcion}",
    ]
    if esquema.get("properties"):
        lineas += ["", "| argumento | tipo | obligatorio | qué es |", "|---|---|:-:|---|"]
    for nombre, campo in esquema.get("properties", {}).items():
        tipo = " o ".join(dict.fromkeys(_tipos(campo, definiciones)))
        obligado = "sí" if nombre in obligatorios else ""
        lineas.append(f"| `{nombre}` | {tipo} | {obligado} | {campo.get('description', '')} |")
    return "\n".join(lineas)


_TIPOS = {
    "string": "texto",
    "integer": "entero",
    "number": "número",
    "boolean": "true/false",
    "object": "objeto",
    "null": "null",
}


def _tipos(campo: dict[str, object], definiciones: dict[str, dict[str, object]]) -> Iterator[str]:
    referencia = campo.get("$ref")
    if isinstance(referencia, str):
        yield from _tipos(definiciones[referencia.rsplit("/", 1)[-1]], definiciones)
    elif isinstance(opciones := campo.get("anyOf"), list):
        for opcion in opciones:
            yield from _tipos(opcion, definiciones)
    elif isinstance(valores := campo.get("enum"), list):
        yield ", ".join(f"«{valor}»" for valor in valores)
    elif campo.get("type") == "array":
        elementos = campo.get("items")
        dentro = " o ".join(_tipos(elementos, definiciones)) if isinstance(elementos, dict) else "elementos"
        yield f"lista de {dentro}"
    else:
        yield _TIPOS.get(str(campo.get("type")), "cualquiera")


def principal() -> None:
    """Rewrite the document."""
    DOCUMENTO.write_text(actualizado(DOCUMENTO.read_text("utf-8"), CATALOGO), "utf-8")


if __name__ == "__main__":
    principal()
