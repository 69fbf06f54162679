"""Takes one attempt from where it stands to its end, step by step; cut anywhere, it goes on from the same rows.

What was kept says what may be done: before Hermes is called everything that travels is frozen, so a launch whose
answer was lost is taken up again (`retomar`) and never made anew.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from nucleo.agentes.almacen import ultima_de_intento
from nucleo.cola import intentos, reglas, servicio
from nucleo.cola.encargo import completar
from nucleo.cola.metricas import medir
from nucleo.cola.modelo import (
    Ambito,
    Autor,
    Causa,
    Comprobacion,
    EstadoIntento,
    EstadoTrabajo,
    Freno,
    Intento,
    Reclamado,
    Tipos,
    Trabajo,
)
from nucleo.cola.perfiles import Perfiles
from nucleo.errores import ErrorEntrada, ErrorRed, ErrorSobre
from nucleo.hermes.cliente import ClienteHermes
from nucleo.hermes.desenlace import Desenlace, clasificar, explicar, sin_herramientas
from nucleo.hermes.errores import (
    ClaveRechazada,
    ClaveReutilizada,
    ContratoRoto,
    HermesCaido,
    HermesOcupado,
    RespuestaPerdida,
)
from nucleo.hermes.modelo import Huerfano, Lanzado, MetricasSesion
from nucleo.reloj import Reloj

T = TypeVar("T")
PARADA_S = 30.0
"""How long a run that was told to stop is waited for; what it does later is refused anyway."""
CAUSAS = {
    Desenlace.TERMINADO: Causa.TERMINADO,
    Desenlace.FALLO_PROVEEDOR_429: Causa.LIMITE_PROVEEDOR,
    Desenlace.FALLO_CREDENCIAL: Causa.CREDENCIAL,
    Desenlace.PERDIDO: Causa.PERDIDO,
}
"""What an end of Hermes's is for the queue; any other is a failure."""
PARAN = frozenset({Causa.CANCELADO, Causa.SIN_ACTIVIDAD, Causa.TOPE_TIEMPO})
registro = logging.getLogger("sobre.cola")


@dataclass(frozen=True)
class Ritmo:
    """Seconds between two looks at a run: often at first, then less."""

    primero_s: float = 1.0
    ultimo_s: float = 10.0
    crece: float = 1.5


