"""Everything that the page of a run shows, read once per drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.piezas import recorridos
from nucleo.recorridos.cliente import Cliente
from nucleo.recorridos.comandos import TipoComando
from nucleo.recorridos.estado import Evento, Recorrido, Situacion
from nucleo.recorridos.lectura.modelo import Proyeccion
from nucleo.recorridos.plan import ESTRUCTURA, Paso, Plan

URGENCIA = (
    Situacion.ESPERANDO,
    Situacion.DUDOSO,
    Situacion.FALLIDO,
    Situacion.EN_CURSO,
    Situacion.LISTO,
)
"""Which step is shown when the link does not say: the first of these that there is."""


@dataclass(frozen=True)
class Foto:
    """`verbos`: what this person may do at each step; `de_todos`: with the whole run."""

    cliente: Cliente
    vista: Proyeccion
    verbos: Mapping[str, tuple[TipoComando, ...]]
    de_todos: tuple[TipoComando, ...]
    eventos: tuple[Evento, ...]

    @property
    def recorrido(self) -> Recorrido:
        """Where it stands."""
        return self.vista.recorrido

    @property
    def plan(self) -> Plan:
        """What it follows."""
        return self.vista.plan

    def paso(self, ident: str) -> Paso | None:
        """That step of the plan."""
        return next((p for p in self.plan.pasos if p.id == ident), None)

    def paso_por_defecto(self) -> str:
        """The most urgent step; when nothing is, the last that was not skipped."""
        estados = self.recorrido.pasos
        for situacion in URGENCIA:
            for paso in self.plan.pasos:
                if estados[paso.id].estado is situacion:
                    return paso.id
        hechos = [
            p.id
            for p in self.plan.pasos
            if p.clase not in ESTRUCTURA and estados[p.id].estado is not Situacion.OMITIDO
        ]
        return hechos[-1] if hechos else self.plan.pasos[0].id

    def ultima_palabra(self, paso: str) -> Evento | None:
        """The last order about a step, among the newest events."""
        de_paso = (e for e in reversed(self.eventos) if e.paso == paso and e.comando is not None)
        return next((e for e in de_paso if e.comando and e.comando.tipo is not TipoComando.ANOTAR), None)


def leer(cliente: Cliente, rid: str) -> Foto:
    """The run now. Raises ErrorRecorrido NO_EXISTE."""
    vista = cliente.leer(rid)
    posibles = cliente.posibles(rid)
    return Foto(cliente, vista, posibles.pasos, posibles.recorrido, recorridos.ultimos_eventos(rid))
