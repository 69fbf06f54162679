"""Fixtures over one Prefect server for all the tests of a session."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prefect.events.worker import EventsWorker
from prefect.logging.handlers import APILogWorker
from prefect.settings import (
    PREFECT_API_URL,
    PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
    PREFECT_HOME,
    temporary_settings,
)

from app.motor.api import Motor
from tests.motor.servidor import ServidorPrefect, crear_servidor, ya


@pytest.fixture(scope="session")
def servidor_prefect(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServidorPrefect]:
    """A server as it starts for the first time."""
    servidor = crear_servidor(tmp_path_factory.mktemp("motor"))
    prefect = servidor.lanzar("prefect")
    try:
        yield servidor
        # What the flows of this process still had to say, before the server goes.
        EventsWorker.drain_all(timeout=5)
        APILogWorker.drain_all(timeout=5)
    finally:
        prefect.parar(ya())


@pytest.fixture(scope="session")
def preparado(servidor_prefect: ServidorPrefect) -> ServidorPrefect:
    """That server with the pool, the automation and the deployments of prefect.yaml."""
    servidor_prefect.lanzar("preparacion")
    _parar_horarios(servidor_prefect.url)
    return servidor_prefect


def _parar_horarios(url: str) -> None:
    """Nothing runs but what a test asks for, whatever the hour strikes meanwhile."""
    with httpx.Client(base_url=url) as api:
        for despliegue in api.post("/deployments/filter", json={}).json():
            api.patch(f"/deployments/{despliegue['id']}", json={"paused": True}).raise_for_status()


@pytest.fixture
def motor(preparado: ServidorPrefect) -> Iterator[Motor]:
    """Our client of that server."""
    cliente = Motor(preparado.url)
    yield cliente
    cliente.cerrar()


@pytest.fixture
def prefect_en_proceso(servidor_prefect: ServidorPrefect) -> Iterator[None]:
    """Flows called in the tests' process report to that server, without heartbeats (a second less per flow)."""
    ajustes = {
        PREFECT_API_URL: servidor_prefect.url,
        PREFECT_HOME: Path(servidor_prefect.entorno["PREFECT_HOME"]),
        PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None,
    }
    with temporary_settings(ajustes):
        yield
        # What it leaves open is collected here, not in somebody else's test.
        gc.collect()
