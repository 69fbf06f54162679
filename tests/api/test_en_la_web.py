"""The API inside the one web process: beside the pages, and stopping when it is told to, whoever is waiting."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from socket import socket

import httpx
import pytest

from app import llave
from tests.espera import esperar

LARGO_S = 60


@pytest.fixture
def web(datos: Path) -> Iterator[tuple[subprocess.Popen[bytes], httpx.Client, Path]]:
    """The process, a client with the local key, and what the process writes."""
    with socket() as enchufe:
        enchufe.bind(("127.0.0.1", 0))
        puerto = enchufe.getsockname()[1]
    orden = [
        sys.executable,
        "-m",
        "uvicorn",
        "app.servidor:app",
        "--port",
        str(puerto),
        "--log-level",
        "warning",
    ]
    salida = datos / "salida.txt"
    base = f"http://127.0.0.1:{puerto}"
    with (
        salida.open("w") as fichero,
        subprocess.Popen(
            [*orden, "--timeout-graceful-shutdown", str(LARGO_S)],
            env=os.environ,
            stdout=fichero,
            stderr=fichero,
        ) as proceso,
    ):
        try:
            esperar(lambda: proceso.poll() is not None or _responde(base), LARGO_S, salida.read_text)
            assert proceso.poll() is None, salida.read_text()
            cabeceras = {"Authorization": f"Bearer {llave.leer(datos)}"}
            with httpx.Client(base_url=base, headers=cabeceras, timeout=LARGO_S, trust_env=False) as http:
                yield proceso, http, salida
        finally:
            proceso.terminate()
            proceso.wait(30)


def _responde(base: str) -> bool:
    try:
        return httpx.get(f"{base}/api/recorridos", trust_env=False).status_code == 401
    except httpx.TransportError:
        return False


def test_convive_con_las_paginas_y_al_parar_suelta_a_quien_espera(
    web: tuple[subprocess.Popen[bytes], httpx.Client, Path],
) -> None:
    proceso, http, salida = web
    assert http.get("/api/salud").status_code in {200, 503}
    assert "text/html" in http.get("/", follow_redirects=True).headers["content-type"]
    plan = {
        "titulo": "Una pregunta",
        "pasos": [
            {"id": "inicio", "titulo": "Inicio", "clase": "inicio"},
            {"id": "uno", "titulo": "Uno", "clase": "manual", "dependencias": ["inicio"]},
            {"id": "fin", "titulo": "Fin", "clase": "fin", "dependencias": ["uno"]},
        ],
    }
    rid = http.post("/api/recorridos", json={"comando_id": "c-1", "plan": plan}).json()["id"]
    oidas: list[str] = []
    empieza = threading.Event()

    def oir() -> None:
        with http.stream("GET", "/api/eventos") as respuesta:
            for linea in respuesta.iter_lines():
                oidas.append(linea)
                empieza.set()

    esperadas: list[int] = []

    def aguardar() -> None:
        ruta = f"/api/recorridos/{rid}/esperar?tras_revision=1&segundos=55"
        try:
            esperadas.append(http.get(ruta).status_code)
        except httpx.TransportError:  # it had not got in yet
            esperadas.append(0)

    hilos = [threading.Thread(target=oir), threading.Thread(target=aguardar)]
    for hilo in hilos:
        hilo.start()
    assert empieza.wait(LARGO_S)
    proceso.terminate()
    proceso.wait(LARGO_S / 2)  # half of what it would give to who does not go
    for hilo in hilos:
        hilo.join(LARGO_S)
    assert oidas[0] == "event: foto"
    assert esperadas in ([200], [0])  # answered with what there was
    assert "Traceback" not in salida.read_text()
