"""What changes from one plan to another, for whoever has to decide on it."""

from __future__ import annotations

from nucleo.modelo import Modelo
from nucleo.recorridos.plan import Ident, Paso, Plan
from nucleo.recorridos.valores import igual, mismo


class PasoCambiado(Modelo):
    """`campos`: names of the fields that are not the same, as the model declares them."""

    paso: Ident
    campos: tuple[str, ...]


class Diferencia(Modelo):
    """Steps by id, in each plan's order; `plan`: fields of the whole that change (its steps apart)."""

    anadidos: tuple[Ident, ...]
    cambiados: tuple[PasoCambiado, ...]
    quitados: tuple[Ident, ...]
    plan: tuple[str, ...] = ()


def diferencia(plan_a: Plan, plan_b: Plan) -> Diferencia:
    """From `plan_a` to `plan_b`."""
    antes = {p.id: p for p in plan_a.pasos}
    despues = {p.id: p for p in plan_b.pasos}
    return Diferencia(
        anadidos=tuple(i for i in despues if i not in antes),
        cambiados=tuple(
            PasoCambiado(paso=i, campos=_campos(antes[i], p))
            for i, p in despues.items()
            if i in antes and not mismo(antes[i], p)
        ),
        quitados=tuple(i for i in antes if i not in despues),
        plan=tuple(c for c in _campos(plan_a, plan_b) if c != "pasos"),
    )


def _campos(a: Plan | Paso, b: Plan | Paso) -> tuple[str, ...]:
    unos, otros = a.model_dump(mode="json"), b.model_dump(mode="json")
    return tuple(c for c in unos if not igual(unos[c], otros[c]))
