"""The filters of the list in a link and back: a shared link shows the same list to whoever opens it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation

from pydantic import ValidationError

from dominios.licitaciones.criba.modelo import Situacion
from dominios.licitaciones.oportunidades.modelos import Filtro, Orden
from nucleo.codigos.cpv import prefijo_de_arbol
from nucleo.errores import ErrorEntrada

LISTAS = ("estado", "tipo", "procedimiento", "tipo_registro", "fuente", "nuts")
IMPORTES = ("importe_min", "importe_max")
SIGNOS = ("solo_abiertas", "con_avisos", "decididas")
TEXTO = "q"
ORDEN = "orden"
_DE_CADA: dict[str, Callable[[str], object]] = {
    "cpv": prefijo_de_arbol,
    "criba": Situacion,
    **dict.fromkeys(LISTAS, str),
}
"""Parameters with several values, and what makes each one of them."""
PAGINACION = ("desde", "pag")
"""Where in the list: dropped as soon as a filter changes."""


def leer_filtro(parametros: Mapping[str, str]) -> tuple[Filtro, tuple[str, ...]]:
    """The filter of a link, and the names of its parameters that say nothing valid (they are left out)."""
    valores: dict[str, object] = {}
    malos: list[str] = []
    for nombre, publicado in parametros.items():
        try:
            leido = _leer(nombre, publicado)
            if leido is not None:
                Filtro.model_validate({leido[0]: leido[1]})
                valores[leido[0]] = leido[1]
        except (ValidationError, ErrorEntrada, InvalidOperation, ValueError):
            malos.append(nombre)
    try:
        return Filtro.model_validate(valores), tuple(malos)
    except ValidationError:  # each is valid, together they are not: a minimum above the maximum
        sin_importes = {k: v for k, v in valores.items() if k not in IMPORTES}
        return Filtro.model_validate(sin_importes), (*malos, *IMPORTES)


def _leer(nombre: str, valor: str) -> tuple[str, object] | None:
    """(field, value) of one parameter; None when it is no filter. Raises ValueError and its like."""
    if nombre == TEXTO:
        return "texto", valor
    if nombre in _DE_CADA:
        return nombre, tuple(_DE_CADA[nombre](v) for v in valor.split(",") if v)
    if nombre in IMPORTES:
        return nombre, Decimal(valor)
    if nombre in SIGNOS:
        return nombre, valor == "1"
    return (nombre, int(valor)) if nombre == "cierra_en_dias" else None


def escribir_filtro(filtro: Filtro, orden: Orden) -> dict[str, str]:
    """The shortest parameters that `leer_filtro` and `leer_orden` read back as the same."""
    parametros = {TEXTO: filtro.texto} if filtro.texto else {}
    for nombre in _DE_CADA:
        valores: tuple[str, ...] = getattr(filtro, nombre)
        if valores:
            parametros[nombre] = ",".join(valores)
    for nombre in IMPORTES:
        importe: Decimal | None = getattr(filtro, nombre)
        if importe is not None:
            parametros[nombre] = f"{importe:f}"
    for nombre in SIGNOS:
        if getattr(filtro, nombre):
            parametros[nombre] = "1"
    if filtro.cierra_en_dias is not None:
        parametros["cierra_en_dias"] = str(filtro.cierra_en_dias)
    if orden is not Orden.CIERRE:
        parametros[ORDEN] = orden.value
    return parametros


def leer_orden(parametros: Mapping[str, str]) -> Orden:
    """The order of a link; by closing when it says none or one that does not exist."""
    try:
        return Orden(parametros.get(ORDEN, Orden.CIERRE.value))
    except ValueError:
        return Orden.CIERRE
