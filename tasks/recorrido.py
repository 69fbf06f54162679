"""A run's machine steps, taken by the installation: claimed, kept alive, done as engine tasks, and reported."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from secrets import token_hex
from typing import Literal

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.runtime import flow_run

from nucleo import registro
from nucleo.bd import conectar
from nucleo.configuracion import configuracion
from nucleo.errores import ErrorSobre
from nucleo.modelo import Modelo
from nucleo.recorridos import almacen, relevo, servicio
from nucleo.recorridos.casa import Casa, EncargoPaso, ResultadoPaso
from nucleo.recorridos.comandos import EJECUTOR, Comando, RefExterna, TipoComando
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.plan import Paso
from nucleo.reloj import reloj_del_sistema
from tasks.casa import casa
from tasks.pasos import EncargoAgente, encolar_paso
from tasks.reintentos import ESPERAS_S, JITTER, reintentable

LIMITE_S = 6 * 3600
"""However alive it looks, a function that takes longer than this has failed."""


class Turno(Modelo):
    """A step that was claimed, with the number of its attempt."""

    recorrido: str
    paso: str
    titulo: str
    intento: int
    arriendo_s: int


class Final(Modelo):
    """How a step ended for this run; `mensaje` when somebody should look at it."""

    como: Literal["completado", "fallido", "ajeno"]
    mensaje: str = ""


class Avance:
    """One run being advanced. `con` belongs to the event loop's thread."""

    def __init__(self, con: sqlite3.Connection, casa_: Casa, rid: str, ejecucion: str) -> None:
        self._con = con
        self._casa = casa_
        self._rid = rid
        self._ejecucion = ejecucion

    def reclamar(self, cuantos: int) -> list[Turno]:
        """Up to that many steps for this run of the engine; an agent's steps only go to the queue."""
        turnos: list[Turno] = []
        for paso in relevo.reclamables(self._leer()):
            if len(turnos) == cuantos:
                break
            intento = self._iniciar(paso)
            if intento is None:
                continue
            if relevo.es_de_la_cola(paso):
                encargo = EncargoAgente(recorrido=self._rid, paso=paso.id, intento=intento)
                encolar_paso(self._con, encargo, paso, reloj_del_sistema())
            else:
                turnos.append(
                    Turno(
                        recorrido=self._rid,
                        paso=paso.id,
                        titulo=paso.titulo,
                        intento=intento,
                        arriendo_s=paso.ejecutor.arriendo_s if paso.ejecutor else 0,
                    )
                )
        return turnos

    def _iniciar(self, paso: Paso) -> int | None:
        """Number of the attempt; None when somebody else got it first or the run stopped meanwhile."""
        comando = Comando(
            comando_id=f"inicio:{paso.id}:{token_hex(8)}",
            tipo=TipoComando.INICIAR,
            paso=paso.id,
            trabajador=relevo.trabajador_de(paso),
            ref=RefExterna(prefect_run=self._ejecucion or None),
        )
        try:
            return self._mandar(comando).intento
        except ErrorRecorrido as error:
            if error.codigo in relevo.SE_ADELANTARON:
                return None
            raise

    async def hacer(self, turno: Turno) -> Final:
        """Do it, keeping its lease, and report. What the engine retries is within the same attempt."""
        latidos = asyncio.create_task(self._latir(turno))
        try:
            resultado = await ejecutar_paso(turno.recorrido, turno.paso, turno.intento)
        except ErrorSobre as error:
            return self._fallar(turno, error.mensaje)
        except Exception as error:  # noqa: BLE001 - whatever a domain's function does wrong is that step's failure
            return self._fallar(turno, f"Fallo del programa ({type(error).__name__}): está en el registro.")
        finally:
            latidos.cancel()
            await asyncio.gather(latidos, return_exceptions=True)
        return self._completar(turno, resultado)

    async def _latir(self, turno: Turno) -> None:
        """A sign of life each third of the lease; it ends when the attempt is not ours any more."""
        while True:
            await asyncio.sleep(turno.arriendo_s / 3)
            latido = _informe(turno, TipoComando.LATIDO, token_hex(8))
            try:
                self._mandar(latido)
            except ErrorRecorrido:
                return

    def _completar(self, turno: Turno, resultado: ResultadoPaso) -> Final:
        informe = _informe(turno, TipoComando.COMPLETAR).model_copy(
            update={"salidas": resultado.salidas, "mensaje": resultado.mensaje}
        )
        try:
            self._mandar(informe)
        except ErrorRecorrido as error:
            if error.codigo in relevo.DE_OTRO:
                return Final(como="ajeno", mensaje=f"{turno.titulo}: {error.mensaje}")
            return self._fallar(turno, error.mensaje)
        return Final(como="completado")

    def _fallar(self, turno: Turno, motivo: str) -> Final:
        informe = _informe(turno, TipoComando.FALLAR).model_copy(update={"mensaje": motivo[:4_000]})
        try:
            self._mandar(informe)
        except ErrorRecorrido as error:
            return Final(como="ajeno", mensaje=f"{turno.titulo}: {motivo} {error.mensaje}")
        return Final(como="fallido", mensaje=f"{turno.titulo}: {motivo}")

    def espera(self) -> str:
        """Who may go on now, as the name of the engine's final state."""
        return relevo.espera(self._leer())

    def _leer(self) -> relevo.Foto:
        return almacen.foto(self._con, self._rid)

    def _mandar(self, comando: Comando) -> servicio.Recibo:
        return servicio.mandar(self._con, self._casa, self._rid, comando, EJECUTOR, reloj_del_sistema())


