"""What every version of the plan of an offer keeps: its people decide, its code is ours, and no machine submits.

That each of these steps cannot be gone round is the validator's: each requires what the one before leaves.
"""

from __future__ import annotations

from collections.abc import Iterator

from dominios.licitaciones.oferta.plantilla import OFERTA
from dominios.licitaciones.oferta.plantilla.decision import DECIDIR, G_DECISION
from dominios.licitaciones.oferta.plantilla.preparacion import PRECIO
from dominios.licitaciones.oferta.plantilla.presentacion import REGISTRAR_PRESENTACION, VISTO_BUENO
from nucleo.recorridos.errores import Problema
from nucleo.recorridos.plan import MAQUINA, Clase, Paso, Plan, Tipo

OBLIGADOS = (DECIDIR, G_DECISION, PRECIO, VISTO_BUENO, REGISTRAR_PRESENTACION)
"""Steps that no version may lack or change: those of people, and the gate that obeys the decision."""

_DE_PLANTILLA = {p.id: p for p in OFERTA.pasos}
_PERFILES = {p.ejecutor.perfil for p in OFERTA.pasos if p.ejecutor and p.ejecutor.perfil}
_SOLO_DE_PERSONAS = {s.nombre for p in (PRECIO, REGISTRAR_PRESENTACION) for s in p.salidas}


def politica(plan: Plan) -> tuple[Problema, ...]:
    """What a version of the plan of an offer does that it must not; () when nothing. Order: as the plan lists it."""
    pasos = {p.id: p for p in plan.pasos}
    problemas = [
        Problema(paso=p.id, mensaje="es obligatorio en una oferta y falta")
        for p in OBLIGADOS
        if p.id not in pasos
    ]
    tras_el_visto_bueno = _siguen_a(VISTO_BUENO.id, pasos)
    for paso in plan.pasos:
        problemas += [
            Problema(paso=paso.id, mensaje=m) for m in _del_paso(paso, paso.id in tras_el_visto_bueno)
        ]
    return tuple(problemas)


def _del_paso(paso: Paso, tras_el_visto_bueno: bool) -> Iterator[str]:
    original = _DE_PLANTILLA.get(paso.id)
    if original in OBLIGADOS:
        if not _es_el_mismo(paso, original):
            yield "es obligatorio en una oferta y no puede cambiar: lo decide una persona con lo que ve en él"
        return
    if Clase.CODIGO in (paso.clase, original.clase if original else None) and not _es_el_mismo(
        paso, original
    ):
        yield "los pasos de código de una oferta son los de su plantilla: ni se añaden ni se cambian"
    if paso.clase is Clase.AGENTE:
        yield from _del_agente(paso, original)
    if paso.clase in MAQUINA and tras_el_visto_bueno:
        yield "después del visto bueno solo actúan personas"


def _del_agente(paso: Paso, original: Paso | None) -> Iterator[str]:
    perfil = paso.ejecutor.perfil if paso.ejecutor else None
    if original and original.ejecutor and perfil != original.ejecutor.perfil:
        yield f"lo hace el perfil «{original.ejecutor.perfil}», y eso no cambia"
    elif perfil is not None and perfil not in _PERFILES:
        yield f"el perfil «{perfil}» no trabaja en las ofertas"
    for salida in paso.salidas:
        if salida.tipo is Tipo.IMPORTE or salida.nombre in _SOLO_DE_PERSONAS:
            yield f"deja «{salida.nombre}»: el precio y la presentación son de una persona"


def _es_el_mismo(paso: Paso, original: Paso | None) -> bool:
    """Whether only its place in the plan may have changed. As they are written: True is not 1."""
    if original is None:
        return False
    en_su_sitio = paso.model_copy(update={"dependencias": original.dependencias})
    return en_su_sitio.model_dump_json() == original.model_dump_json()


def _siguen_a(cual: str, pasos: dict[str, Paso]) -> set[str]:
    """Steps that come after that one, in a plan without cycles or with them."""
    despues: set[str] = set()
    nuevos = {cual}
    while nuevos:
        nuevos = {i for i, p in pasos.items() if i not in despues and nuevos & set(p.dependencias)}
        despues |= nuevos
    return despues
