"""Commands about the attempts at a machine step: begin, beat, note, end, expire, try again."""

from __future__ import annotations

from datetime import timedelta

from nucleo.recorridos.comandos import ClaseActor, RefExterna
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import EstadoIntento, Intento, MotivoEntrega, Situacion
from nucleo.recorridos.motor.borrador import Borrador
from nucleo.recorridos.motor.datos import salidas_de
from nucleo.recorridos.motor.orden import Orden
from nucleo.recorridos.plan import Ejecutor

ARRIENDO_S = Ejecutor().arriendo_s
"""Lease of the steps that a coordinator takes by itself, in seconds."""


def iniciar(orden: Orden, borrador: Borrador) -> None:
    """A new attempt, with its number and its lease."""
    paso, comando = orden.paso, orden.comando
    arriendo_s = paso.ejecutor.arriendo_s if paso.ejecutor else ARRIENDO_S
    borrador.poner(paso.id, Situacion.EN_CURSO)
    borrador.poner_intento(
        paso.id,
        Intento(
            paso=paso.id,
            n=orden.estado.intento + 1,
            estado=EstadoIntento.EN_CURSO,
            trabajador=comando.trabajador or orden.actor.nombre,
            iniciado=orden.ahora,
            vence=orden.ahora + timedelta(seconds=arriendo_s),
            arriendo_s=arriendo_s,
            ref=comando.ref or RefExterna(),
        ),
    )


def latido(orden: Orden, borrador: Borrador) -> None:
    """The lease begins again; a clock that went back never shortens it."""
    ultimo = _ultimo(orden)
    vence = max(ultimo.vence, orden.ahora + timedelta(seconds=ultimo.arriendo_s))
    borrador.poner_intento(orden.paso.id, ultimo.model_copy(update={"vence": vence}))


def anotar(orden: Orden, _: Borrador) -> None:
    """Only its event. Raises ErrorRecorrido FALTA_EVIDENCIA for an empty note."""
    _exigir_evidencia(orden, "Falta la nota: di en una frase qué pasó.")


def completar(orden: Orden, borrador: Borrador) -> None:
    """Outputs and evidence; if they are not good the attempt stays open to put them right."""
    _exigir_evidencia(orden, "Falta la evidencia: di en una frase qué se hizo y dónde se ve.")
    salidas = salidas_de(orden.paso, orden.comando.salidas, orden.plan.esquemas)
    _cerrar(orden, borrador, Situacion.COMPLETADO, EstadoIntento.COMPLETADO)
    borrador.poner(orden.paso.id, Situacion.COMPLETADO, salidas=salidas)


def fallar(orden: Orden, borrador: Borrador) -> None:
    """Why it could not be done."""
    _exigir_evidencia(orden, "Falta el motivo: di en una frase qué falló.")
    _cerrar(orden, borrador, Situacion.FALLIDO, EstadoIntento.FALLIDO)


def vencer(orden: Orden, borrador: Borrador) -> None:
    """The lease passed: it may have happened or not. Raises ErrorRecorrido VIGENTE before that."""
    ultimo = _ultimo(orden)
    if orden.ahora < ultimo.vence:
        raise ErrorRecorrido("VIGENTE", f"El intento de {orden.titulo} sigue dentro de su plazo.")
    borrador.poner(orden.paso.id, Situacion.DUDOSO)
    borrador.poner_intento(orden.paso.id, ultimo.model_copy(update={"estado": EstadoIntento.DUDOSO}))


def reintentar(orden: Orden, borrador: Borrador) -> None:
    """Ready again. A doubtful attempt is left for lost, once somebody says how it was checked."""
    if orden.estado.estado is Situacion.DUDOSO:
        _exigir_conciliacion(orden)
        abandonado = _ultimo(orden).model_copy(
            update={
                "estado": EstadoIntento.ABANDONADO,
                "terminado": orden.ahora,
                "mensaje": orden.comando.mensaje.strip(),
            }
        )
        borrador.poner_intento(orden.paso.id, abandonado)
    borrador.poner(orden.paso.id, Situacion.LISTO)
    borrador.entrega = MotivoEntrega.REINTENTO


def _exigir_conciliacion(orden: Orden) -> None:
    if not orden.comando.reconciliado or not orden.comando.mensaje.strip():
        raise ErrorRecorrido(
            "FALTA_RECONCILIAR",
            f"{orden.titulo} puede haber ocurrido: comprueba si se hizo y di cómo lo has comprobado.",
        )
    if orden.actor.clase is not ClaseActor.PERSONA and orden.comando.intento is None:
        raise ErrorRecorrido("COMANDO_INVALIDO", "Falta el número del intento que se ha comprobado.")


def _exigir_evidencia(orden: Orden, frase: str) -> None:
    if not orden.comando.mensaje.strip():
        raise ErrorRecorrido("FALTA_EVIDENCIA", frase)


def _cerrar(orden: Orden, borrador: Borrador, situacion: Situacion, estado: EstadoIntento) -> None:
    mensaje = orden.comando.mensaje.strip()
    borrador.poner(orden.paso.id, situacion, resultado=mensaje)
    borrador.poner_intento(
        orden.paso.id,
        _ultimo(orden).model_copy(update={"estado": estado, "terminado": orden.ahora, "mensaje": mensaje}),
    )


def _ultimo(orden: Orden) -> Intento:
    if orden.estado.ultimo is None:
        raise ErrorRecorrido("NO_EN_CURSO", f"{orden.titulo} no tiene ningún intento.")
    return orden.estado.ultimo
