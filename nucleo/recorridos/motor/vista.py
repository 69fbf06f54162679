"""What can be seen of a run without touching it: who may do what, who has the ball, what a step can look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial

from nucleo.modelo import Modelo
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import EJECUTOR, Actor, Comando, TipoComando
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import TERMINALES, EstadoRecorrido, Recorrido, Situacion
from nucleo.recorridos.motor.admision import exigir_recorrido, exigir_situacion
from nucleo.recorridos.motor.orden import DE_RECORRIDO, Orden
from nucleo.recorridos.motor.permiso import exigir_clase, exigir_permiso
from nucleo.recorridos.plan import Ident, Paso, Valores
from nucleo.recorridos.validar import PlanValido

_NADA = Casa()
_NUNCA = datetime(1970, 1, 1, tzinfo=UTC)


class Posibles(Modelo):
    """Verbs that an actor may use now, whatever they then carry; steps without any are left out."""

    recorrido: tuple[TipoComando, ...]
    pasos: dict[Ident, tuple[TipoComando, ...]]


class Pelota(StrEnum):
    """Who has to act for the run to go on."""

    PERSONA = "persona"
    COORDINADOR = "coordinador"
    INSTALACION = "instalacion"


def posibles(plan: PlanValido, recorrido: Recorrido, actor: Actor) -> Posibles:
    """What this actor may do now. A verb that is here can still be refused for what it carries or for the clock."""
    foto = _Foto(plan, recorrido, actor)
    verbos = [t for t in TipoComando if foto.abierto(t)]
    de_pasos = [t for t in verbos if t not in DE_RECORRIDO]
    return Posibles(
        recorrido=tuple(t for t in verbos if t in DE_RECORRIDO and foto.admite(t, None)),
        pasos={i: suyos for i in plan.pasos if (suyos := tuple(t for t in de_pasos if foto.admite(t, i)))},
    )


@dataclass(frozen=True)
class _Foto:
    """A run as an actor sees it, asked with the engine's own rules and a command that carries nothing."""

    plan: PlanValido
    recorrido: Recorrido
    actor: Actor

    def abierto(self, tipo: TipoComando) -> bool:
        """Whether that actor may give it and the run admits it, whatever the step."""
        return _pasa(partial(exigir_clase, self.actor, tipo, self.recorrido)) and _pasa(
            partial(exigir_recorrido, self._orden(tipo, None))
        )

    def admite(self, tipo: TipoComando, paso: str | None) -> bool:
        """Whether the step admits it and it is for that actor."""
        orden = self._orden(tipo, paso)
        return _pasa(partial(exigir_situacion, orden)) and _pasa(partial(exigir_permiso, orden))

    def _orden(self, tipo: TipoComando, paso: str | None) -> Orden:
        comando = Comando(comando_id="vista", tipo=tipo, paso=paso)
        return Orden(
            plan=self.plan, antes=self.recorrido, comando=comando, actor=self.actor, casa=_NADA, ahora=_NUNCA
        )


def _pasa(exigir: Callable[[], None]) -> bool:
    try:
        exigir()
    except ErrorRecorrido:
        return False
    return True


def pelota(plan: PlanValido, recorrido: Recorrido) -> tuple[Pelota, ...]:
    """Everyone who can move it on now, persons first; nobody once it has ended."""
    if recorrido.estado in TERMINALES:
        return ()
    quienes = {_de_paso(recorrido, paso) for paso in plan.pasos.values()}
    if recorrido.estado is EstadoRecorrido.PAUSADO:
        quienes.add(Pelota.PERSONA)
    return tuple(p for p in Pelota if p in quienes)


def _de_paso(recorrido: Recorrido, paso: Paso) -> Pelota | None:
    quien_coordina = Pelota.INSTALACION if recorrido.coordinador == EJECUTOR.nombre else Pelota.COORDINADOR
    activo = recorrido.estado is EstadoRecorrido.ACTIVO
    match recorrido.pasos[paso.id].estado:
        case Situacion.EN_CURSO:
            return Pelota.INSTALACION if paso.ejecutor else quien_coordina
        case Situacion.LISTO if activo:
            return Pelota.INSTALACION if paso.ejecutor else quien_coordina
        case Situacion.ESPERANDO | Situacion.DUDOSO if activo:
            return Pelota.PERSONA
        case Situacion.FALLIDO if activo:
            return Pelota.PERSONA if quien_coordina is Pelota.INSTALACION else Pelota.COORDINADOR
    return None


def contexto_disponible(plan: PlanValido, recorrido: Recorrido, paso: str) -> dict[str, Valores]:
    """What the steps before it left, by step: neither skipped ones nor the future. Raises KeyError for no such step.

    For an open step it does not change any more, since all that comes before it is resolved.
    """
    return {
        i: salidas
        for i in plan.orden
        if i in plan.ancestros[paso] and (salidas := recorrido.pasos[i].salidas) is not None
    }
