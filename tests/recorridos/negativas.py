"""A refusal of the engine, and the plan that most tests of it start from."""

from __future__ import annotations

import pytest

from nucleo.recorridos.comandos import Actor
from nucleo.recorridos.comandos import TipoComando as T
from nucleo.recorridos.errores import ESTADOS_HTTP, ErrorRecorrido
from nucleo.recorridos.plan import Clase, Plan, Ruta, TipoCompuerta
from tests.recorridos.obra import SI, Obra, abre, cierra, paso, plan, si

INCLUSIVA = TipoCompuerta.INCLUSIVA


def rechazo(
    obra: Obra, codigo: str, actor: Actor, tipo: T, paso_: str | None = None, **partes: object
) -> str:
    """The sentence of a refusal; nothing has changed."""
    antes = obra.foto
    with pytest.raises(ErrorRecorrido) as dicho:
        obra.manda(actor, tipo, paso_, **partes)
    assert (dicho.value.codigo, dicho.value.http) == (codigo, ESTADOS_HTTP[codigo])
    assert obra.foto is antes
    return dicho.value.mensaje


def de_agente(**partes: object) -> Plan:
    """One step for an agent and an approval."""
    return plan(paso("a", Clase.AGENTE, "ini", **partes), paso("ok", Clase.APROBACION, "a"))


def bloque() -> Plan:
    return plan(
        paso("p", Clase.MANUAL, "ini", salidas=(SI,)),
        abre("g", INCLUSIVA, "p", si("a", "p"), si("b", "p"), Ruta(destino="c"), por_defecto="c"),
        paso("a", Clase.AGENTE, "g"),
        paso("b", Clase.AGENTE, "g"),
        paso("c", Clase.AGENTE, "g"),
        cierra("j", INCLUSIVA, "g", "a", "b", "c"),
        paso("z", Clase.MANUAL, "j"),
    )
