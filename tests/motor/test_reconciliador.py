"""When a run is dead: pure rule over its state, its process and its heartbeats."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from app.motor.api import Ejecucion, Trabajador
from app.motor.reconciliador import (
    motivo_de_muerte,
    nombre_trabajador,
    procesos_de_ejecuciones,
    solo_trabaja_esta_maquina,
)
from tests.conftest import AHORA
from tests.espera import esperar

ID = UUID(int=7)


def _ejecucion(tipo: str, hace: timedelta) -> Ejecucion:
    return Ejecucion.model_validate(
        {
            "id": str(ID),
            "name": "una",
            "deployment_id": str(UUID(int=1)),
            "state": {"type": tipo, "name": tipo.title(), "timestamp": (AHORA - hace).isoformat()},
        }
    )


@pytest.mark.parametrize("tipo", ["PENDING", "RUNNING", "CANCELLING"])
def test_sin_proceso_aqui_pasada_la_gracia_esta_muerta(tipo: str) -> None:
    de_hace = _ejecucion(tipo, timedelta(seconds=31))
    assert motivo_de_muerte(de_hace, AHORA, frozenset(), lambda: AHORA) == "su proceso ya no existe"
    assert motivo_de_muerte(_ejecucion(tipo, timedelta(seconds=5)), AHORA, frozenset(), lambda: AHORA) is None
    assert motivo_de_muerte(de_hace, AHORA, frozenset({ID}), lambda: None) is None


def test_al_arrancar_el_worker_no_hay_gracia() -> None:
    recien = _ejecucion("PENDING", timedelta(0))
    assert motivo_de_muerte(recien, AHORA, frozenset(), lambda: None, timedelta(0)) is not None


def test_en_otra_maquina_decide_el_ultimo_latido() -> None:
    vieja = _ejecucion("RUNNING", timedelta(hours=2))
    reciente, antiguo = AHORA - timedelta(minutes=2), AHORA - timedelta(minutes=4)
    assert motivo_de_muerte(vieja, AHORA, None, lambda: reciente) is None
    assert motivo_de_muerte(vieja, AHORA, None, lambda: antiguo) == "lleva más de 3 minutos sin latir"
    assert motivo_de_muerte(vieja, AHORA, None, lambda: None) == "lleva más de 3 minutos sin latir"
    assert motivo_de_muerte(_ejecucion("RUNNING", timedelta(minutes=2)), AHORA, None, lambda: None) is None


def test_en_otra_maquina_una_pendiente_tiene_cinco_minutos() -> None:
    assert motivo_de_muerte(_ejecucion("PENDING", timedelta(minutes=5)), AHORA, None, lambda: None) is None
    tarde = _ejecucion("PENDING", timedelta(minutes=6))
    assert motivo_de_muerte(tarde, AHORA, None, lambda: AHORA) == "lleva más de 5 minutos sin empezar"


def _trabajador(nombre: str, hace: timedelta | None) -> Trabajador:
    visto = None if hace is None else (AHORA - hace).isoformat()
    return Trabajador.model_validate({"name": nombre, "last_heartbeat_time": visto})


def test_solo_se_miran_los_procesos_si_todos_los_workers_son_de_aqui() -> None:
    propio = _trabajador(nombre_trabajador(), timedelta(minutes=1))
    assert solo_trabaja_esta_maquina([propio], AHORA)
    assert solo_trabaja_esta_maquina([propio, _trabajador("worker@otra", timedelta(days=1))], AHORA)
    assert not solo_trabaja_esta_maquina([propio, _trabajador("worker@otra", timedelta(minutes=5))], AHORA)
    assert not solo_trabaja_esta_maquina([_trabajador("worker@otra", None)], AHORA)
    assert not solo_trabaja_esta_maquina([], AHORA)


def test_el_proceso_de_una_ejecucion_se_reconoce_por_su_entorno() -> None:
    identificador = uuid4()
    proceso = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(60)"],
        env={**os.environ, "PREFECT__FLOW_RUN_ID": str(identificador)},
    )
    try:
        esperar(lambda: identificador in (procesos_de_ejecuciones() or ()), 10)
    finally:
        proceso.kill()
        proceso.wait(10)
    assert identificador not in (procesos_de_ejecuciones() or ())
