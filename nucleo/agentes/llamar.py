"""One call to a tool: is it there for this agent, are its arguments right, run it, cut the answer, record it."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass
from secrets import token_hex

from nucleo.agentes import almacen
from nucleo.agentes.herramientas import Catalogo, Contexto, Respuesta, UnaHerramienta, rechazo
from nucleo.agentes.modelo import Desenlace, Llamada
from nucleo.agentes.recortar import octetos, recortar
from nucleo.agentes.redactar import OCULTO, redactar, redactar_del_todo
from nucleo.agentes.validar import validar
from nucleo.bd import transaccion
from nucleo.errores import ErrorEntrada, ErrorSobre, NoEncontrado, Ocupado
from nucleo.modelo import Modelo

REGISTRO = logging.getLogger(__name__)
_NONCE_MAX = 80
_NONCE_MIN = 16
_NOMBRE_MAX = 80

_PARA_AGENTES = (ErrorEntrada, NoEncontrado, Ocupado)
"""Errors whose sentence is about what was asked. The others may name files or machines, and are only logged."""


class SinHerramienta(NoEncontrado):
    """For this agent there is no tool of that name: not declared, or not allowed; the caller cannot tell which."""

    codigo = "herramienta_desconocida"


@dataclass(frozen=True)
class Taller:
    """What every call needs: the record's connection (of this thread), the tools, and who calls."""

    con: sqlite3.Connection
    catalogo: Catalogo
    contexto: Contexto


def llamar(taller: Taller, nombre: str, argumentos: object) -> str:
    """The answer as JSON text of bounded size, `{"ok": …}`. Raises SinHerramienta, and nothing else that a tool did.

    The call is recorded before it is answered; if it cannot be, there is no answer.
    """
    inicio = time.perf_counter()
    herramienta = taller.catalogo.declarada(nombre)
    if herramienta is None or not taller.contexto.agente.puede(herramienta.permiso):
        motivo = Desenlace.DESCONOCIDA if herramienta is None else Desenlace.SIN_PERMISO
        _anotar(taller, _llamada(taller, nombre[:_NOMBRE_MAX], redactar_del_todo(argumentos), motivo, inicio))
        raise SinHerramienta("No existe esa herramienta.")
    respuesta = _ejecutar(herramienta, taller.contexto, argumentos)
    texto, desenlace, codigo = _en_texto(respuesta)
    redactados = redactar_del_todo(argumentos) if herramienta.es_personal else redactar(argumentos)
    nonce = _nonce(argumentos)
    if nonce is not None and len(nonce) >= _NONCE_MIN and nonce.isalnum():
        redactados = redactados.replace(nonce, OCULTO)  # an agent that copies it into a text keeps no secret
    llamada = _llamada(taller, nombre, redactados, desenlace, inicio)
    extra = {"codigo": codigo, "octetos": octetos(texto), "nonce": nonce}
    _anotar(taller, llamada.model_copy(update=extra))
    return texto


def _ejecutar(herramienta: UnaHerramienta, contexto: Contexto, argumentos: object) -> Modelo:
    validos = validar(herramienta.argumentos, argumentos)
    if isinstance(validos, tuple):
        return Respuesta(codigo="argumentos", errores=validos)
    try:
        respuesta: Modelo = herramienta.ejecutar(contexto, validos)
    except _PARA_AGENTES as error:
        return rechazo("", error.mensaje, error.codigo)
    except ErrorSobre as error:
        REGISTRO.warning("herramienta %s: %s", herramienta.nombre, error.mensaje)
        return rechazo("", "Ahora no se puede: avisa a una persona.", error.codigo)
    except Exception:  # noqa: BLE001 - whatever a tool does wrong, the server lives on; it is logged whole
        return _fallo(herramienta.nombre)
    return respuesta


def _fallo(nombre: str) -> Respuesta:
    """Terse for the agent, whole for the log; the reference joins both."""
    referencia = token_hex(4)
    REGISTRO.exception("herramienta %s: fallo %s", nombre, referencia)
    return rechazo("", f"Fallo interno {referencia}: no insistas; sigue sin esto o avisa.", "fallo_interno")


def _en_texto(respuesta: Modelo) -> tuple[str, Desenlace, str | None]:
    try:
        cuerpo = respuesta.model_dump(mode="json")
        if not isinstance(respuesta, Respuesta):
            return recortar({"ok": True} | cuerpo), Desenlace.BIEN, None
        texto = recortar({clave: valor for clave, valor in cuerpo.items() if valor is not None})
    except (ValueError, RecursionError):  # a number that JSON does not have, a value that cannot be written
        respuesta = _fallo(type(respuesta).__name__)
        texto = recortar(respuesta.model_dump(mode="json"))
    desenlace = Desenlace.FALLO if respuesta.codigo == "fallo_interno" else Desenlace.RECHAZO
    return texto, Desenlace.BIEN if respuesta.ok else desenlace, respuesta.codigo


def _nonce(argumentos: object) -> str | None:
    """The attempt's nonce, when the call carries one, wrapped or not: it ties the call to the job."""
    if not isinstance(argumentos, Mapping):
        return None
    dentro = argumentos.get("payload")
    nonce = argumentos.get("nonce", dentro.get("nonce") if isinstance(dentro, Mapping) else None)
    return nonce if isinstance(nonce, str) and nonce.isascii() and len(nonce) <= _NONCE_MAX else None


def _llamada(taller: Taller, nombre: str, argumentos: str, desenlace: Desenlace, inicio: float) -> Llamada:
    return Llamada(
        instante=taller.contexto.reloj(),
        agente=taller.contexto.agente.nombre,
        herramienta=nombre.encode("utf-8", "replace").decode(),
        argumentos=argumentos,
        desenlace=desenlace,
        ms=round(1000 * (time.perf_counter() - inicio), 3),
    )


def _anotar(taller: Taller, llamada: Llamada) -> None:
    with transaccion(taller.con):
        almacen.anotar_llamada(taller.con, llamada)
