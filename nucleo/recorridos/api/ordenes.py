"""The routes that change something. Whoever asks is who they are known to be; nothing of the body can say another."""

from __future__ import annotations

from nucleo.modelo import Modelo
from nucleo.recorridos import servicio
from nucleo.recorridos.api.cuerpo import leer_consulta, leer_cuerpo
from nucleo.recorridos.api.despacho import Entorno, Pedido
from nucleo.recorridos.api.documentos import PeticionArtefacto, PeticionReconciliar
from nucleo.recorridos.api.mensajes import Respuesta, modelo_en_json
from nucleo.recorridos.artefactos import servicio as de_artefactos
from nucleo.recorridos.artefactos.modelo import NuevoArtefacto
from nucleo.recorridos.comandos import Comando
from nucleo.recorridos.continuaciones import servicio as de_continuaciones
from nucleo.recorridos.continuaciones.servicio import PeticionContinuacion, PeticionSobreContinuacion
from nucleo.recorridos.enlaces import servicio as de_enlaces
from nucleo.recorridos.enlaces.servicio import PeticionEnlace
from nucleo.recorridos.entregas import servicio as de_entregas
from nucleo.recorridos.peticiones import PeticionCrear


def crear(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """201, or 200 when it had been made before."""
    peticion = leer_cuerpo(pedido.peticion, PeticionCrear)
    actor, ahora = pedido.identidad.actor, entorno.reloj()
    recibo = servicio.crear(entorno.con, entorno.casa, peticion, actor, ahora)
    return _hecho(recibo, recibo.repetido)


def mandar(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """A command; 200 always."""
    comando = leer_cuerpo(pedido.peticion, Comando)
    actor, rid = pedido.identidad.actor, pedido.partes["rid"]
    recibo = servicio.mandar(entorno.con, entorno.casa, rid, comando, actor, entorno.reloj())
    return modelo_en_json(200, recibo)


def enlazar(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """Link two runs."""
    peticion = leer_cuerpo(pedido.peticion, PeticionEnlace)
    recibo = de_enlaces.enlazar_hijo(entorno.con, peticion, pedido.identidad.actor, entorno.reloj())
    return _hecho(recibo, recibo.repetido)


def continuar(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """Draft a text for the coordinator."""
    peticion = leer_cuerpo(pedido.peticion, PeticionContinuacion)
    actor, rid = pedido.identidad.actor, pedido.partes["rid"]
    recibo = de_continuaciones.proponer(entorno.con, rid, peticion, actor, entorno.reloj())
    return _hecho(recibo, recibo.repetido)


def enviar(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """Send a draft."""
    peticion = leer_cuerpo(pedido.peticion, PeticionSobreContinuacion)
    actor, rid = pedido.identidad.actor, pedido.partes["rid"]
    recibo = de_continuaciones.enviar(entorno.con, entorno.casa, rid, peticion, actor, entorno.reloj())
    return modelo_en_json(200, recibo)


def descartar(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """Throw a draft away."""
    peticion = leer_cuerpo(pedido.peticion, PeticionSobreContinuacion)
    recibo = de_continuaciones.descartar(entorno.con, pedido.partes["rid"], peticion, pedido.identidad.actor)
    return modelo_en_json(200, recibo)


def reconciliar(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """Say whether a delivery arrived."""
    peticion = leer_cuerpo(pedido.peticion, PeticionReconciliar)
    actor, cual = pedido.identidad.actor, pedido.partes["ent"]
    return modelo_en_json(
        200,
        de_entregas.reconciliar(entorno.con, cual, peticion.llego, peticion.nota, actor, entorno.reloj()),
    )


def registrar_artefacto(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """Keep the body as a file; what it is, the address and the media type say."""
    dicho = leer_consulta(PeticionArtefacto, pedido.peticion.consulta)
    tipo_medio = pedido.peticion.tipo.partition(";")[0].strip().lower()[:100]
    nuevo = NuevoArtefacto(tipo_medio=tipo_medio, **dicho.model_dump(exclude={"recorrido"}))
    recibo = de_artefactos.registrar(
        entorno.con,
        entorno.datos,
        dicho.recorrido,
        nuevo,
        pedido.peticion.cuerpo,
        pedido.identidad.actor,
        entorno.reloj(),
    )
    return _hecho(recibo, recibo.repetido)


def _hecho(recibo: Modelo, repetido: bool) -> Respuesta:
    return modelo_en_json(200 if repetido else 201, recibo)
