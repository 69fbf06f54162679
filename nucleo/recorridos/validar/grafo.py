"""The steps as a graph, worked out even from a broken plan so that every problem can be told together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from nucleo.recorridos.errores import Problema
from nucleo.recorridos.plan import Clase, Paso, Plan


@dataclass(frozen=True)
class Grafo:
    """Of a repeated step, the first counts; a dependency on nothing is left out. `orden` lacks what is in a cycle."""

    pasos: Mapping[str, Paso]
    sucesores: Mapping[str, tuple[str, ...]]
    ancestros: Mapping[str, frozenset[str]]
    orden: tuple[str, ...]


def grafo_de(plan: Plan) -> Grafo:
    """The graph of a plan, whatever is wrong with it."""
    pasos: dict[str, Paso] = {}
    for paso in plan.pasos:
        pasos.setdefault(paso.id, paso)
    antes = {i: tuple(dict.fromkeys(d for d in p.dependencias if d in pasos)) for i, p in pasos.items()}
    sucesores: dict[str, list[str]] = {i: [] for i in pasos}
    for i, dependencias in antes.items():
        for d in dependencias:
            sucesores[d].append(i)
    return Grafo(
        pasos=pasos,
        sucesores={i: tuple(s) for i, s in sucesores.items()},
        ancestros={i: _alcanza(i, antes) for i in pasos},
        orden=_orden(antes, sucesores),
    )


def problemas_de_grafo(plan: Plan, grafo: Grafo) -> list[Problema]:
    """Repeated steps, dependencies that are wrong, cycles, ends, and how many ways go in and out of each step."""
    problemas = [
        Problema(paso=i, mensaje=f"el identificador se repite ({veces} veces)")
        for i, veces in Counter(p.id for p in plan.pasos).items()
        if veces > 1
    ]
    for paso in grafo.pasos.values():
        problemas += _dependencias(paso, grafo)
    ciclo = sorted(set(grafo.pasos) - set(grafo.orden))
    if ciclo:
        problemas.append(
            Problema(paso=None, mensaje=f"hay un ciclo y no se podría llegar a: {', '.join(ciclo)}")
        )
    for clase in (Clase.INICIO, Clase.FIN):
        cuantos = [p.id for p in plan.pasos if p.clase is clase]
        if len(cuantos) != 1:
            problemas.append(
                Problema(paso=None, mensaje=f"hace falta un solo paso «{clase}» y hay {len(cuantos)}")
            )
    for paso in grafo.pasos.values():
        problemas += _entradas_y_salidas(paso, grafo)
    return problemas


def _alcanza(i: str, antes: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    vistos: set[str] = set()
    pila = list(antes[i])
    while pila:
        actual = pila.pop()
        if actual not in vistos:
            vistos.add(actual)
            pila += antes[actual]
    return frozenset(vistos)


def _orden(antes: Mapping[str, tuple[str, ...]], sucesores: Mapping[str, list[str]]) -> tuple[str, ...]:
    """As the plan lists them, but never before a dependency."""
    puesto = {i: n for n, i in enumerate(antes)}
    nombres = list(antes)
    faltan = {i: len(d) for i, d in antes.items()}
    cola = [puesto[i] for i, n in faltan.items() if n == 0]
    heapify(cola)
    orden: list[str] = []
    while cola:
        i = nombres[heappop(cola)]
        orden.append(i)
        for s in sucesores[i]:
            faltan[s] -= 1
            if faltan[s] == 0:
                heappush(cola, puesto[s])
    return tuple(orden)


def _dependencias(paso: Paso, grafo: Grafo) -> list[Problema]:
    mensajes = [f"depende de «{d}», que no existe" for d in paso.dependencias if d not in grafo.pasos]
    mensajes += [
        f"depende {veces} veces de «{d}»" for d, veces in Counter(paso.dependencias).items() if veces > 1
    ]
    return [Problema(paso=paso.id, mensaje=m) for m in mensajes]


def _entradas_y_salidas(paso: Paso, grafo: Grafo) -> list[Problema]:
    sentido = paso.compuerta.sentido if paso.compuerta else None
    entran, salen = len(paso.dependencias), len(grafo.sucesores[paso.id])
    mensajes = []
    if sentido != "cierra" and entran != (debe := 0 if paso.clase is Clase.INICIO else 1):
        mensajes.append(
            f"tiene que depender de {debe} pasos y depende de {entran} (solo un cierre reúne varios)"
        )
    if sentido != "abre" and salen != (debe := 0 if paso.clase is Clase.FIN else 1):
        mensajes.append(f"tiene que seguirle {debe} paso y le siguen {salen} (solo una apertura reparte)")
    return [Problema(paso=paso.id, mensaje=m) for m in mensajes]
