"""What each tool does, as calls to the client."""

from __future__ import annotations

import base64
import binascii

from nucleo.agentes.herramientas import Contexto, rechazo
from nucleo.agentes.validar import validar
from nucleo.bd import FICHERO_COMUN
from nucleo.modelo import Modelo
from nucleo.recorridos import almacen
from nucleo.recorridos.api.cuerpo import a_modelo
from nucleo.recorridos.api.documentos import Espera, Recorridos
from nucleo.recorridos.artefactos.modelo import NuevoArtefacto
from nucleo.recorridos.cliente import Cliente
from nucleo.recorridos.comandos import Comando, TipoComando
from nucleo.recorridos.continuaciones.modelo import ReciboContinuacion
from nucleo.recorridos.continuaciones.servicio import PeticionContinuacion
from nucleo.recorridos.herramientas import argumentos as arg
from nucleo.recorridos.lectura.modelo import FiltroRecorridos, Proyeccion
from nucleo.recorridos.motor import Posibles
from nucleo.recorridos.peticiones import PeticionCrear, Recibo


class Leido(Proyeccion):
    """A run, and what who asks may do in it now."""

    puedes: Posibles


def crear(cliente: Cliente, dicho: arg.Crear) -> Recibo:
    """A new run, led by the agent."""
    return cliente.crear(a_modelo(PeticionCrear, dicho.model_dump()))


def listar(cliente: Cliente, dicho: arg.Listar) -> Recorridos:
    """A page of runs."""
    return cliente.listar(FiltroRecorridos(**dict(dicho)))


def leer(cliente: Cliente, dicho: arg.Leer) -> Leido:
    """A run whole."""
    vista, puedes = cliente.leer(dicho.recorrido), cliente.posibles(dicho.recorrido)
    return Leido(**dict(vista), puedes=puedes)


def paso(cliente: Cliente, dicho: arg.Paso) -> Recibo:
    """A report on a step, or its beginning."""
    comando = Comando(
        comando_id=dicho.comando_id,
        tipo=TipoComando(dicho.accion),
        paso=dicho.paso,
        intento=dicho.intento,
        salidas=dicho.salidas,
        mensaje=dicho.mensaje,
        traza=dicho.traza,
    )
    return cliente.mandar(dicho.recorrido, comando)


def proponer_plan(cliente: Cliente, dicho: arg.ProponerPlan) -> Recibo:
    """Another plan, for a person to accept or not."""
    orden = {
        "comando_id": dicho.comando_id,
        "tipo": TipoComando.PROPONER_PLAN,
        "revision": dicho.revision,
        "mensaje": dicho.motivo,
        "plan": dicho.plan,
    }
    return cliente.mandar(dicho.recorrido, a_modelo(Comando, orden))


def esperar(cliente: Cliente, dicho: arg.Esperar) -> Espera:
    """How it stands once the waiting is over: the door does it, without holding any thread."""
    return cliente.esperar(dicho.recorrido, dicho.tras_revision, 0)


def segundos_de_espera(contexto: Contexto, argumentos: object) -> float:
    """How long a call to `esperar` would rather wait, from when it arrived; 0 when it has what it waits for."""
    dicho = validar(arg.Esperar, argumentos)
    if isinstance(dicho, tuple):
        return 0.0
    revision = almacen.revision(contexto.leer(FICHERO_COMUN), dicho.recorrido)
    return 0.0 if revision is None or revision > dicho.tras_revision else float(dicho.segundos)


def registrar(cliente: Cliente, dicho: arg.Artefacto) -> Modelo:
    """A file of a step."""
    contenido = _contenido(dicho)
    if contenido is None:
        return rechazo(
            "texto", "da el contenido en «texto» o en «base64» (bien escrito), y solo en uno", "argumentos"
        )
    nuevo = NuevoArtefacto(
        comando_id=dicho.comando_id,
        paso=dicho.paso,
        intento=dicho.intento,
        nombre=dicho.nombre,
        tipo_medio=dicho.tipo_medio,
    )
    return cliente.registrar_artefacto(dicho.recorrido, nuevo, contenido)


def continuar(cliente: Cliente, dicho: arg.Continuar) -> ReciboContinuacion:
    """A text for who coordinates, that a person will send or not."""
    peticion = PeticionContinuacion(comando_id=dicho.comando_id, texto=dicho.texto)
    return cliente.continuar(dicho.recorrido, peticion)


def _contenido(dicho: arg.Artefacto) -> bytes | None:
    if (dicho.texto is None) == (dicho.base64 is None):
        return None
    if dicho.texto is not None:
        return dicho.texto.encode()
    try:
        return base64.b64decode(dicho.base64 or "", validate=True)
    except (binascii.Error, ValueError):
        return None
