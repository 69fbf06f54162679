"""The real web process on a free port, over whatever data folder it is given."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx

from tests.espera import esperar


class Web(NamedTuple):
    """A server that is running: where it answers and where its data are."""

    base: str
    datos: Path


@contextmanager
def servida(datos: Path) -> Iterator[Web]:
    """Started as `make up` starts it, from a folder that is not the project's."""
    with socket.socket() as libre:
        libre.bind(("127.0.0.1", 0))
        puerto = libre.getsockname()[1]
    raiz = Path(__file__).parents[2]
    orden = [
        sys.executable,
        "-m",
        "uvicorn",
        "app.servidor:app",
        "--host",
        "127.0.0.1",
        "--port",
        str(puerto),
    ]
    entorno = os.environ | {"SOBRE_DATOS": str(datos), "PYTHONPATH": str(raiz)}
    with (datos / "web.log").open("wb") as registro_web:
        proceso = subprocess.Popen(
            orden, cwd=datos, env=entorno, stdout=registro_web, stderr=subprocess.STDOUT
        )
    base = f"http://127.0.0.1:{puerto}"
    try:
        esperar(lambda: _responde(base), 60, lambda: (datos / "web.log").read_text("utf-8")[-2000:])
        yield Web(base, datos)
    finally:
        proceso.terminate()
        proceso.wait(20)


def _responde(base: str) -> bool:
    try:
        return httpx.get(f"{base}/api/salud", timeout=5).status_code == 200
    except httpx.TransportError:
        return False
