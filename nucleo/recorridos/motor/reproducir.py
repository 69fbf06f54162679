"""The snapshot made again from its events: the proof that nothing is kept that did not happen."""

from __future__ import annotations

from collections.abc import Iterable

from nucleo.recorridos.casa import Casa
from nucleo.recorridos.estado import Evento, Recorrido
from nucleo.recorridos.motor.aplicar import aplicar
from nucleo.recorridos.motor.crear import Nuevo, crear
from nucleo.recorridos.plan import Plan
from nucleo.recorridos.validar import validar


def reproducir(plan: Plan, nuevo: Nuevo, eventos: Iterable[Evento], casa: Casa) -> Recorrido:
    """The run of `nuevo` with its first plan after those events (all of them, in order).

    Equal to the stored one but for the instants of the leases, since signs of life leave no event. Raises
    ErrorRecorrido if the installation's rules would now refuse what was accepted then, and StopIteration never: without
    events it raises ValueError.
    """
    secuencia = iter(eventos)
    primero = next(secuencia, None)
    if primero is None or primero.tipo != "creado":
        raise ValueError("los eventos de un recorrido empiezan por su creación")
    plan_valido = validar(plan, casa)
    recorrido = crear(plan_valido, nuevo, primero.actor, primero.en).recorrido
    for evento in secuencia:
        if evento.comando is None:
            recorrido = _con_suceso(recorrido, evento)
            continue
        cambio = aplicar(plan_valido, recorrido, evento.comando, evento.actor, casa, evento.en)
        recorrido = cambio.recorrido
        if cambio.plan_nuevo is not None:
            plan_valido = validar(cambio.plan_nuevo, casa)
    return recorrido


def _con_suceso(recorrido: Recorrido, evento: Evento) -> Recorrido:
    """After an event of no command: a consequence of one, already counted, or a file that was left."""
    if evento.n <= recorrido.secuencia:
        return recorrido
    return recorrido.model_copy(update={"secuencia": evento.n, "actualizado": evento.en})
