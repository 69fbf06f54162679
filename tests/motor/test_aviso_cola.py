"""The queue is asked for when something may start, once, and not while nothing can."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.motor.api import Motor
from app.motor.aviso_cola import AvisoCola, empezables
from nucleo import registro
from nucleo.bd import conectar
from nucleo.cola import servicio
from nucleo.cola.modelo import Ambito
from tests.cola.fabrica import TIPOS, contexto
from tests.conftest import AHORA
from tests.motor.test_vigia import EJECUCION, MotorFingido


@pytest.fixture
def fingido() -> Iterator[MotorFingido]:
    with MotorFingido() as servidor:
        hilo = threading.Thread(target=servidor.serve_forever, kwargs={"poll_interval": 0.02})
        hilo.start()
        yield servidor
        servidor.shutdown()
        hilo.join(5)


@pytest.fixture
def motor(fingido: MotorFingido) -> Iterator[Motor]:
    cliente = Motor(f"http://127.0.0.1:{fingido.server_address[1]}/api")
    yield cliente
    cliente.cerrar()


@pytest.fixture
def fichero(tmp_path: Path) -> Path:
    return registro.preparar(tmp_path)


def encolar(fichero: Path, objeto: str) -> None:
    with closing(conectar(fichero)) as con:
        servicio.encolar(con, TIPOS, "criba", objeto, "{}", None, AHORA)


def test_solo_se_pide_cuando_algo_puede_empezar(fichero: Path) -> None:
    with closing(conectar(fichero)) as con:
        assert empezables(con, TIPOS, contexto(), AHORA) == ()
        servicio.encolar(con, TIPOS, "criba", "a", "{}", None, AHORA)
        assert empezables(con, TIPOS, contexto(), AHORA) == (1,)
        assert empezables(con, TIPOS, contexto().model_copy(update={"perfiles": ()}), AHORA) == ()
        servicio.pausar(con, Ambito.COLA, "", AHORA)
        assert empezables(con, TIPOS, contexto(), AHORA) == ()
        servicio.reanudar(con, Ambito.COLA, "", AHORA)
        servicio.reclamar(con, TIPOS, contexto(), AHORA)
        assert empezables(con, TIPOS, contexto(), AHORA) == (1,), "lo que quedó a medias también"


def test_cada_trabajo_se_pide_una_vez_y_mientras_corre_una_no_se_pide_otra(
    fichero: Path, fingido: MotorFingido, motor: Motor
) -> None:
    aviso = AvisoCola(motor, fichero, lambda con: empezables(con, TIPOS, contexto(), AHORA), print)
    aviso.mirar()
    assert fingido.pedidas == []
    encolar(fichero, "a")
    aviso.mirar()
    aviso.mirar()
    assert len(fingido.pedidas) == 1
    encolar(fichero, "b")
    fingido.activas = [EJECUCION]
    aviso.mirar()
    assert len(fingido.pedidas) == 1
    fingido.activas = []
    aviso.mirar()
    assert len(fingido.pedidas) == 2
