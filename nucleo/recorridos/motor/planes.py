"""Another plan for what is left of a run: proposed by who coordinates, accepted or discarded by a person."""

from __future__ import annotations

from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import (
    EstadoPaso,
    EstadoRecorrido,
    MotivoEntrega,
    Propuesta,
    Recorrido,
    Situacion,
)
from nucleo.recorridos.motor.borrador import Borrador
from nucleo.recorridos.motor.orden import Orden
from nucleo.recorridos.plan import Plan
from nucleo.recorridos.validar import PlanValido, validar
from nucleo.recorridos.valores import canonico, mismo


def proponer(orden: Orden, borrador: Borrador) -> None:
    """Leave the run paused with the proposal. Raises ErrorRecorrido FALTA_MOTIVO, PASADO_ALTERADO, PlanInvalido…"""
    if not orden.comando.mensaje.strip():
        raise ErrorRecorrido(
            "FALTA_MOTIVO", "Falta el motivo del cambio de plan: una persona lo leerá para decidir."
        )
    if orden.comando.plan is None:
        raise ErrorRecorrido("COMANDO_INVALIDO", "Falta el plan que se propone.")
    plan = orden.comando.plan
    if mismo(plan, orden.plan.plan):
        raise ErrorRecorrido("COMANDO_INVALIDO", "El plan propuesto es igual que el que hay: no cambia nada.")
    _revisar(orden, plan)
    borrador.propuesta = Propuesta(
        plan=plan, motivo=orden.comando.mensaje.strip(), autor=orden.actor, base=orden.antes.revision
    )
    borrador.estado = EstadoRecorrido.PAUSADO


def aceptar(orden: Orden, borrador: Borrador) -> None:
    """The proposal becomes the plan; it is checked again, since the installation may have changed meanwhile."""
    if borrador.propuesta is None:
        raise ErrorRecorrido("SIN_PROPUESTA", "No hay ningún plan propuesto: vuelve a leer el recorrido.")
    nuevo = _revisar(orden, borrador.propuesta.plan)
    borrador.pasos = {i: _estado(orden, nuevo, i, borrador.revision) for i in nuevo.pasos}
    borrador.plan = nuevo
    borrador.plan_nuevo = nuevo.plan
    _seguir(borrador)


def descartar(_: Orden, borrador: Borrador) -> None:
    """Go on with the plan there was."""
    _seguir(borrador)


def _seguir(borrador: Borrador) -> None:
    borrador.propuesta = None
    borrador.estado = EstadoRecorrido.ACTIVO
    borrador.entrega = MotivoEntrega.PLAN


def _estado(orden: Orden, nuevo: PlanValido, paso: str, revision: int) -> EstadoPaso:
    """As it was where the step is the same; as new where it is not."""
    viejo = orden.plan.pasos.get(paso)
    if viejo is not None and mismo(viejo, nuevo.pasos[paso]):
        return orden.antes.pasos[paso]
    return EstadoPaso(rev_base=revision)


def _revisar(orden: Orden, plan: Plan) -> PlanValido:
    nuevo = validar(plan, orden.casa)
    alterado = _alterado(orden.plan.plan, plan) + _pasado(orden, nuevo)
    if alterado:
        raise ErrorRecorrido(
            "PASADO_ALTERADO",
            f"El plan propuesto cambia lo que ya ocurrió o se preguntó: {', '.join(alterado)}. Déjalo como estaba.",
        )
    _exigir_dispensados(orden.antes, nuevo)
    return nuevo


def _alterado(viejo: Plan, nuevo: Plan) -> list[str]:
    """Parts of the whole that were settled when the run was created."""
    partes = []
    if viejo.plantilla != nuevo.plantilla:
        partes.append("la plantilla")
    if viejo.peticion != nuevo.peticion:
        partes.append("la petición")
    if canonico(viejo.contexto) != canonico(nuevo.contexto):
        partes.append("el contexto")
    return partes


def _pasado(orden: Orden, nuevo: PlanValido) -> list[str]:
    return [
        i
        for i, paso in orden.plan.pasos.items()
        if not _por_venir(orden.antes.pasos[i]) and (i not in nuevo.pasos or not mismo(paso, nuevo.pasos[i]))
    ]


def _por_venir(estado: EstadoPaso) -> bool:
    """Nobody has taken it nor been asked about it yet."""
    sin_tocar = estado.intento == 0 and estado.rehechos == 0
    return sin_tocar and (estado.estado is Situacion.BLOQUEADO or estado.estado is Situacion.LISTO)


def _exigir_dispensados(antes: Recorrido, nuevo: PlanValido) -> None:
    omitidos = {i for i, p in antes.pasos.items() if p.estado is Situacion.OMITIDO}
    for i, estado in antes.pasos.items():
        exigen = [e for e in nuevo.exigen.get(i, ()) if e not in omitidos]
        if estado.estado is Situacion.DISPENSADO and exigen:
            raise ErrorRecorrido(
                "SALIDA_NECESARIA",
                f"«{i}» se dispensó y no dejó nada, pero lo necesitan: {', '.join(exigen)}.",
            )