@dataclass(frozen=True)
class Corredor:
    """`con` belongs to the event loop's thread. Prices and providers come with the profiles."""

    con: sqlite3.Connection
    tipos: Tipos
    perfiles: Perfiles
    reloj: Reloj
    pausa_todo: bool = False
    dormir: Callable[[float], Awaitable[None]] = asyncio.sleep
    ritmo: Ritmo = Ritmo()

    async def seguir(self, intento_id: int) -> Trabajo:
        """Return when the attempt is closed."""
        pausa = self.ritmo.primero_s
        while True:
            actual = intentos.leer(self.con, intento_id)
            if not actual.intento.abierto:
                return actual.trabajo
            if await self._paso(actual):
                pausa = self.ritmo.primero_s
            else:
                await self.dormir(pausa)
                pausa = min(pausa * self.ritmo.crece, self.ritmo.ultimo_s)

    async def _paso(self, actual: Reclamado) -> bool:
        """One step; False when there was nothing to do yet."""
        intento, cliente = actual.intento, self.perfiles.clientes.get(actual.intento.perfil)
        if intento.estado is EstadoIntento.CERRANDO:
            await self._cerrar(actual, cliente)
            return True
        if actual.trabajo.estado is EstadoTrabajo.CANCELANDO:
            return self._cierra(intento, Causa.CANCELADO, "")
        if intento.version is None:
            return await self._lanzar(actual, cliente)
        if self._muerto(intento):
            return True
        try:
            return cliente is not None and await self._mirar(intento, cliente)
        except (ErrorRed, ClaveRechazada, ContratoRoto) as error:
            registro.warning("intento %s: %s", intento.id, error.mensaje)
            return False

    async def _mirar(self, intento: Intento, cliente: ClienteHermes) -> bool:
        if intento.estado is EstadoIntento.LANZANDO:
            return await self._retomar(intento, cliente)
        if intento.run_id is None:
            return await self._mirar_sesion(intento, cliente)
        return await self._mirar_run(intento, intento.run_id, cliente)

    # Launching

    async def _lanzar(self, actual: Reclamado, cliente: ClienteHermes | None) -> bool:
        """The first launch: what travels is frozen before anything is sent."""
        intento, tipo = actual.intento, self.tipos.get(actual.intento.tipo)
        if cliente is None or tipo is None:
            return self._devuelve(intento, "Su perfil o su tipo ya no están configurados.")
        try:
            propias = await asyncio.to_thread(tipo.instruir, actual.trabajo, intento)
        except Exception as error:  # noqa: BLE001 - a type that breaks must not stop the others' jobs
            return self._cierra(intento, Causa.FALLO, _culpa("preparar las instrucciones", error))
        congelado = intentos.congelar(self.con, intento.id, completar(propias, intento)).intento
        return await self._enviar(congelado, cliente)

    async def _enviar(self, intento: Intento, cliente: ClienteHermes) -> bool:
        """Nothing has been sent under this attempt before, so any refusal gives it back."""
        try:
            lanzado = await cliente.lanzar(*_viaje(intento))
        except RespuestaPerdida:
            return True  # kept as launching and frozen: the next step finds out
        except HermesOcupado as error:
            return self._devuelve(intento, error.mensaje, error.espera_s)
        except (HermesCaido, ClaveRechazada, ContratoRoto) as error:
            self._pausa_perfil(intento.perfil, error.mensaje)
            return self._devuelve(intento, error.mensaje)
        except (ErrorEntrada, ClaveReutilizada) as error:
            return self._cierra(intento, Causa.FALLO, error.mensaje)
        return self._arranca(intento, lanzado)

    async def _retomar(self, intento: Intento, cliente: ClienteHermes) -> bool:
        """A launch that nobody knows whether it arrived."""
        try:
            lanzado = await cliente.retomar(*_viaje(intento))
        except (ErrorEntrada, ClaveReutilizada) as error:
            return self._cierra(intento, Causa.FALLO, error.mensaje)
        if isinstance(lanzado, Huerfano):
            intentos.perder_pista(self.con, intento.id, self.reloj())
            return True
        return self._arranca(intento, lanzado)

    def _arranca(self, intento: Intento, lanzado: Lanzado) -> bool:
        intentos.arrancar(self.con, intento.id, lanzado.run_id, self.reloj())
        return True

    def _devuelve(self, intento: Intento, motivo: str, espera_s: float = 0.0) -> bool:
        ahora = self.reloj()
        intentos.devolver(self.con, intento.id, motivo, ahora + timedelta(seconds=espera_s), ahora)
        return True

    def _pausa_perfil(self, perfil: str, motivo: str) -> None:
        ahora = self.reloj()
        freno = Freno(
            ambito=Ambito.PERFIL,
            nombre=perfil,
            autor=Autor.REGLA,
            desde=ahora,
            hasta=ahora + reglas.PAUSA_PERFIL,
            motivo=motivo,
        )
        servicio.frenar(self.con, freno)

    # Watching

    async def _mirar_run(self, intento: Intento, run_id: str, cliente: ClienteHermes) -> bool:
        estado = await cliente.consultar(run_id)
        desenlace = clasificar(estado)
        if desenlace.final:
            causa = CAUSAS.get(desenlace, Causa.FALLO)
            if causa is Causa.TERMINADO and sin_herramientas(await cliente.resultados(intento.sesion_id)):
                causa = Causa.SIN_HERRAMIENTAS
            return self._cierra(intento, causa, explicar(estado))
        if desenlace is Desenlace.ESPERA_APROBACION:
            return await cliente.denegar(run_id)
        if estado is not None:
            self._anota_actividad(intento, f"{estado.estado} {estado.actualizado} {estado.ultimo_evento}")
        return False

    async def _mirar_sesion(self, intento: Intento, cliente: ClienteHermes) -> bool:
        """Without the run's number: its result, or its silence, is the end."""
        actual = intentos.leer(self.con, intento.id)
        if (await self._comprobar(actual)).hecho:
            return self._cierra(intento, Causa.TERMINADO, "")
        sesion = await cliente.sesion(intento.sesion_id)
        if sesion is not None:
            self._anota_actividad(
                intento, f"{sesion.ultima_actividad} {sesion.mensajes} {sesion.herramientas}"
            )
        return False

    def _anota_actividad(self, intento: Intento, dicho: str) -> None:
        marca = f"{dicho} {ultima_de_intento(self.con, intento.nonce)}"
        intentos.anotar_actividad(self.con, intento.id, marca, self.reloj())

    def _muerto(self, intento: Intento) -> bool:
        tipo = self.tipos.get(intento.tipo)
        causa = reglas.motivo_de_muerte(intento, tipo, self.reloj()) if tipo else Causa.TOPE_TIEMPO
        if causa is None:
            return False
        por = "Llevaba demasiado tiempo sin usar ninguna herramienta."
        return self._cierra(intento, causa, por if causa is Causa.SIN_ACTIVIDAD else "Ha tardado demasiado.")

    # Closing

    def _cierra(self, intento: Intento, causa: Causa, detalle: str) -> bool:
        intentos.empezar_cierre(self.con, intento.id, causa, detalle)
        return True

    async def _cerrar(self, actual: Reclamado, cliente: ClienteHermes | None) -> None:
        intento, causa = actual.intento, actual.intento.causa or Causa.TERMINADO
        if cliente is not None and intento.run_id is not None and causa in PARAN:
            await _sin_red(self._parar(intento.run_id, cliente))
        comprobacion = await self._comprobar(actual)
        sesion: MetricasSesion | None = None
        if cliente is not None and intento.version is not None:
            sesion = await _sin_red(cliente.sesion(intento.sesion_id))
        perfil, ahora = self.perfiles.de(intento.perfil), self.reloj()
        metricas = medir(sesion, causa, perfil.proveedor, self.perfiles.hermes.precios)
        intentos.frenar_por(self.con, causa, perfil, self.pausa_todo, ahora)
        intentos.cerrar(self.con, intento.id, comprobacion, metricas, ahora)

    async def _parar(self, run_id: str, cliente: ClienteHermes) -> None:
        await cliente.parar(run_id)
        quedan = PARADA_S
        while quedan > 0 and not clasificar(await cliente.consultar(run_id)).final:
            await self.dormir(self.ritmo.primero_s)
            quedan -= self.ritmo.primero_s

    async def _comprobar(self, actual: Reclamado) -> Comprobacion:
        tipo = self.tipos.get(actual.trabajo.tipo)
        if tipo is None:
            return Comprobacion(hecho=False, detalle="Nadie sabe comprobar este tipo de trabajo.")
        try:
            return await asyncio.to_thread(tipo.comprobar, actual.trabajo, actual.intento)
        except Exception as error:  # noqa: BLE001 - as with the instructions
            return Comprobacion(hecho=False, detalle=_culpa("comprobar el resultado", error))


def _viaje(intento: Intento) -> tuple[str, str, str, str]:
    """Instructions, input, session and idempotency key: all of it frozen."""
    return intento.texto or "", intento.entrada or "", intento.sesion_id, intento.sesion_id


def _culpa(que: str, error: Exception) -> str:
    if isinstance(error, ErrorSobre):
        return error.mensaje
    registro.error("no se ha podido %s", que, exc_info=error)
    return f"No se ha podido {que} ({type(error).__name__}): está en el registro."


async def _sin_red(pedido: Awaitable[T]) -> T | None:
    """What can be done without: None when Hermes does not answer."""
    try:
        return await pedido
    except (ErrorRed, ClaveRechazada, ContratoRoto) as error:
        registro.warning("%s", error.mensaje)
        return None
