"""Who may ask for what. Whatever is not allowed here is refused."""

from __future__ import annotations

from nucleo.recorridos.comandos import Actor, ClaseActor, TipoComando
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import Recorrido, Situacion
from nucleo.recorridos.motor.forma import INFORMES
from nucleo.recorridos.motor.orden import DE_RECORRIDO, Orden, es_agente, es_coordinador
from nucleo.recorridos.plan import Paso

DE_PERSONA = frozenset(
    (
        TipoComando.RESPONDER,
        TipoComando.APROBAR,
        TipoComando.RECHAZAR,
        TipoComando.DISPENSAR,
        TipoComando.PAUSAR,
        TipoComando.REANUDAR,
        TipoComando.CANCELAR,
        TipoComando.ACEPTAR_PLAN,
        TipoComando.DESCARTAR_PLAN,
        TipoComando.ARCHIVAR,
        TipoComando.DESARCHIVAR,
    )
)


def exigir_clase(actor: Actor, tipo: TipoComando, recorrido: Recorrido) -> None:
    """What can be told without looking at the step. Raises ErrorRecorrido PROHIBIDO."""
    if actor.clase is ClaseActor.PERSONA:
        if actor.rol not in ("admin", "editor"):
            raise _prohibido("Puedes mirar este recorrido, pero no cambiarlo: pide el papel de editor.")
        if tipo not in DE_PERSONA and tipo is not TipoComando.REINTENTAR:
            raise _prohibido(f"«{tipo}» no lo hace una persona: es de quien lleva el paso.")
    elif tipo in DE_PERSONA:
        raise _prohibido(f"«{tipo}» lo hace una persona: espera a que decida.")
    elif (tipo is TipoComando.VENCER) != (actor.clase is ClaseActor.RELOJ):
        raise _prohibido(f"«{tipo}» no es de {actor.clase}.")
    elif tipo is TipoComando.PROPONER_PLAN and not es_coordinador(actor, recorrido):
        raise _prohibido(f"Solo quien coordina el recorrido ({recorrido.coordinador}) propone otro plan.")


def exigir_permiso(orden: Orden) -> None:
    """What depends on the step; after `exigir_clase`. Raises ErrorRecorrido PROHIBIDO."""
    if orden.tipo in DE_RECORRIDO:
        return
    actor, paso = orden.actor, orden.paso
    if actor.clase is ClaseActor.PERSONA:
        if paso.rol == "admin" and actor.rol != "admin":
            raise _prohibido(f"{orden.titulo} lo decide quien administra: pídeselo.")
    elif orden.tipo in INFORMES:
        if not _lleva_el_intento(orden):
            raise _prohibido(f"El intento de {orden.titulo} lo lleva otro: no puedes informar de él.")
    elif orden.tipo is TipoComando.INICIAR:
        if not le_toca(actor, paso, orden.antes):
            raise _prohibido(f"{orden.titulo} no te toca: {_de_quien(paso, orden.antes)}.")
        _exigir_ajeno(orden)
    elif orden.tipo is TipoComando.REINTENTAR and not _puede_reintentar(orden):
        raise _prohibido(f"{orden.titulo} lo reintenta quien coordina o una persona.")


def _lleva_el_intento(orden: Orden) -> bool:
    """The worker of the newest attempt; or the installation, in the steps that it takes."""
    ultimo = orden.estado.ultimo
    if orden.actor.clase is ClaseActor.EJECUTOR:
        return le_toca(orden.actor, orden.paso, orden.antes)
    if ultimo is None:
        return es_coordinador(orden.actor, orden.antes)
    return es_agente(orden.actor, ultimo.trabajador)


def le_toca(actor: Actor, paso: Paso, recorrido: Recorrido) -> bool:
    """Whether the actor begins that machine step: the installation where it has `ejecutor`, else who leads."""
    if paso.ejecutor is not None:
        return actor.clase is ClaseActor.EJECUTOR
    return es_coordinador(actor, recorrido)


def _de_quien(paso: Paso, recorrido: Recorrido) -> str:
    if paso.ejecutor is not None:
        return "lo hace la instalación"
    return f"lo hace quien coordina ({recorrido.coordinador})"


def _exigir_ajeno(orden: Orden) -> None:
    """Only the installation may say that another one does the work, and where to look for it."""
    if orden.actor.clase is ClaseActor.AGENTE and (orden.comando.trabajador or orden.comando.ref):
        raise _prohibido(
            "Quién hace el trabajo y dónde se sigue lo dice la instalación: quita «trabajador» y «ref»."
        )


def _puede_reintentar(orden: Orden) -> bool:
    if es_coordinador(orden.actor, orden.antes):
        return True
    dudoso = orden.estado.estado is Situacion.DUDOSO
    return orden.actor.clase is ClaseActor.EJECUTOR and orden.paso.ejecutor is not None and dudoso


def _prohibido(mensaje: str) -> ErrorRecorrido:
    return ErrorRecorrido("PROHIBIDO", mensaje)
