"""A step of a run in one line: the same as its box and its arrows in the picture say, in words."""

from __future__ import annotations

from collections.abc import Mapping

from app.piezas.grafo import flecha, rotulo_de_ruta
from app.piezas.situaciones import CLASES, PASOS, distintivo
from app.piezas.texto import neutralizar
from nucleo.recorridos.estado import EstadoPaso
from nucleo.recorridos.plan import Paso, Plan

CAMINOS = {"==>": "andado", "-->": "por andar", "-.->": "no elegido"}
Estados = Mapping[str, EstadoPaso]


def linea_de_paso(paso: Paso, estados: Estados, trabajos: Mapping[str, str]) -> str:
    """State, whose it is and its job, as Markdown."""
    estado = estados.get(paso.id, EstadoPaso())
    partes = [f"{distintivo(PASOS[estado.estado])} {CLASES[paso.clase]}"]
    partes += [neutralizar(trabajos[paso.trabajo], 160)] if paso.trabajo and paso.trabajo in trabajos else []
    partes += [neutralizar(estado.decidido_por, 80)] if estado.decidido_por else []
    return " · ".join(partes)


def camino(paso: Paso, plan: Plan, estados: Estados) -> str:
    """« · viene de 3 por «Visitas» (no elegido)», as Markdown; nothing for the first."""
    numeros = {p.id: n for n, p in enumerate(plan.pasos, start=1)}
    por_id = {p.id: p for p in plan.pasos}
    llegadas = [_llegada(por_id[de], paso, numeros[de], estados) for de in paso.dependencias if de in por_id]
    return f" · viene de {', '.join(llegadas)}" if llegadas else ""


def _llegada(de: Paso, hasta: Paso, numero: int, estados: Estados) -> str:
    rotulo = rotulo_de_ruta(de, hasta.id)
    por = f" por «{neutralizar(rotulo, 80)}»" if rotulo else ""
    return f"{numero}{por} ({CAMINOS[flecha(de, hasta, estados)]})"
