"""Whether whoever decides saw what there is now.

A decision on a step is good while what it rests on has not changed since the revision that was on the screen
(`rev_base`); one on the whole run needs the present revision. Pausing and cancelling are brakes: any revision is good.
"""

from __future__ import annotations

from nucleo.recorridos.comandos import ClaseActor, TipoComando
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.motor.orden import DE_RECORRIDO, Orden

EXACTA = frozenset(
    (
        TipoComando.REANUDAR,
        TipoComando.PROPONER_PLAN,
        TipoComando.ACEPTAR_PLAN,
        TipoComando.DESCARTAR_PLAN,
    )
)


def exigir_revision(orden: Orden) -> None:
    """Raises ErrorRecorrido REVISION_REQUERIDA or REVISION_DESFASADA."""
    if orden.tipo in EXACTA:
        _entre(orden, orden.antes.revision)
    elif orden.tipo not in DE_RECORRIDO and orden.actor.clase is ClaseActor.PERSONA:
        _entre(orden, orden.estado.rev_base)


def _entre(orden: Orden, minima: int) -> None:
    ahora, vista = orden.antes.revision, orden.comando.revision
    if vista is None:
        raise ErrorRecorrido(
            "REVISION_REQUERIDA", f"Falta la revisión sobre la que se decide «{orden.tipo}».", revision=ahora
        )
    if vista > ahora:
        raise ErrorRecorrido(
            "REVISION_DESFASADA",
            f"La revisión {vista} aún no existe (va por la {ahora}): mira cómo está y decide con la que veas.",
            revision=ahora,
        )
    if vista < minima:
        raise ErrorRecorrido(
            "REVISION_DESFASADA",
            f"Esto cambió después de la revisión {vista} (ya va por la {ahora}){_quien_decidio(orden)}: "
            "mira cómo está y decide otra vez.",
            revision=ahora,
        )


def _quien_decidio(orden: Orden) -> str:
    """For whoever answers second."""
    if orden.tipo in DE_RECORRIDO or not orden.estado.decidido_por:
        return ""
    return f"; {orden.titulo} lo decidió {orden.estado.decidido_por}"