@asynccontextmanager
async def avance_abierto(rid: str) -> AsyncIterator[Avance]:
    """The run, ready to be advanced. Raises ErrorRecorrido NO_EXISTE."""
    datos = configuracion().datos
    with closing(conectar(registro.preparar(datos))) as con:
        yield Avance(con, casa(datos), rid, str(flow_run.get_id() or ""))


@task(
    name="ejecutar paso",
    task_run_name="{paso} · {recorrido} · intento {intento}",
    cache_policy=NO_CACHE,
    retries=len(ESPERAS_S),
    retry_delay_seconds=ESPERAS_S,
    retry_jitter_factor=JITTER,
    retry_condition_fn=reintentable,
    timeout_seconds=LIMITE_S,
    persist_result=False,
)
async def ejecutar_paso(recorrido: str, paso: str, intento: int) -> ResultadoPaso:
    """The function's effect. It writes by (run, step, attempt), so being tried again here does it once."""
    return await asyncio.to_thread(_ejecutar, recorrido, paso, intento)


def _ejecutar(rid: str, paso_id: str, intento: int) -> ResultadoPaso:
    datos = configuracion().datos
    with closing(conectar(registro.preparar(datos))) as con:
        plan, recorrido = almacen.foto(con, rid)
    estado = recorrido.pasos[paso_id]
    paso = next(p for p in plan.pasos if p.id == paso_id)
    funcion = casa(datos).funciones.get((paso.ejecutor.funcion if paso.ejecutor else None) or "")
    if funcion is None:
        raise ErrorRecorrido("NO_EXISTE", f"Esta instalación no sabe hacer «{paso.titulo}».")
    return funcion.ejecutar(
        EncargoPaso(
            recorrido=rid,
            dominio=recorrido.dominio,
            objeto_id=recorrido.objeto_id,
            paso=paso_id,
            intento=intento,
            datos=datos,
            entradas=estado.entradas or {},
            contexto=plan.contexto,
        )
    )


def _informe(turno: Turno, tipo: TipoComando, cual: str = "fin") -> Comando:
    """A report on the attempt; the final one has always the same identifier."""
    comando_id = f"{turno.paso}:{turno.intento}:{cual}"
    return Comando(comando_id=comando_id, tipo=tipo, paso=turno.paso, intento=turno.intento)
