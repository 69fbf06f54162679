"""The watch of the runs goes on whatever goes wrong in one look, and tells it once."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from app.motor import aviso_recorridos
from app.motor.api import Motor
from app.motor.aviso_recorridos import AvisoRecorridos
from nucleo import registro
from nucleo.errores import ErrorRed

BIEN = 6
"""Looks until the test is content."""


@pytest.mark.parametrize(
    "fallo",
    [ErrorRed("El motor no contesta."), sqlite3.OperationalError("database is locked"), KeyError("x")],
    ids=["del_motor", "de_la_base", "nuestro"],
)
async def test_ningun_fallo_de_una_mirada_acaba_con_ellas(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fallo: Exception
) -> None:
    dichas: list[str] = []
    miradas = asyncio.Semaphore(0)

    class Tropieza(AvisoRecorridos):
        """Fails at each look."""

        async def mirar(self, con: sqlite3.Connection) -> None:
            miradas.release()
            raise fallo

    monkeypatch.setattr(aviso_recorridos, "MIRADA_S", 0.0)
    motor = Motor("http://127.0.0.1:9/api")
    aviso = Tropieza(motor, registro.preparar(tmp_path), dict, dichas.append)
    tarea = asyncio.create_task(aviso.vigilar())
    try:
        async with asyncio.timeout(30):
            for _ in range(BIEN):
                await miradas.acquire()
    finally:
        tarea.cancel()
        await asyncio.gather(tarea, return_exceptions=True)
        motor.cerrar()
    assert tarea.cancelled()
    assert len(dichas) == 1, "lo que dura se dice cuando empieza"
