"""What a person decides at a step: answer, approve, reject, waive."""

from __future__ import annotations

from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import EstadoRecorrido, MotivoEntrega, Situacion
from nucleo.recorridos.motor.borrador import Borrador
from nucleo.recorridos.motor.datos import salida_invalida, salidas_de
from nucleo.recorridos.motor.orden import Orden
from nucleo.recorridos.plan import Valores


def contestar(orden: Orden, borrador: Borrador) -> None:
    """Answer or approve, with the step's outputs. Raises ErrorRecorrido SALIDA_INVALIDA."""
    salidas = salidas_de(orden.paso, orden.comando.salidas, orden.plan.esquemas)
    _exigir_regla(orden, salidas)
    _decidir(orden, borrador, Situacion.COMPLETADO, salidas=salidas)


def _exigir_regla(orden: Orden, salidas: Valores) -> None:
    """The domain's own rule on the answer. Raises ErrorRecorrido SALIDA_INVALIDA, or NO_EXISTE without its template."""
    nombre = orden.plan.plan.plantilla
    if nombre is None:
        return
    plantilla = orden.casa.plantillas.get(nombre)
    if plantilla is None:
        raise ErrorRecorrido(
            "NO_EXISTE",
            f"La plantilla «{nombre}» ya no está en esta instalación: hace falta para decidir aquí.",
        )
    problemas = plantilla.respuesta(orden.paso, orden.estado.entradas or {}, salidas)
    if problemas:
        raise salida_invalida(orden.paso, [p.mensaje for p in problemas])


def rechazar(orden: Orden, borrador: Borrador) -> None:
    """End the run; or, where the plan says what to make again, make it again as many times as it allows.

    Raises ErrorRecorrido FALTA_MOTIVO.
    """
    _exigir_motivo(orden)
    if orden.paso.rehacer_desde is None:
        _decidir(orden, borrador, Situacion.RECHAZADO)
        borrador.estado = EstadoRecorrido.RECHAZADO
        return
    for i in orden.plan.regiones[orden.paso.id]:
        borrador.poner(i, Situacion.BLOQUEADO, entradas=None, salidas=None)
    _decidir(orden, borrador, Situacion.BLOQUEADO, entradas=None, rehechos=orden.estado.rehechos + 1)


def dispensar(orden: Orden, borrador: Borrador) -> None:
    """Do without the step. Raises ErrorRecorrido FALTA_MOTIVO."""
    _exigir_motivo(orden)
    _decidir(orden, borrador, Situacion.DISPENSADO)


def _exigir_motivo(orden: Orden) -> None:
    if not orden.comando.mensaje.strip():
        raise ErrorRecorrido("FALTA_MOTIVO", f"Falta el motivo de «{orden.tipo}»: di en una frase por qué.")


def _decidir(orden: Orden, borrador: Borrador, situacion: Situacion, **cambios: object) -> None:
    borrador.poner(
        orden.paso.id,
        situacion,
        resultado=orden.comando.mensaje.strip(),
        decidido_por=orden.actor.nombre,
        **cambios,
    )
    borrador.entrega = MotivoEntrega.RESPUESTA
