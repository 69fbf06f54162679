"""What changes a run: its creation and every command, each in one transaction with all that follows from it.

Order inside it: the receipt before anything else, then the engine's rules, then the snapshot with its events,
attempts, plan, notice and receipt. What is refused leaves nothing in the run and does not use up its identifier.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime

from nucleo.recorridos import almacen, motor, recibos
from nucleo.recorridos.almacen import Guardado, PlanNuevo
from nucleo.recorridos.artefactos import almacen as artefactos
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import EJECUTOR, Actor, ClaseActor, Comando, TipoComando
from nucleo.recorridos.encargos import exigir_encargados
from nucleo.recorridos.enlaces import servicio as enlaces
from nucleo.recorridos.entregas import avisos
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.esperas import cuentas_de, esperas_de
from nucleo.recorridos.estado import TERMINALES, Cambio, Recorrido
from nucleo.recorridos.identificadores import nuevo_id
from nucleo.recorridos.peticiones import GENERAL, PeticionCrear, Recibo
from nucleo.recorridos.plan import Plan, Tipo
from nucleo.recorridos.plan_guardado import huella_de, plan_de
from nucleo.recorridos.rechazos import anotar_rechazo
from nucleo.recorridos.transacciones import escritura
from nucleo.recorridos.validar import PlanValido, validar
from nucleo.recorridos.version_plan import VersionPlan

__all__ = ["PeticionCrear", "Recibo", "crear", "mandar"]


def crear(
    con: sqlite3.Connection, casa: Casa, peticion: PeticionCrear, actor: Actor, ahora: datetime
) -> Recibo:
    """A new run, or the one that the same request made before. `ahora`: aware UTC.

    Raises ErrorRecorrido: PLAN_INVALIDO, COMANDO_INVALIDO (not the template's domain), PROHIBIDO, NO_EXISTE (template,
    object or parent), PADRE_ARCHIVADO, FALTA_MOTIVO, CLAVE_REUTILIZADA, OCUPADO.
    """
    marca = recibos.marca_de("crear", peticion.comando_id, peticion, actor)
    with escritura(con):
        if (antes := recibos.anterior(con, marca)) is not None:
            return _otra_vez(antes)
        plan = validar(_plan_pedido(peticion, casa), casa)
        coordinador = peticion.coordinador or _coordinador(actor)
        dominio = _dominio(peticion, plan.plan, casa)
        nuevo = motor.Nuevo(
            id=nuevo_id("rec", ahora),
            dominio=dominio,
            objeto_id=peticion.objeto_id,
            coordinador=coordinador,
            vence=casa.plazo(dominio, peticion.objeto_id),
        )
        cambio = motor.crear(plan, nuevo, actor, ahora)
        exigir_encargados(plan.plan, coordinador, actor)
        version = VersionPlan(
            version=1, motivo=peticion.motivo, autor=actor, aceptado_por=None, revision=1, creado=ahora
        )
        almacen.poner_recorrido(
            con,
            cambio.recorrido,
            cuentas_de(plan.plan, cambio.recorrido),
            PlanNuevo(plan.plan, huella_de(plan.plan), version),
        )
        almacen.poner_esperas(con, nuevo.id, esperas_de(plan.plan, cambio.recorrido), ahora)
        _anadir(con, casa, cambio, ahora)
        if peticion.padre is not None:
            enlaces.enlazar_nacido(con, peticion.padre, nuevo.id, peticion.motivo, actor, ahora)
        recibo = _recibo(cambio.recorrido, None)
        recibos.guardar(con, marca, recibo)
        return recibo


def mandar(  # noqa: PLR0913, PLR0917 - the run, the command and the world it is given in
    con: sqlite3.Connection, casa: Casa, rid: str, comando: Comando, actor: Actor, ahora: datetime
) -> Recibo:
    """Do the command, or tell again what it did before. `ahora`: aware UTC.

    Raises ErrorRecorrido with any code of the engine, CLAVE_REUTILIZADA or OCUPADO. Refusals that somebody should know
    of are kept as evidence. A sign of life leaves no receipt: given again it is only another one.
    """
    marca = recibos.marca_de(rid, comando.comando_id, comando, actor)
    try:
        with escritura(con):
            if (antes := recibos.anterior(con, marca)) is not None:
                return _otra_vez(antes)
            guardado = almacen.guardado(con, rid)
            plan = plan_de(con, casa, guardado)
            cambio = motor.aplicar(plan, guardado.recorrido, comando, actor, casa, ahora)
            _exigir_artefactos(con, rid, plan, comando)
            if cambio.plan_nuevo is not None:
                _cambiar_plan(con, guardado, cambio.recorrido, cambio.plan_nuevo, actor, ahora)
            _guardar(con, plan.plan, guardado, cambio, ahora)
            _anadir(con, casa, cambio, ahora)
            recibo = _recibo(cambio.recorrido, comando)
            if comando.tipo is not TipoComando.LATIDO:
                recibos.guardar(con, marca, recibo)
            return recibo
    except ErrorRecorrido as error:
        anotar_rechazo(con, rid, comando, actor, error, ahora)
        raise


def _otra_vez(respuesta: str) -> Recibo:
    return Recibo.model_validate_json(respuesta).model_copy(update={"repetido": True})


def _recibo(recorrido: Recorrido, comando: Comando | None) -> Recibo:
    paso = comando.paso if comando else None
    return Recibo(
        id=recorrido.id,
        revision=recorrido.revision,
        estado=recorrido.estado,
        paso=paso,
        intento=recorrido.pasos[paso].intento or None if paso else None,
    )


def _plan_pedido(peticion: PeticionCrear, casa: Casa) -> Plan:
    plan = peticion.plan or _de_plantilla(peticion.plantilla or "", casa)
    cambios: dict[str, object] = {"contexto": {**plan.contexto, **peticion.contexto}}
    if peticion.titulo is not None:
        cambios["titulo"] = peticion.titulo
    return plan.model_copy(update=cambios)


def _de_plantilla(nombre: str, casa: Casa) -> Plan:
    plantilla = casa.plantillas.get(nombre)
    if plantilla is None:
        hay = ", ".join(sorted(casa.plantillas)) or "ninguna"
        raise ErrorRecorrido("NO_EXISTE", f"No hay ninguna plantilla «{nombre[:80]}»: las que hay son {hay}.")
    return plantilla.plan.model_copy(update={"plantilla": plantilla.nombre})


def _dominio(peticion: PeticionCrear, plan: Plan, casa: Casa) -> str:
    """The template's own, which knows its objects and their deadlines."""
    if plan.plantilla is None:
        return peticion.dominio
    suyo = casa.plantillas[plan.plantilla].dominio
    if peticion.dominio not in (GENERAL, suyo):
        raise ErrorRecorrido(
            "COMANDO_INVALIDO",
            f"Los recorridos de «{plan.plantilla}» son del dominio «{suyo}»: quita el otro.",
        )
    return suyo


