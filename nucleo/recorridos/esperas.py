"""What of a run waits for a person, and its figures: kept in rows of their own, so that nobody reads every snapshot."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from nucleo.modelo import Modelo
from nucleo.recorridos import relevo
from nucleo.recorridos.estado import RESUELTAS, TERMINALES, EstadoRecorrido, Recorrido, Situacion
from nucleo.recorridos.plan import Clase, Paso, Plan


class Pide(StrEnum):
    """What is asked of a person."""

    PREGUNTA = "pregunta"
    """A step to answer or to approve."""
    DUDOSO = "dudoso"
    """A step that may have happened: somebody has to look."""
    FALLIDO = "fallido"
    PROPUESTA = "propuesta"
    """Another plan, to accept or to discard."""
    PAUSA = "pausa"
    ENTREGA = "entrega"
    """A delivery that may have arrived: somebody has to look."""


_DE_PASO = {
    Situacion.ESPERANDO: Pide.PREGUNTA,
    Situacion.DUDOSO: Pide.DUDOSO,
    Situacion.FALLIDO: Pide.FALLIDO,
}


class Espera(Modelo):
    """Something that waits; `paso` is "" when it is the whole run's."""

    pide: Pide
    paso: str
    titulo: str
    clase: Clase | None
    pregunta: str
    rol: Literal["admin", "editor"]


class Cuentas(Modelo):
    """Figures of a run. `reclamables`: steps that the installation may begin now."""

    pasos: int
    resueltos: int
    reclamables: int


def esperas_de(plan: Plan, recorrido: Recorrido) -> frozenset[Espera]:
    """Everything of the run that a person has to look at. Those of steps keep their age through a pause, in which only
    the pause itself (or the proposal) is to be decided on."""
    if recorrido.estado in TERMINALES:
        return frozenset()
    de_pasos = [
        _de_paso(paso, pide, recorrido)
        for paso in plan.pasos
        if (pide := _DE_PASO.get(recorrido.pasos[paso.id].estado)) is not None
    ]
    pausado = recorrido.estado is EstadoRecorrido.PAUSADO
    return frozenset((*de_pasos, *((_de_pausa(recorrido),) if pausado else ())))


def cuentas_de(plan: Plan, recorrido: Recorrido) -> Cuentas:
    """The figures."""
    return Cuentas(
        pasos=len(recorrido.pasos),
        resueltos=sum(p.estado in RESUELTAS for p in recorrido.pasos.values()),
        reclamables=len(relevo.reclamables(relevo.Foto(plan, recorrido))),
    )


def _de_pausa(recorrido: Recorrido) -> Espera:
    propuesta = recorrido.propuesta
    return Espera(
        pide=Pide.PROPUESTA if propuesta else Pide.PAUSA,
        paso="",
        titulo="",
        clase=None,
        pregunta=propuesta.motivo if propuesta else "",
        rol="editor",
    )


def _de_paso(paso: Paso, pide: Pide, recorrido: Recorrido) -> Espera:
    estado = recorrido.pasos[paso.id]
    ultimo = estado.ultimo.mensaje if estado.ultimo else ""
    pregunta = paso.interaccion.pregunta if pide is Pide.PREGUNTA and paso.interaccion else ultimo
    return Espera(
        pide=pide,
        paso=paso.id,
        titulo=paso.titulo,
        clase=paso.clase,
        pregunta=pregunta,
        rol=paso.rol,
    )
