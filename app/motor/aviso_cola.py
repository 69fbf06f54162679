"""Asks for a run of the queue as soon as some job may start, so that nobody waits for the schedule."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from app.motor.api import Motor
from nucleo.bd import conectar
from nucleo.cola import almacen
from nucleo.cola.modelo import Tipos
from nucleo.cola.reglas import Contexto, motivo_tipo
from nucleo.cola.situacion import mirar
from nucleo.errores import ErrorSobre

REGISTRO = logging.getLogger("sobre.cola")
DESPLIEGUE = "cola/cola"
MIRADA_S = 5.0
INSISTIR_S = 300.0
"""The same jobs are not asked for again sooner: their Hermes may be down, and only a run of the queue finds out."""


def empezables(con: sqlite3.Connection, tipos: Tipos, contexto: Contexto, ahora: datetime) -> tuple[int, ...]:
    """Jobs that may start as far as our rows tell, and those with an attempt under way; in order of number."""
    situacion = mirar(con, contexto.topes, tuple(tipos), ahora)
    libres = [t.nombre for t in tipos.values() if not motivo_tipo(t, contexto, situacion, ahora)]
    turnos = almacen.turnos(con, libres, ahora) if libres else []
    return tuple(sorted({t.id for t in turnos} | {i.trabajo_id for i in almacen.abiertos(con)}))


class AvisoCola:
    """Looks each few seconds; no failure of the engine ends it."""

    def __init__(
        self,
        motor: Motor,
        fichero: Path,
        mirada: Callable[[sqlite3.Connection], tuple[int, ...]],
        decir: Callable[[str], None],
    ) -> None:
        self._motor = motor
        self._fichero = fichero
        self._mirada = mirada
        self._decir = decir
        self._pedido: tuple[tuple[int, ...], float] = ((), -INSISTIR_S)
        self._dicho = ""

    async def vigilar(self) -> None:
        """Until it is cancelled."""
        while True:
            try:
                await asyncio.to_thread(self.mirar)
                self._dicho = ""
            except ErrorSobre as error:
                self._decir_una_vez(error.mensaje)
            except Exception as error:  # noqa: BLE001 - nobody would ask for the queue any more, and nothing would tell
                REGISTRO.exception("una mirada a la cola se ha cortado")
                self._decir_una_vez(f"cola: la mirada se ha cortado ({type(error).__name__}); vuelvo a mirar")
            await asyncio.sleep(MIRADA_S)

    def _decir_una_vez(self, linea: str) -> None:
        if linea != self._dicho:
            self._decir(linea)
        self._dicho = linea

    def mirar(self) -> None:
        """One look. Raises ErrorRed when the engine does not answer."""
        with closing(conectar(self._fichero)) as con:
            pueden = self._mirada(con)
        antes, cuando = self._pedido
        nuevos = set(pueden) - set(antes)
        if not pueden or (not nuevos and time.monotonic() - cuando < INSISTIR_S):
            return
        if pedir(self._motor, pueden):
            self._pedido = (pueden, time.monotonic())


def pedir(motor: Motor, pueden: tuple[int, ...]) -> bool:
    """Ask for a run of the queue; False when one runs now, which sees the new jobs by itself."""
    despliegue = motor.despliegue(DESPLIEGUE)
    if motor.activas_de(despliegue.id):
        return False
    clave = sha256(repr((pueden, time.time() // MIRADA_S)).encode()).hexdigest()[:32]
    motor.lanzar(despliegue.id, {}, f"cola-{clave}")
    return True
