"""What a person's answer must be beyond its types: reasons that say something, amounts that can be, findings faced."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal

from pydantic import JsonValue

from dominios.licitaciones.oferta.modelo import Reparo
from dominios.licitaciones.oferta.plantilla.anexos import GARANTIA, UTE
from dominios.licitaciones.oferta.plantilla.decision import DECIDIR
from dominios.licitaciones.oferta.plantilla.preparacion import EQUIPO, PRECIO
from dominios.licitaciones.oferta.plantilla.presentacion import REGISTRAR_PRESENTACION, VISTO_BUENO
from nucleo.recorridos.errores import Problema
from nucleo.recorridos.plan import Paso, Valores

IMPORTE_MAXIMO = Decimal(10) ** 10
"""Euros. More is a slip of the keyboard: no Spanish contract comes near it."""
_HORA = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")


def respuesta(paso: Paso, entradas: Valores, salidas: Valores) -> tuple[Problema, ...]:
    """What is wrong with an answer whose types are already right; () when nothing. Steps without rules admit any."""
    regla = _REGLAS.get(paso.id)
    return tuple(Problema(paso=paso.id, mensaje=m) for m in regla(entradas, salidas)) if regla else ()


def _decidir(_: Valores, salidas: Valores) -> Iterator[str]:
    if _vacio(salidas.get("motivo")):
        yield "«motivo»: di por qué, aunque sea en una línea"


def _precio(_: Valores, salidas: Valores) -> Iterator[str]:
    yield from _importe(salidas.get("importe"))


def _garantia(_: Valores, salidas: Valores) -> Iterator[str]:
    yield from _importe(salidas.get("importe"))


def _equipo(_: Valores, salidas: Valores) -> Iterator[str]:
    yield from _nombres("personas", salidas.get("personas"))


def _ute(_: Valores, salidas: Valores) -> Iterator[str]:
    yield from _nombres("socios", salidas.get("socios"))


def _registrar(_: Valores, salidas: Valores) -> Iterator[str]:
    if _vacio(salidas.get("registro")):
        yield "«registro»: copia el número que dio la plataforma"
    hora = salidas.get("hora")
    if hora and not _HORA.fullmatch(str(hora)):
        yield "«hora»: escríbela como 13:45"


def _visto_bueno(entradas: Valores, salidas: Valores) -> Iterator[str]:
    """Who approves agrees, and each blocking finding is taken on by itself; nothing else can be."""
    if salidas.get("conforme") is not True:
        yield "«conforme»: para aprobar hay que estarlo; si no lo estás, rechaza y di por qué"
    bloqueos = {Reparo.model_validate(b).clave for b in _lista(entradas.get("bloqueos"))}
    lineas = [str(linea).partition(":") for linea in _lista(salidas.get("bloqueos_asumidos"))]
    veces = Counter(clave.strip() for clave, _, _ in lineas)
    for clave in sorted(bloqueos - veces.keys()):
        yield f"el bloqueo «{clave}» no está resuelto: asúmelo con su motivo, o rechaza y se vuelve a comprobar"
    for clave, cuantas in veces.items():
        if clave not in bloqueos:
            yield f"«bloqueos_asumidos»: «{clave}» no es un bloqueo de esta comprobación"
        elif cuantas > 1:
            yield f"«bloqueos_asumidos»: «{clave}» está {cuantas} veces"
    for clave, _, motivo in lineas:
        if not motivo.strip():
            yield f"«bloqueos_asumidos»: falta el motivo de «{clave.strip()}», detrás de dos puntos"


_REGLAS: dict[str, Callable[[Valores, Valores], Iterator[str]]] = {
    DECIDIR.id: _decidir,
    PRECIO.id: _precio,
    EQUIPO.id: _equipo,
    GARANTIA.id: _garantia,
    UTE.id: _ute,
    VISTO_BUENO.id: _visto_bueno,
    REGISTRAR_PRESENTACION.id: _registrar,
}


def _importe(valor: JsonValue) -> Iterator[str]:
    importe = Decimal(str(valor))
    if importe <= 0:
        yield "«importe»: tiene que ser mayor que cero"
    elif importe != round(importe, 2):
        yield "«importe»: el euro tiene dos decimales"
    elif importe > IMPORTE_MAXIMO:
        yield "«importe»: es demasiado grande para ser un precio; mira si sobra algún cero"


def _nombres(campo: str, valor: JsonValue) -> Iterator[str]:
    nombres = _lista(valor)
    if not nombres or any(_vacio(n) for n in nombres):
        yield f"«{campo}»: escribe al menos una línea, y ninguna vacía"


def _vacio(valor: JsonValue) -> bool:
    return not isinstance(valor, str) or not valor.strip()


def _lista(valor: JsonValue) -> list[JsonValue]:
    return valor if isinstance(valor, list) else []
