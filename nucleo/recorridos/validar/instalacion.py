"""What a plan takes from the installation: its template with its policy, profiles, and functions it is free to use."""

from __future__ import annotations

from nucleo.recorridos.casa import Casa
from nucleo.recorridos.errores import Problema
from nucleo.recorridos.plan import Plan


def problemas_de_instalacion(plan: Plan, casa: Casa) -> list[Problema]:
    """Functions, profiles and template that are not there, or not for this plan."""
    plantilla = casa.plantillas.get(plan.plantilla or "")
    if plan.plantilla is not None and plantilla is None:
        return [Problema(paso=None, mensaje=f"la plantilla «{plan.plantilla}» no está en esta instalación")]
    suyas = _funciones(plantilla.plan) if plantilla else set()
    problemas = _de_perfiles(plan, casa)
    for paso in plan.pasos:
        nombre = paso.ejecutor.funcion if paso.ejecutor else None
        if nombre is None:
            continue
        funcion = casa.funciones.get(nombre)
        if funcion is None:
            problemas.append(Problema(paso=paso.id, mensaje=f"la función «{nombre}» no está registrada"))
        elif not funcion.abierta and nombre not in suyas:
            problemas.append(Problema(paso=paso.id, mensaje=f"la función «{nombre}» no es para este plan"))
    return problemas


def problemas_de_politica(plan: Plan, casa: Casa) -> list[Problema]:
    """What the domain does not let a plan of its template do without."""
    plantilla = casa.plantillas.get(plan.plantilla or "")
    return list(plantilla.politica(plan)) if plantilla else []


def _de_perfiles(plan: Plan, casa: Casa) -> list[Problema]:
    """Without it their steps would be in progress for ever, in a queue that nobody attends."""
    pedidos = [(p.id, p.ejecutor.perfil) for p in plan.pasos if p.ejecutor and p.ejecutor.perfil]
    return [
        Problema(paso=paso, mensaje=f"en esta instalación no hay ningún perfil «{perfil}»")
        for paso, perfil in pedidos
        if casa.perfiles is not None and perfil not in casa.perfiles
    ]


def _funciones(plan: Plan) -> set[str]:
    return {p.ejecutor.funcion for p in plan.pasos if p.ejecutor and p.ejecutor.funcion}
