"""What each step may carry by its class, and the jobs that group them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from nucleo.recorridos.errores import Problema
from nucleo.recorridos.plan import ESTRUCTURA, HUMANO, MAQUINA, Clase, Paso, Plan
from nucleo.recorridos.validar.grafo import Grafo


def problemas_de_pasos(plan: Plan, grafo: Grafo) -> list[Problema]:
    """Parts that a step of its class has too many or too few of."""
    trabajos = {t.id for t in plan.trabajos}
    problemas: list[Problema] = []
    for paso in grafo.pasos.values():
        mensajes = _partes(paso) + _ejecutor(paso)
        if paso.trabajo is not None and paso.trabajo not in trabajos:
            mensajes.append(f"es del trabajo «{paso.trabajo}», que no existe")
        problemas += [Problema(paso=paso.id, mensaje=m) for m in mensajes]
    return problemas


def _partes(paso: Paso) -> list[str]:
    mensajes = []
    if (paso.clase is Clase.COMPUERTA) != (paso.compuerta is not None):
        mensajes.append("«compuerta» la llevan los pasos de clase compuerta, y solo ellos")
    if paso.clase in ESTRUCTURA and (paso.entradas or paso.salidas):
        mensajes.append("un paso de estructura no tiene entradas ni salidas")
    if paso.interaccion is not None and paso.clase not in HUMANO:
        mensajes.append("«interaccion» es de los pasos que hace una persona")
    if paso.rehacer_desde is not None and paso.clase is not Clase.APROBACION:
        mensajes.append("«rehacer_desde» es de las aprobaciones")
    return mensajes


def _ejecutor(paso: Paso) -> list[str]:
    ejecutor = paso.ejecutor
    if ejecutor is None:
        return []
    if paso.clase not in MAQUINA:
        return ["«ejecutor» es de los pasos de agente o de código"]
    if paso.clase is Clase.CODIGO and (ejecutor.funcion is None or ejecutor.perfil is not None):
        return ["el ejecutor de un paso de código es una función («funcion»)"]
    if paso.clase is Clase.AGENTE and (ejecutor.perfil is None or ejecutor.funcion is not None):
        return ["el ejecutor de un paso de agente es un perfil («perfil»)"]
    return []


def problemas_de_trabajos(plan: Plan, grafo: Grafo) -> list[Problema]:
    """Jobs repeated, without steps, or that would have to be done each before the other."""
    problemas = [
        Problema(paso=None, mensaje=f"el trabajo «{i}» se repite")
        for i, veces in Counter(t.id for t in plan.trabajos).items()
        if veces > 1
    ]
    con_pasos = {p.trabajo for p in grafo.pasos.values()}
    problemas += [
        Problema(paso=None, mensaje=f"el trabajo «{t.id}» no tiene pasos")
        for t in plan.trabajos
        if t.id not in con_pasos
    ]
    circulares = _circulares(grafo)
    if circulares:
        nombres = ", ".join(sorted(circulares))
        problemas.append(
            Problema(
                paso=None, mensaje=f"cada uno de estos trabajos tendría que ir antes que el otro: {nombres}"
            )
        )
    return problemas


def _circulares(grafo: Grafo) -> set[str]:
    """Jobs that come after themselves through another one; steps of no job do not count."""
    siguientes: dict[str, set[str]] = {}
    for i, ancestros in grafo.ancestros.items():
        hacia = grafo.pasos[i].trabajo
        for a in ancestros:
            desde = grafo.pasos[a].trabajo
            if desde is not None and hacia is not None and desde != hacia:
                siguientes.setdefault(desde, set()).add(hacia)
    return {t for t in siguientes if _vuelve(t, siguientes)}


def _vuelve(trabajo: str, siguientes: Mapping[str, set[str]]) -> bool:
    vistos: set[str] = set()
    pila = list(siguientes[trabajo])
    while pila:
        actual = pila.pop()
        if actual == trabajo:
            return True
        if actual not in vistos:
            vistos.add(actual)
            pila += siguientes.get(actual, ())
    return False
