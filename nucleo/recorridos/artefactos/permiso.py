"""Who may leave a file in a run: whoever works on a step, or a person at a question that waits for them."""

from __future__ import annotations

from nucleo.recorridos.artefactos.modelo import NuevoArtefacto
from nucleo.recorridos.comandos import EJECUTOR, Actor, ClaseActor
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import ABIERTAS, TERMINALES, EstadoPaso, Situacion
from nucleo.recorridos.motor.orden import es_agente
from nucleo.recorridos.plan import Paso
from nucleo.recorridos.quien import edita
from nucleo.recorridos.relevo import Foto


def exigir_permiso(foto: Foto, nuevo: NuevoArtefacto, actor: Actor) -> None:
    """Raises ErrorRecorrido TERMINADO, NO_EXISTE, PROHIBIDO, NO_ESPERA, NO_EN_CURSO or INTENTO_VIEJO."""
    paso = next((p for p in foto.plan.pasos if p.id == nuevo.paso), None)
    if paso is None:
        raise ErrorRecorrido("NO_EXISTE", f"No hay ningún paso «{nuevo.paso}» en este plan.")
    estado = foto.recorrido.pasos[paso.id]
    if actor.clase is ClaseActor.PERSONA:
        _exigir_persona(paso, actor)
    else:
        _exigir_maquina(paso, estado, actor)
    if foto.recorrido.estado in TERMINALES:
        raise ErrorRecorrido("TERMINADO", "El recorrido ha terminado: ya no se le añade nada.")
    if actor.clase is ClaseActor.PERSONA:
        if estado.estado is not Situacion.ESPERANDO or nuevo.intento is not None:
            raise ErrorRecorrido("NO_ESPERA", f"«{paso.titulo}» no espera nada de una persona ahora.")
    elif nuevo.intento != estado.intento:
        raise ErrorRecorrido("INTENTO_VIEJO", f"El intento de «{paso.titulo}» es ahora el {estado.intento}.")
    elif estado.estado not in ABIERTAS:
        raise ErrorRecorrido("NO_EN_CURSO", f"«{paso.titulo}» no está en curso: está {estado.estado}.")


def _exigir_persona(paso: Paso, actor: Actor) -> None:
    if not edita(actor) or (paso.rol == "admin" and actor.rol != "admin"):
        raise ErrorRecorrido(
            "PROHIBIDO", f"En «{paso.titulo}» no puedes dejar ficheros: pide el papel que hace falta."
        )


def _exigir_maquina(paso: Paso, estado: EstadoPaso, actor: Actor) -> None:
    """The worker of the newest attempt, or the installation in its own steps."""
    ultimo = estado.ultimo
    if ultimo is None:
        raise ErrorRecorrido("NO_EN_CURSO", f"«{paso.titulo}» no tiene ningún intento.")
    propio = actor.clase is ClaseActor.EJECUTOR and (
        paso.ejecutor is not None or ultimo.trabajador == EJECUTOR.nombre
    )
    if not propio and not es_agente(actor, ultimo.trabajador):
        raise ErrorRecorrido(
            "PROHIBIDO", f"El intento de «{paso.titulo}» lo lleva otro: no puedes dejar ficheros en él."
        )
