"""One command on one snapshot: who, when, on what screen, what changes and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import Actor, Comando, TipoComando
from nucleo.recorridos.estado import Cambio, Recorrido
from nucleo.recorridos.motor import gobierno, maquina, persona, planes
from nucleo.recorridos.motor.admision import exigir_recorrido, exigir_situacion
from nucleo.recorridos.motor.aviso import avisar
from nucleo.recorridos.motor.borrador import Borrador, borrador_de
from nucleo.recorridos.motor.forma import exigir_forma
from nucleo.recorridos.motor.orden import Orden
from nucleo.recorridos.motor.permiso import exigir_clase, exigir_permiso
from nucleo.recorridos.motor.propagar import propagar
from nucleo.recorridos.motor.revision import exigir_revision
from nucleo.recorridos.validar import PlanValido

TRANSICIONES: Mapping[TipoComando, Callable[[Orden, Borrador], None]] = {
    TipoComando.INICIAR: maquina.iniciar,
    TipoComando.LATIDO: maquina.latido,
    TipoComando.ANOTAR: maquina.anotar,
    TipoComando.COMPLETAR: maquina.completar,
    TipoComando.FALLAR: maquina.fallar,
    TipoComando.VENCER: maquina.vencer,
    TipoComando.REINTENTAR: maquina.reintentar,
    TipoComando.RESPONDER: persona.contestar,
    TipoComando.APROBAR: persona.contestar,
    TipoComando.RECHAZAR: persona.rechazar,
    TipoComando.DISPENSAR: persona.dispensar,
    TipoComando.PAUSAR: gobierno.pausar,
    TipoComando.REANUDAR: gobierno.reanudar,
    TipoComando.CANCELAR: gobierno.cancelar,
    TipoComando.ARCHIVAR: gobierno.archivar,
    TipoComando.DESARCHIVAR: gobierno.desarchivar,
    TipoComando.PROPONER_PLAN: planes.proponer,
    TipoComando.ACEPTAR_PLAN: planes.aceptar,
    TipoComando.DESCARTAR_PLAN: planes.descartar,
}


def aplicar(  # noqa: PLR0913, PLR0917 - the run, the command and the world it is given in
    plan: PlanValido, antes: Recorrido, comando: Comando, actor: Actor, casa: Casa, ahora: datetime
) -> Cambio:
    """What an accepted command changes. `plan` is the run's present one; `ahora`, aware UTC.

    Raises ErrorRecorrido (every code but those of the store); then nothing has changed. Repeated commands are the
    store's business: here each one is new.
    """
    orden = Orden(plan=plan, antes=antes, comando=comando, actor=actor, casa=casa, ahora=ahora)
    exigir_clase(actor, comando.tipo, antes)
    exigir_forma(orden)
    exigir_permiso(orden)
    exigir_recorrido(orden)
    exigir_revision(orden)
    exigir_situacion(orden)
    borrador = borrador_de(plan, antes, comando, actor, ahora)
    TRANSICIONES[comando.tipo](orden, borrador)
    if comando.tipo is not TipoComando.LATIDO:
        borrador.ordenado(comando)
        propagar(borrador)
        avisar(orden, borrador)
    return borrador.cerrar()
