"""Whether the state of the run and of the step admit a command, whatever it carries."""

from __future__ import annotations

from nucleo.recorridos.comandos import ClaseActor, TipoComando
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import ABIERTAS, TERMINALES, EstadoRecorrido, Situacion
from nucleo.recorridos.motor.orden import DE_RECORRIDO, Orden
from nucleo.recorridos.plan import HUMANO, MAQUINA, Clase

EN_PAUSA = frozenset(
    (
        TipoComando.REANUDAR,
        TipoComando.CANCELAR,
        TipoComando.ACEPTAR_PLAN,
        TipoComando.DESCARTAR_PLAN,
        TipoComando.LATIDO,
        TipoComando.ANOTAR,
        TipoComando.COMPLETAR,
        TipoComando.FALLAR,
        TipoComando.VENCER,
    )
)
"""What was under way may end while the run is paused; nothing begins."""

CLASES = {
    TipoComando.RESPONDER: frozenset((Clase.MANUAL,)),
    TipoComando.APROBAR: frozenset((Clase.APROBACION,)),
    TipoComando.RECHAZAR: frozenset((Clase.APROBACION,)),
    TipoComando.DISPENSAR: MAQUINA | {Clase.MANUAL},
}
"""Classes of step of a command; those that are not here are of machine steps."""

SITUACIONES = {
    TipoComando.INICIAR: (frozenset((Situacion.LISTO,)), "NO_LISTO"),
    TipoComando.LATIDO: (frozenset((Situacion.EN_CURSO,)), "NO_EN_CURSO"),
    TipoComando.ANOTAR: (frozenset((Situacion.EN_CURSO,)), "NO_EN_CURSO"),
    TipoComando.COMPLETAR: (ABIERTAS, "NO_EN_CURSO"),
    TipoComando.FALLAR: (ABIERTAS, "NO_EN_CURSO"),
    TipoComando.VENCER: (frozenset((Situacion.EN_CURSO,)), "NO_EN_CURSO"),
    TipoComando.REINTENTAR: (frozenset((Situacion.FALLIDO, Situacion.DUDOSO)), "NO_FALLIDO"),
    TipoComando.RESPONDER: (frozenset((Situacion.ESPERANDO,)), "NO_ESPERA"),
    TipoComando.APROBAR: (frozenset((Situacion.ESPERANDO,)), "NO_ESPERA"),
    TipoComando.RECHAZAR: (frozenset((Situacion.ESPERANDO,)), "NO_ESPERA"),
    TipoComando.DISPENSAR: (
        frozenset((Situacion.LISTO, Situacion.ESPERANDO, Situacion.FALLIDO)),
        "NO_DISPENSABLE",
    ),
}


def exigir_recorrido(orden: Orden) -> None:
    """Terminal, paused and archived runs. Raises ErrorRecorrido TERMINADO, PAUSADO, PROPUESTA_ABIERTA or ESTADO."""
    antes, tipo = orden.antes, orden.tipo
    terminal = antes.estado in TERMINALES
    if tipo in (TipoComando.ARCHIVAR, TipoComando.DESARCHIVAR):
        if not terminal:
            raise ErrorRecorrido("ESTADO", "Solo se archiva un recorrido terminado: este sigue abierto.")
        if (antes.archivado is not None) == (tipo is TipoComando.ARCHIVAR):
            raise ErrorRecorrido("ESTADO", "Ya está así: no hay nada que hacer.")
    elif terminal:
        raise ErrorRecorrido(
            "TERMINADO", f"El recorrido está {antes.estado}: no admite nada más.", revision=antes.revision
        )
    elif antes.estado is EstadoRecorrido.PAUSADO and tipo not in EN_PAUSA:
        raise _en_pausa(orden)
    elif tipo is TipoComando.REANUDAR and antes.estado is EstadoRecorrido.ACTIVO:
        raise ErrorRecorrido(
            "ESTADO", "El recorrido no está en pausa: sigue activo.", revision=antes.revision
        )
    elif tipo is TipoComando.REANUDAR and antes.propuesta is not None:
        raise ErrorRecorrido("PROPUESTA_ABIERTA", "Hay un plan propuesto: acéptalo o descártalo para seguir.")
    elif tipo in (TipoComando.ACEPTAR_PLAN, TipoComando.DESCARTAR_PLAN) and antes.propuesta is None:
        raise ErrorRecorrido("SIN_PROPUESTA", "No hay ningún plan propuesto: vuelve a leer el recorrido.")


