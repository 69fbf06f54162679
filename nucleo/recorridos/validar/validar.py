"""The whole check of a plan, in the order in which one part rests on the other."""

from __future__ import annotations

from nucleo.recorridos.casa import Casa
from nucleo.recorridos.errores import PlanInvalido, Problema
from nucleo.recorridos.plan import Plan, Salida
from nucleo.recorridos.validar.bloques import Bloques, bloques_de, problemas_de_compuertas
from nucleo.recorridos.validar.datos import Datos, problemas_de_puertos
from nucleo.recorridos.validar.grafo import Grafo, grafo_de, problemas_de_grafo
from nucleo.recorridos.validar.instalacion import problemas_de_instalacion, problemas_de_politica
from nucleo.recorridos.validar.pasos import problemas_de_pasos, problemas_de_trabajos
from nucleo.recorridos.validar.plan_valido import PlanValido
from nucleo.recorridos.validar.rehacer import region_de


def validar(plan: Plan, casa: Casa) -> PlanValido:
    """The plan with what the engine asks of it. Raises PlanInvalido with every problem found.

    Blocks are only followed in a sound graph, and a domain's policy only asked about a plan that could be run.
    """
    grafo = grafo_de(plan)
    problemas = problemas_de_grafo(plan, grafo) + problemas_de_compuertas(grafo)
    bloques = None
    if not problemas:
        bloques = bloques_de(grafo)
        problemas += bloques.problemas
    problemas += problemas_de_pasos(plan, grafo) + problemas_de_trabajos(plan, grafo)
    problemas += problemas_de_puertos(plan, grafo, casa.esquemas)
    problemas += Datos(plan, grafo, casa.esquemas, _ramas(bloques)).problemas()
    problemas += _de_rehacer(grafo)
    problemas += problemas_de_instalacion(plan, casa)
    if bloques is None or problemas or (problemas := problemas_de_politica(plan, casa)):
        raise PlanInvalido(tuple(problemas))
    return _valido(plan, grafo, bloques, casa)


def _ramas(bloques: Bloques | None) -> dict[str, dict[str, str]] | None:
    return None if bloques is None or bloques.problemas else bloques.ramas


def _de_rehacer(grafo: Grafo) -> list[Problema]:
    return [
        Problema(
            paso=paso.id,
            mensaje=f"entre «{paso.rehacer_desde}» y esta aprobación tiene que haber solo pasos de máquina, en fila",
        )
        for paso in grafo.pasos.values()
        if paso.rehacer_desde is not None and region_de(grafo, paso) is None
    ]


def _valido(plan: Plan, grafo: Grafo, bloques: Bloques, casa: Casa) -> PlanValido:
    exigen: dict[str, dict[str, None]] = {i: {} for i in grafo.pasos}
    for paso in plan.pasos:
        for entrada in paso.entradas:
            if entrada.requerido and isinstance(entrada.origen, Salida):
                exigen[entrada.origen.paso][paso.id] = None
    puertos = [p for paso in plan.pasos for p in (*paso.entradas, *paso.salidas)]
    return PlanValido(
        plan=plan,
        pasos=grafo.pasos,
        orden=grafo.orden,
        sucesores=grafo.sucesores,
        ancestros=grafo.ancestros,
        ramas=bloques.ramas,
        regiones={i: r for i, p in grafo.pasos.items() if p.rehacer_desde and (r := region_de(grafo, p))},
        exigen={i: tuple(quien) for i, quien in exigen.items()},
        esquemas={p.esquema: casa.esquemas[p.esquema] for p in puertos if p.esquema},
    )
