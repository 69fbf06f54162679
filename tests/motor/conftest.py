"""One real Prefect server for the tests of a session, away from the user's own."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from prefect.settings import (
    PREFECT_API_URL,
    PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
    PREFECT_HOME,
    temporary_settings,
)

from app.arriba.entorno import entorno_motor
from app.arriba.hijo import Hijo
from app.arriba.procesos import Proceso, tabla
from app.motor.api import Motor
from nucleo.configuracion import Configuracion


def puerto_y_siguiente() -> int:
    """A port that is free together with the next one (the worker's health page)."""
    while True:
        with socket.socket() as uno, socket.socket() as otro:
            uno.bind(("127.0.0.1", 0))
            puerto: int = uno.getsockname()[1]
            try:
                otro.bind(("127.0.0.1", puerto + 1))
            except (OSError, OverflowError):
                continue
            return puerto


@dataclass
class ServidorPrefect:
    """A running server: its data folder, environment and table of processes, and what it has printed."""

    datos: Path
    entorno: dict[str, str]
    procesos: dict[str, Proceso]
    lineas: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return self.entorno["PREFECT_API_URL"]

    def lanzar(self, nombre: str) -> Hijo:
        """Start that row of the table and wait until it is well."""
        hijo = Hijo(self.procesos[nombre], self.entorno, self.anotar)
        try:
            hijo.esperar_listo(threading.Event())
        except BaseException:
            hijo.parar(ya())
            raise
        return hijo

    def anotar(self, quien: str, linea: str) -> None:
        self.lineas.append(f"{quien} | {linea}")

    def salida(self) -> str:
        return "\n".join(self.lineas[-60:])


def ya() -> threading.Event:
    """An event already set: no grace."""
    evento = threading.Event()
    evento.set()
    return evento


def crear_servidor(datos: Path) -> ServidorPrefect:
    """Table and environment for a server on free ports; nothing is started."""
    puerto = puerto_y_siguiente()
    conf = Configuracion(datos=datos, prefect_puerto=puerto)
    entorno = entorno_motor(datos, puerto)
    return ServidorPrefect(datos, entorno, {p.nombre: p for p in tabla(conf)})


@pytest.fixture(scope="session")
def servidor_prefect(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServidorPrefect]:
    """A server with the pool, the automation and the deployments of prefect.yaml."""
    servidor = crear_servidor(tmp_path_factory.mktemp("motor"))
    prefect = servidor.lanzar("prefect")
    try:
        servidor.lanzar("preparacion")
        yield servidor
    finally:
        prefect.parar(ya())


@pytest.fixture
def motor(servidor_prefect: ServidorPrefect) -> Iterator[Motor]:
    """Our client of that server."""
    cliente = Motor(servidor_prefect.url)
    yield cliente
    cliente.cerrar()


@pytest.fixture(scope="session")
def prefect_en_proceso(servidor_prefect: ServidorPrefect) -> Iterator[None]:
    """Flows called in the tests' process report to that server, without heartbeats (a second less per flow)."""
    ajustes = {
        PREFECT_API_URL: servidor_prefect.url,
        PREFECT_HOME: Path(servidor_prefect.entorno["PREFECT_HOME"]),
        PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None,
    }
    with temporary_settings(ajustes):
        yield
