"""Wakes the runs at once, and sweeps them each minute, from the process that is always awake.

The engine's own sweep, each ten minutes, is the net below it.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from app.motor.api import Motor
from nucleo.bd import conectar
from nucleo.cola.modelo import Tipos
from nucleo.errores import ErrorRed, ErrorSobre
from tasks.casa import HERMES, PREFECT, casa
from tasks.reparto import (
    DESPLIEGUE,
    Conector,
    ConectorHermes,
    ConectorPrefect,
    NadaEnviado,
    conciliar,
    despertar,
    repartir,
)
from tasks.repaso import conciliar_intentos, vencer_arriendos

REGISTRO = logging.getLogger("sobre.recorridos")
MIRADA_S = 1.0
REPASO_S = 60.0


class AvisoRecorridos:
    """Looks each second; no failure ends it, of the engine, of the database or ours."""

    def __init__(
        self, motor: Motor, fichero: Path, tipos: Callable[[], Tipos], decir: Callable[[str], None]
    ) -> None:
        self._motor = motor
        self._fichero = fichero
        self._tipos = tipos
        self._decir = decir
        self._dicho = ""
        self._repasado = -REPASO_S

    async def vigilar(self) -> None:
        """Until it is cancelled."""
        with closing(conectar(self._fichero)) as con:
            while True:
                await self._mirar_sin_caer(con)
                await asyncio.sleep(MIRADA_S)

    async def _mirar_sin_caer(self, con: sqlite3.Connection) -> None:
        try:
            await self.mirar(con)
            self._dicho = ""
        except ErrorSobre as error:
            self._decir_una_vez(error.mensaje)
        except Exception as error:  # noqa: BLE001 - nobody would wake the runs any more, and nothing would tell
            REGISTRO.exception("una mirada a los recorridos se ha cortado")
            self._decir_una_vez(
                f"recorridos: la mirada se ha cortado ({type(error).__name__}); vuelvo a mirar"
            )

    def _decir_una_vez(self, linea: str) -> None:
        if linea != self._dicho:
            self._decir(linea)
        self._dicho = linea

    async def mirar(self, con: sqlite3.Connection) -> None:
        """One look. Raises ErrorRed when the engine does not answer."""
        conectores: dict[str, Conector] = {
            PREFECT: ConectorPrefect(self.lanzar),
            HERMES: ConectorHermes(con, self._tipos()),
        }
        if time.monotonic() - self._repasado >= REPASO_S:
            self._repasado = time.monotonic()
            registrada = casa(self._fichero.parent)
            vencer_arriendos(con, registrada)
            conciliar_intentos(con, registrada)
            await conciliar(con, conectores)
        await repartir(con, conectores)
        await despertar(con, self.lanzar)

    async def lanzar(self, rid: str, clave: str) -> None:
        """See `tasks.reparto.Lanzar`."""
        try:
            despliegue = await asyncio.to_thread(self._motor.despliegue, DESPLIEGUE)
        except ErrorRed as error:
            raise NadaEnviado(error.mensaje) from error  # only a question had been asked
        await asyncio.to_thread(self._motor.lanzar, despliegue.id, {"recorrido": rid}, clave)
