"""Dead workers, a real one: what they leave is freed and the next run starts; one run at a time meanwhile."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from uuid import UUID

import pytest

from app.arriba.hijo import Hijo
from app.arriba.procesos import POZO
from app.motor.api import Ejecucion, Motor
from app.motor.reconciliador import procesos_de_ejecuciones, reconciliar
from app.motor.vigia import DESPLIEGUE
from dominios.licitaciones.radar.muestra.servir import paginas
from nucleo.reloj import reloj_del_sistema
from tests.espera import esperar
from tests.motor.servidor import ServidorPrefect, ya
from tests.reproductor import faltas
from tests.reproductor.servidor import Reproductor

pytestmark = pytest.mark.prefect

CABECERA = "/sindicacion_1403/CPM_SectorPublico.atom"


@pytest.fixture
def placsp() -> Iterator[Reproductor]:
    with Reproductor() as reproductor:
        for ruta, cuerpo in paginas(reloj_del_sistema()).items():
            reproductor.poner(f"/{ruta}", cuerpo)
        yield reproductor


class Taller:
    """The radar's deployment on a real worker, asked for over a head of ours."""

    def __init__(self, servidor: ServidorPrefect, motor: Motor, cabecera: str) -> None:
        self.servidor = servidor
        self.motor = motor
        self._parametros = {"fuentes": ["1403"], "cabeceras": {"1403": cabecera}}
        self.workers: list[Hijo] = []

    def contratar(self) -> Hijo:
        worker = self.servidor.lanzar("worker")
        self.workers.append(worker)
        return worker

    def lanzar(self, clave: str) -> UUID:
        unica = f"{clave}-{token_hex(4)}"  # the same test may be repeated on the same server
        return self.motor.lanzar(self.motor.despliegue(DESPLIEGUE).id, self._parametros, unica).id

    def esperar_estado(self, ejecucion: UUID, *tipos: str, segundos: float = 60) -> Ejecucion:
        esperar(lambda: self.motor.ejecucion(ejecucion).estado.tipo in tipos, segundos, self.servidor.salida)
        return self.motor.ejecucion(ejecucion)

    def ocupados(self) -> int:
        turno = self.motor.despliegue(DESPLIEGUE).turno
        assert turno is not None
        return turno.ocupados


@pytest.fixture
def taller(preparado: ServidorPrefect, motor: Motor, placsp: Reproductor) -> Iterator[Taller]:
    nuevo = Taller(preparado, motor, placsp.url(CABECERA))
    yield nuevo
    for worker in nuevo.workers:
        worker.parar(ya())
    reconciliar(motor, POZO, reloj_del_sistema)


@pytest.mark.muerte
def test_muertos_el_worker_y_sus_hijos_en_el_primer_segundo_la_siguiente_empieza_en_dos_minutos(
    taller: Taller, placsp: Reproductor
) -> None:
    placsp.fallar_siempre(CABECERA, faltas.gotear(10, 0.5))
    primero = taller.contratar()
    perdida = taller.lanzar("caida-1")
    taller.esperar_estado(perdida, "RUNNING")
    # In its first second: the worker and its children, all at once.
    os.killpg(primero.pid, signal.SIGKILL)
    muerte = time.monotonic()
    esperar(lambda: perdida not in (procesos_de_ejecuciones() or ()), 10)
    assert taller.motor.ejecucion(perdida).estado.tipo == "RUNNING", "nadie lo sabe todavía"
    assert taller.ocupados() == 1
    # What restarts a worker (the engine of containers, a person) comes some seconds later.
    taller.contratar()
    placsp.sanar()
    siguiente = taller.lanzar("caida-2")
    taller.esperar_estado(siguiente, "RUNNING", "COMPLETED", segundos=120 - (time.monotonic() - muerte))
    assert time.monotonic() - muerte < 120
    assert taller.motor.ejecucion(perdida).estado.tipo == "CRASHED"
    assert taller.esperar_estado(siguiente, "COMPLETED", "FAILED").estado.tipo == "COMPLETED"
    assert taller.ocupados() == 0


def test_una_segunda_pasada_se_cancela_mientras_corre_la_primera(taller: Taller, placsp: Reproductor) -> None:
    placsp.fallar_siempre(CABECERA, faltas.gotear(10, 0.5))
    taller.contratar()
    primera = taller.lanzar("una-1")
    taller.esperar_estado(primera, "RUNNING")
    segunda = taller.lanzar("una-2")
    taller.esperar_estado(segunda, "CANCELLED")
    assert taller.motor.ejecucion(primera).estado.tipo == "RUNNING"
    assert reconciliar(taller.motor, POZO, reloj_del_sistema) == (), "lo que vive no se toca"
    assert taller.motor.ejecucion(primera).estado.tipo == "RUNNING"


@pytest.mark.muerte
def test_sin_worker_que_vuelva_la_vigilancia_libera_la_ejecucion_y_su_turno(
    taller: Taller, placsp: Reproductor
) -> None:
    placsp.fallar_siempre(CABECERA, faltas.gotear(10, 0.5))
    worker = taller.contratar()
    perdida = taller.lanzar("sola-1")
    esperar(lambda: taller.motor.ejecucion(perdida).estado.tipo in ("PENDING", "RUNNING"), 60)
    os.killpg(worker.pid, signal.SIGKILL)
    esperar(lambda: reconciliar(taller.motor, POZO, reloj_del_sistema) != (), 60)
    assert taller.motor.ejecucion(perdida).estado.tipo == "CRASHED"
    assert taller.ocupados() == 0


def test_un_turno_que_nadie_ocupa_se_libera(taller: Taller) -> None:
    turno = taller.motor.despliegue(DESPLIEGUE).turno
    assert turno is not None
    taller.motor._pedir("PATCH", f"/v2/concurrency_limits/{turno.nombre}", {"active_slots": 1})
    assert taller.ocupados() == 1
    (ajuste,) = reconciliar(taller.motor, POZO, reloj_del_sistema)
    assert ajuste.que == "turno de radar"
    assert taller.ocupados() == 0


def test_la_vigilancia_pide_una_pasada_cuando_la_fuente_se_mueve(
    taller: Taller, placsp: Reproductor, tmp_path: Path
) -> None:
    taller.contratar()
    servidor = taller.servidor
    proceso = servidor.procesos["vigia"]
    orden = (*proceso.orden, "--fuente", "1403", "--url", placsp.url(CABECERA))
    entorno = servidor.entorno | {"SOBRE_VIGILANCIA_SEGUNDOS": "1"}
    vigia = Hijo(proceso.model_copy(update={"orden": orden}), entorno, servidor.anotar)
    try:
        esperar(lambda: "1403 se ha movido" in servidor.salida(), 60, servidor.salida)
        esperar(lambda: "304" in str(placsp.peticiones) or placsp.veces(CABECERA) > 3, 60)
        cambiada = placsp.recursos[CABECERA].cuerpo.replace(b"</feed>", b"<!-- otra --></feed>")
        pedidas = servidor.lineas.count("vigia | 1403 se ha movido: pido una pasada")
        placsp.poner(CABECERA, cambiada)
        esperar(
            lambda: servidor.lineas.count("vigia | 1403 se ha movido: pido una pasada") == pedidas + 1,
            60,
            servidor.salida,
        )
        esperar(lambda: sum("Completed()" in x for x in servidor.lineas if "leer 1403" in x) >= 2, 90)
    finally:
        assert vigia.parar(threading.Event()) == 0, "se despide bien con SIGTERM"
