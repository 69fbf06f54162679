"""One HTTP request to the API: who asks, whether they may, what they send, and the answer."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import NamedTuple, TypeAlias, TypeVar
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from app import llave
from app.api import pase
from app.api.corriente import CLIENTES_MAX, Corriente, comenzar
from app.api.espera import ESPERAS_MAX, hasta_que_cambie
from app.api.identidad import de_sesion, persona_local, quien_es
from app.api.novedades import Novedades
from app.api.responder import Desconectado, Lento, enviar, leer_cuerpo
from app.entrar import galletas
from app.mcp.acceso import token_de
from app.mcp.trabajadores import Trabajadores
from nucleo.personas.modelo import SesionViva
from nucleo.recorridos.api.cuerpo import CuerpoInvalido, leer_consulta
from nucleo.recorridos.api.despacho import Casada, Entorno, demasiado_grande, negativa_de_fallo
from nucleo.recorridos.api.documentos import PeticionEspera
from nucleo.recorridos.api.mensajes import (
    CUERPO_MAX,
    LEER,
    Identidad,
    Peticion,
    Respuesta,
    negativa,
)
from nucleo.recorridos.api.rutas import API
from nucleo.recorridos.casa import Casa
from nucleo.reloj import Reloj

REGISTRO = logging.getLogger(__name__)
T = TypeVar("T")
OCUPADA_MS = 5_000
"""How long a request waits for another writer before it answers 503."""
SUBIDAS_MAX = 4
"""Files being received at once: each one is in memory until it is whole."""
PARAMETROS_MAX = 30
BuscarSesion: TypeAlias = Callable[[str], Awaitable[SesionViva | None]]
"""The session of a cookie's token."""


@dataclass(frozen=True)
class Puesto:
    """What every request is attended with."""

    datos: Path
    casa: Casa
    hilos: Trabajadores
    novedades: Novedades
    sesion: BuscarSesion
    reloj: Reloj


class Llegada(NamedTuple):
    """A request as it arrives. `consulta` None: it cannot be read."""

    metodo: str
    ruta: str
    consulta: Mapping[str, str] | None
    cabeceras: Headers
    galleta: str | None