def _coordinador(actor: Actor) -> str:
    return actor.nombre if actor.clase is ClaseActor.AGENTE else EJECUTOR.nombre


def _cambiar_plan(  # noqa: PLR0913, PLR0917 - the run before and after, and who decided
    con: sqlite3.Connection, antes: Guardado, despues: Recorrido, plan: Plan, actor: Actor, ahora: datetime
) -> None:
    propuesta = antes.recorrido.propuesta
    version = VersionPlan(
        version=despues.plan_version,
        motivo=propuesta.motivo if propuesta else "",
        autor=propuesta.autor if propuesta else actor,
        aceptado_por=actor,
        revision=despues.revision,
        creado=ahora,
    )
    almacen.cambiar_plan(con, despues.id, PlanNuevo(plan, huella_de(plan), version))


def _guardar(con: sqlite3.Connection, plan: Plan, antes: Guardado, cambio: Cambio, ahora: datetime) -> None:
    """The snapshot, and what it says of who waits; without events nothing of it is news."""
    despues = cambio.recorrido
    if not cambio.eventos:
        almacen.guardar_foto(con, despues)
        return
    plan_despues = cambio.plan_nuevo or plan
    almacen.actualizar_recorrido(con, despues, cuentas_de(plan_despues, despues))
    esperaban, esperan = esperas_de(plan, antes.recorrido), esperas_de(plan_despues, despues)
    almacen.quitar_esperas(con, despues.id, esperaban - esperan)
    almacen.poner_esperas(con, despues.id, esperan - esperaban, ahora)


def _anadir(con: sqlite3.Connection, casa: Casa, cambio: Cambio, ahora: datetime) -> None:
    """What is only added: events, attempts and the notice for who goes on."""
    recorrido = cambio.recorrido
    almacen.poner_eventos(con, recorrido.id, cambio.eventos)
    almacen.poner_intentos(con, recorrido.id, cambio.intentos)
    if recorrido.estado in TERMINALES:
        avisos.anular(con, recorrido.id, ahora)
    elif cambio.entrega is not None:
        avisos.avisar(con, casa, recorrido, cambio.entrega, ahora)


def _exigir_artefactos(con: sqlite3.Connection, rid: str, plan: PlanValido, comando: Comando) -> None:
    """An output that names a file names one that this run has."""
    if comando.paso is None or not comando.salidas:
        return
    puertos = [p.nombre for p in plan.pasos[comando.paso].salidas if p.tipo is Tipo.ARTEFACTO]
    for nombre in puertos:
        valor = comando.salidas.get(nombre)
        if valor is not None and not artefactos.es_de(con, rid, str(valor)):
            raise ErrorRecorrido(
                "SALIDA_INVALIDA",
                f"«{nombre}» nombra un artefacto que este recorrido no tiene: súbelo antes de decirlo.",
            )