def _en_pausa(orden: Orden) -> ErrorRecorrido:
    revision = orden.antes.revision
    if orden.antes.propuesta is None:
        return ErrorRecorrido(
            "PAUSADO", "El recorrido está en pausa: una persona tiene que reanudarlo.", revision=revision
        )
    if orden.tipo is TipoComando.PROPONER_PLAN:
        return ErrorRecorrido(
            "PROPUESTA_ABIERTA",
            "Ya hay un plan propuesto: espera a que una persona decida.",
            revision=revision,
        )
    return ErrorRecorrido(
        "PAUSADO", "Hay un plan propuesto: antes hay que aceptarlo o descartarlo.", revision=revision
    )


def exigir_situacion(orden: Orden) -> None:
    """Class and state of the step, and what the plan allows there.

    Raises ErrorRecorrido TRABAJO_EN_CURSO, CLASE, INTENTO_VIEJO, one of SITUACIONES, FALTA_RECONCILIAR,
    REHECHOS_AGOTADOS or SALIDA_NECESARIA.
    """
    if orden.tipo in DE_RECORRIDO:
        _exigir_quieto(orden)
        return
    paso, estado = orden.paso, orden.estado
    if paso.clase not in CLASES.get(orden.tipo, MAQUINA):
        raise ErrorRecorrido("CLASE", f"{orden.titulo} es de clase {paso.clase}: no admite «{orden.tipo}».")
    intento = orden.comando.intento
    if intento is not None and paso.clase in MAQUINA and intento != estado.intento:
        raise ErrorRecorrido(
            "INTENTO_VIEJO",
            f"{orden.titulo} va por el intento {estado.intento} y esto es del {intento}: no cuenta.",
        )
    situaciones, codigo = SITUACIONES[orden.tipo]
    if estado.estado not in situaciones:
        raise ErrorRecorrido(codigo, _no_admite(orden), revision=orden.antes.revision)
    match orden.tipo:
        case TipoComando.REINTENTAR if estado.estado is Situacion.DUDOSO:
            _exigir_conciliador(orden)
        case TipoComando.RECHAZAR if paso.rehacer_desde is not None:
            _exigir_rehechos(orden)
        case TipoComando.DISPENSAR:
            _exigir_prescindible(orden)


def _exigir_quieto(orden: Orden) -> None:
    if orden.tipo is not TipoComando.PROPONER_PLAN:
        return
    abiertos = [i for i, p in orden.antes.pasos.items() if p.estado in ABIERTAS]
    if abiertos:
        raise ErrorRecorrido(
            "TRABAJO_EN_CURSO",
            f"Hay trabajo empezado ({', '.join(abiertos)}): termínalo o dalo por fallido antes de proponer otro plan.",
        )


def _exigir_conciliador(orden: Orden) -> None:
    """A person, or the installation where repeating does no harm."""
    repetible = orden.paso.ejecutor is not None and orden.paso.ejecutor.repetible
    if orden.actor.clase is ClaseActor.PERSONA or (orden.actor.clase is ClaseActor.EJECUTOR and repetible):
        return
    raise ErrorRecorrido(
        "FALTA_RECONCILIAR", f"{orden.titulo} puede haber ocurrido: una persona tiene que comprobarlo antes."
    )


def _exigir_rehechos(orden: Orden) -> None:
    if orden.estado.rehechos >= orden.paso.max_rehechos:
        raise ErrorRecorrido(
            "REHECHOS_AGOTADOS",
            f"{orden.titulo} ya se rehízo {orden.estado.rehechos} veces, las que permite el plan: "
            "apruébalo, pide otro plan a quien coordina o cancela el recorrido.",
        )


def _exigir_prescindible(orden: Orden) -> None:
    exigen = [
        i for i in orden.plan.exigen[orden.paso.id] if orden.antes.pasos[i].estado is not Situacion.OMITIDO
    ]
    if exigen:
        raise ErrorRecorrido(
            "SALIDA_NECESARIA",
            f"No se puede dispensar {orden.titulo}: lo que deja lo necesitan {', '.join(exigen)}.",
        )


def _no_admite(orden: Orden) -> str:
    quien = (
        f", por {orden.estado.decidido_por}"
        if orden.estado.decidido_por and orden.paso.clase in HUMANO
        else ""
    )
    return f"{orden.titulo} está {str(orden.estado.estado).replace('_', ' ')}{quien}: no admite «{orden.tipo}» ahora."