class Atencion:
    """ASGI application of everything under /api."""

    def __init__(self, puesto: Puesto) -> None:
        self._puesto = puesto
        self._subidas = asyncio.Semaphore(SUBIDAS_MAX)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Always one answer, unless who asks leaves; what goes wrong is whole in the log and terse here."""
        try:
            respuesta = await self._responder(_llegada(scope), receive, send)
        except Desconectado:
            return
        except Lento:
            respuesta = negativa(408, "LENTO", "El cuerpo tarda demasiado en llegar.")
        except Exception as error:  # noqa: BLE001 - whatever a request breaks, the next one is attended
            respuesta = negativa_de_fallo(error) or _fallo()
        if respuesta is not None:
            await enviar(respuesta, send)

    async def _responder(self, llegada: Llegada, receive: Receive, send: Send) -> Respuesta | None:
        """None: a stream, already sent."""
        identidad, casada = await self._quien(llegada), API.casar(llegada.metodo, llegada.ruta)
        if (negada := API.negar(identidad, casada)) is not None:
            return negada
        assert identidad is not None and isinstance(casada, Casada)  # noqa: S101 - `negar` answers otherwise
        if llegada.consulta is None:
            raise CuerpoInvalido("La dirección lleva parámetros repetidos o mal escritos.")
        peticion = Peticion(llegada.metodo, llegada.ruta, llegada.consulta)
        if casada.ruta.atender is None:
            return await self._correr(llegada, receive, send)
        if casada.ruta.cuerpo_max > 0:
            recibida = await self._recibir(casada.ruta.cuerpo_max, peticion, llegada, receive)
            if recibida is None:
                return demasiado_grande(casada.ruta.cuerpo_max)
            peticion = recibida
        if casada.ruta.espera and (negada := await self._aguardar(casada, peticion, receive)) is not None:
            return negada
        return await self._atender(peticion, identidad)

    async def _recibir(
        self, maximo: int, peticion: Peticion, llegada: Llegada, receive: Receive
    ) -> Peticion | None:
        """The request with its body; None when it is too long."""
        async with self._subidas if maximo > CUERPO_MAX else nullcontext():
            cuerpo = await leer_cuerpo(receive, maximo)
        if cuerpo is None:
            return None
        return peticion._replace(cuerpo=cuerpo, tipo=llegada.cabeceras.get("content-type", ""))

    async def _atender(self, peticion: Peticion, identidad: Identidad) -> Respuesta:
        puesto = self._puesto

        def tarea(con: sqlite3.Connection) -> Respuesta:
            entorno = Entorno(con, puesto.casa, puesto.datos, puesto.reloj)
            return API.atender(entorno, peticion, identidad)

        if peticion.metodo == "GET":
            return await puesto.hilos.leer(_con_prisa(tarea))
        respuesta = await puesto.hilos.proponer(_con_prisa(tarea))
        puesto.novedades.avisar()
        return respuesta

    async def _aguardar(self, casada: Casada, peticion: Peticion, receive: Receive) -> Respuesta | None:
        """Until the run changes or the time is up; an answer only when it cannot be waited for."""
        pedida = leer_consulta(PeticionEspera, peticion.consulta)
        novedades, hilos = self._puesto.novedades, self._puesto.hilos
        if novedades.esperas >= ESPERAS_MAX:
            return negativa(503, "OCUPADO", "Hay demasiados clientes esperando: prueba dentro de un momento.")
        await hasta_que_cambie(novedades, hilos, casada.partes["rid"], pedida, receive)
        return None

    async def _correr(self, llegada: Llegada, receive: Receive, send: Send) -> Respuesta | None:
        novedades, hilos = self._puesto.novedades, self._puesto.hilos
        if novedades.corrientes >= CLIENTES_MAX or novedades.cerrado:
            return negativa(
                503, "OCUPADO", "Hay demasiados clientes escuchando: prueba dentro de un momento."
            )
        ultimo = llegada.cabeceras.get("last-event-id", "")
        # The queue first and the store after: what changes between both comes in both, and once is dropped.
        with novedades.cola() as cola:
            comienzo = await hilos.leer(lambda con: comenzar(con, ultimo))

            async def sigue() -> bool:
                identidad = await self._quien(llegada)
                return identidad is not None and identidad.puede(LEER)

            await Corriente(cola, comienzo, sigue)(receive, send)
        return None

    async def _quien(self, llegada: Llegada) -> Identidad | None:
        puesto = self._puesto
        token = token_de(llegada.cabeceras.getlist("authorization"))
        if token is None and llegada.consulta is not None and (dado := llegada.consulta.get("pase")):
            return await asyncio.to_thread(self._con_pase, llegada.ruta, dado)
        if token is None and llegada.galleta is not None:
            return de_sesion(await puesto.sesion(llegada.galleta))
        return await puesto.hilos.leer(
            _con_prisa(lambda con: quien_es(con, puesto.datos, token, puesto.reloj))
        )

    def _con_pase(self, ruta: str, dado: str) -> Identidad | None:
        """Whoever brings a pass is the person who made it, and only for what it says."""
        secreto, artefacto = llave.leer(self._puesto.datos), pase.artefacto_de(ruta)
        if secreto is None or artefacto is None:
            return None
        vale = pase.vale(secreto, dado, artefacto, self._puesto.reloj())
        return Identidad(actor=persona_local()) if vale else None


def _con_prisa(tarea: Callable[[sqlite3.Connection], T]) -> Callable[[sqlite3.Connection], T]:
    """Its time counts from now, not from when a thread takes it: those behind do not wait one after another."""
    limite = monotonic() + OCUPADA_MS / 1000

    def hacer(con: sqlite3.Connection) -> T:
        con.execute(f"PRAGMA busy_timeout={max(0, round((limite - monotonic()) * 1000))}")
        return tarea(con)

    return hacer


def _llegada(scope: Scope) -> Llegada:
    try:
        pares = parse_qsl(
            scope["query_string"].decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(scope["query_string"]),
            errors="strict",
            max_num_fields=PARAMETROS_MAX,
        )
    except ValueError:
        pares = [("", ""), ("", "")]
    consulta = dict(pares)
    repetidos = len(consulta) != len(pares)
    return Llegada(
        scope["method"],
        scope["path"],
        None if repetidos else consulta,
        Headers(scope=scope),
        galletas.leer(HTTPConnection(scope)),
    )


def _fallo() -> Respuesta:
    """Terse here, whole in the log; the reference joins both."""
    referencia = token_hex(4)
    REGISTRO.exception("petición a la API sin respuesta: fallo %s", referencia)
    return negativa(500, "FALLO", f"Fallo interno {referencia}: está en el registro del servidor.")
