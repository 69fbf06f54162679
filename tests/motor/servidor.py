"""A real Prefect server for tests, away from the user's own, and the marks of the tests that use it."""

from __future__ import annotations

import socket
import threading
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.arriba.entorno import entorno_motor
from app.arriba.hijo import Hijo
from app.arriba.procesos import Proceso, tabla
from nucleo.configuracion import Configuracion

FLOW_EN_PROCESO = [
    pytest.mark.prefect,
    pytest.mark.usefixtures("prefect_en_proceso"),
    # Prefect's own clients leave some connections to the garbage collector.
    pytest.mark.filterwarnings(
        "ignore:Exception ignored in. <socket.socket:pytest.PytestUnraisableExceptionWarning"
    ),
]
"""Marks of a test that calls a flow in its own process."""


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
