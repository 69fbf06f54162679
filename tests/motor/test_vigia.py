"""The watch asks for passes and is stopped by nothing but its end; the engine here is a small real HTTP server."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import UUID

import pytest

from app.motor.api import Motor
from app.motor.vigia import Vigia, pedir_pasada
from nucleo.errores import ErrorRed
from nucleo.reloj import reloj_del_sistema

ID = str(UUID(int=9))
ESTADO = {"type": "SCHEDULED", "name": "Scheduled", "timestamp": "2026-03-02T09:00:00Z"}
EJECUCION = {"id": ID, "name": "una", "deployment_id": ID, "state": ESTADO}
DESPLIEGUE = {"id": ID, "name": "radar", "global_concurrency_limit": None}


class MotorFingido(ThreadingHTTPServer):
    """Answers what the watch asks; `activas` = runs under way, `pedidas` = bodies of the passes asked for.

    `ocupado` = how many requests it refuses first with 503, as Prefect does when its database is busy.
    """

    daemon_threads = True

    def __init__(self) -> None:
        self.activas: list[dict[str, object]] = []
        self.pedidas: list[dict[str, object]] = []
        self.ocupado = 0
        super().__init__(("127.0.0.1", 0), _Manejador)


class _Manejador(BaseHTTPRequestHandler):
    server: MotorFingido

    def do_GET(self) -> None:
        limite = {"name": "placsp", "active_slots": 0}
        self._responder(DESPLIEGUE if self.path.startswith("/api/deployments") else limite)

    def do_POST(self) -> None:
        cuerpo = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.server.ocupado:
            self.server.ocupado -= 1
            self.send_response(503)
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.path.endswith("create_flow_run"):
            self.server.pedidas.append(cuerpo)
            self._responder(EJECUCION)
        else:
            self._responder(self.server.activas if "flow_runs" in self.path else [])

    def _responder(self, documento: object) -> None:
        cuerpo = json.dumps(documento).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(cuerpo)))
        self.end_headers()
        self.wfile.write(cuerpo)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        pass


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


def test_un_motor_ocupado_un_momento_se_vuelve_a_pedir(
    fingido: MotorFingido, motor: Motor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.motor.api.ESPERAS_S", (0.0, 0.0, 0.0))
    fingido.ocupado = 3
    assert pedir_pasada(motor, {"643": "a"}, {})
    assert len(fingido.pedidas) == 1
    fingido.ocupado = 9
    with pytest.raises(ErrorRed, match="503"):
        pedir_pasada(motor, {"643": "b"}, {})
    assert fingido.ocupado == 9 - 4, "y no más de cuatro veces"


def test_con_una_pasada_en_marcha_se_espera_y_luego_se_pide(fingido: MotorFingido, motor: Motor) -> None:
    fingido.activas = [EJECUCION]
    assert not pedir_pasada(motor, {"643": "a"}, {})
    fingido.activas = []
    assert pedir_pasada(motor, {"643": "a"}, {})
    assert pedir_pasada(motor, {"643": "a"}, {})
    assert pedir_pasada(motor, {"643": "b"}, {})
    claves = [p["idempotency_key"] for p in fingido.pedidas]
    assert claves[0] == claves[1] != claves[2], "la misma cabecera es la misma petición"
    assert fingido.pedidas[0]["parameters"] == {"fuentes": ["643"], "cabeceras": None}


async def test_una_fuente_que_falla_no_tapa_a_las_demas(fingido: MotorFingido, motor: Motor) -> None:
    dicho: list[str] = []
    miradas: list[str] = []

    async def mirar(fuente: str) -> str | None:
        miradas.append(fuente)
        if fuente == "643":
            raise ErrorRed("No contesta.")
        return "nueva" if miradas.count(fuente) == 1 else None

    vigia = Vigia(motor, mirar, reloj_del_sistema, dicho.append, {})
    async with asyncio.timeout(20), asyncio.TaskGroup() as grupo:
        grupo.create_task(vigia.vigilar(["643", "1044"], 0.05))
        while not fingido.pedidas or miradas.count("643") < 3:
            await asyncio.sleep(0.02)
        vigia.parar.set()
    assert fingido.pedidas[0]["parameters"] == {"fuentes": ["1044"], "cabeceras": None}
    assert len(fingido.pedidas) == 1
    assert dicho.count("643: No contesta.") == 1, "lo que dura se dice una vez"


async def test_sin_motor_sigue_vigilando_y_pide_la_pasada_cuando_vuelve(fingido: MotorFingido) -> None:
    dicho: list[str] = []
    direccion = f"http://127.0.0.1:{fingido.server_address[1]}"

    async def mirar(_fuente: str) -> str | None:
        return "nueva" if not dicho else None

    caido = Motor("http://127.0.0.1:9/api")
    vigia = Vigia(caido, mirar, reloj_del_sistema, dicho.append, {})
    async with asyncio.timeout(30), asyncio.TaskGroup() as grupo:
        grupo.create_task(vigia.vigilar(["643"], 0.05))
        while not any("no responde" in linea for linea in dicho):
            await asyncio.sleep(0.02)
        vigia._motor = Motor(f"{direccion}/api")
        while not fingido.pedidas:
            await asyncio.sleep(0.02)
        vigia.parar.set()
    vigia._motor.cerrar()
    caido.cerrar()
