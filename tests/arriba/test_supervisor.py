"""The supervisor with small real processes: order, signals, deaths, ports, lock, and what a killed one leaves."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.arriba import restos
from tests.espera import esperar

GUION = """
import os, sys
from pathlib import Path
from app.arriba.procesos import Proceso
from app.arriba.supervisor import servir
py = sys.executable
puerto = int(sys.argv[2])
tabla = (
    Proceso(nombre="uno", orden=(py, "-m", "http.server", str(puerto), "--bind", "127.0.0.1"),
            salud=f"http://127.0.0.1:{puerto}/", puertos=((puerto, "SOBRE_PREFECT_PUERTO"),), espera_s=20.0),
    Proceso(nombre="recado", orden=(py, "-c", "print('recado hecho')"), termina=True, espera_s=20.0),
    Proceso(nombre="dos", orden=(py, "-c", sys.argv[3]), gracia_s=float(sys.argv[4])),
)
decir = lambda quien, linea: print(quien, linea, flush=True)
sys.exit(servir(tabla, Path(sys.argv[1]), dict(os.environ), decir, "ABIERTO"))
"""

OBEDIENTE = "import time\nwhile True: time.sleep(0.1)"
# A stubborn process whose child is in a session of its own, as Prefect starts some flow runs.
TERCO = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
while True: time.sleep(0.1)
"""


class Arrancado:
    """A supervisor in a process of its own, its output in a file."""

    def __init__(self, datos: Path, puerto: int, dos: str, gracia: float) -> None:
        self.datos = datos
        self._salida = datos.parent / f"salida-{time.monotonic_ns()}.txt"
        with self._salida.open("w") as fichero:
            self.popen = subprocess.Popen(
                [sys.executable, "-c", GUION, str(datos), str(puerto), dos, str(gracia)],
                stdout=fichero,
                stderr=subprocess.STDOUT,
                # As a shell gives it to a background job.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),  # noqa: PLW1509 - no threads here
            )

    def texto(self) -> str:
        return self._salida.read_text()

    def esperar_abierto(self) -> None:
        esperar(lambda: "ABIERTO" in self.texto() or self.popen.poll() is not None, 30, self.texto)
        assert "ABIERTO" in self.texto(), self.texto()

    def registro(self) -> restos.Registro:
        leido = restos.leer(self.datos / "arriba" / "procesos.json")
        assert leido is not None
        return leido

    def pid_de(self, nombre: str) -> int:
        return next(a.pid for a in self.registro().procesos if a.nombre == nombre)


Arrancar = Callable[..., Arrancado]


@pytest.fixture
def puerto() -> int:
    with socket.socket() as enchufe:
        enchufe.bind(("127.0.0.1", 0))
        libre: int = enchufe.getsockname()[1]
        return libre


@pytest.fixture
def arrancar(datos: Path, puerto: int) -> Iterator[Arrancar]:
    lanzados: list[Arrancado] = []

    def lanzar(dos: str = OBEDIENTE, gracia: float = 5.0, abierto: bool = True) -> Arrancado:
        nuevo = Arrancado(datos, puerto, dos, gracia)
        lanzados.append(nuevo)
        if abierto:
            nuevo.esperar_abierto()
        return nuevo

    yield lanzar
    for lanzado in lanzados:
        if lanzado.popen.poll() is None:
            lanzado.popen.terminate()
            lanzado.popen.wait(20)
    anterior = restos.leer(datos / "arriba" / "procesos.json")
    if anterior is not None:
        restos.rematar(anterior)


@pytest.mark.parametrize("senal", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_una_senal_lo_para_todo_en_orden_inverso_y_no_queda_nada(
    arrancar: Arrancar, senal: signal.Signals
) -> None:
    arriba = arrancar()
    registro = arriba.registro()
    assert len(restos.con_marca(registro.marca)) >= 2
    arriba.popen.send_signal(senal)
    assert arriba.popen.wait(20) == 0
    texto = arriba.texto()
    assert texto.index("uno listo") < texto.index("recado hecho") < texto.index("ABIERTO")
    assert texto.index("paro dos") < texto.index("paro uno")
    assert restos.vivos(registro) == []


def test_si_un_proceso_muere_lo_dice_y_para_el_resto_con_codigo_1(arrancar: Arrancar) -> None:
    arriba = arrancar()
    registro = arriba.registro()
    os.kill(arriba.pid_de("uno"), signal.SIGKILL)
    assert arriba.popen.wait(20) == 1
    assert "uno ha muerto (señal SIGKILL)" in arriba.texto()
    assert restos.vivos(registro) == []


def test_un_proceso_terco_y_su_nieto_en_otra_sesion_tambien_caen(arrancar: Arrancar) -> None:
    arriba = arrancar(TERCO, gracia=1.0)
    registro = arriba.registro()
    esperar(lambda: len(restos.con_marca(registro.marca)) == 3, 20)
    arriba.popen.terminate()
    assert arriba.popen.wait(20) == 0
    assert restos.vivos(registro) == []


def test_la_segunda_senal_no_espera_la_gracia(arrancar: Arrancar) -> None:
    arriba = arrancar(TERCO, gracia=300.0)
    registro = arriba.registro()
    arriba.popen.send_signal(signal.SIGINT)
    esperar(lambda: "paro dos" in arriba.texto(), 20, arriba.texto)
    arriba.popen.send_signal(signal.SIGINT)
    assert arriba.popen.wait(20) == 0
    assert restos.vivos(registro) == []


def test_un_proceso_que_no_arranca_se_nombra(arrancar: Arrancar) -> None:
    arriba = arrancar("raise SystemExit(3)", abierto=False)
    assert arriba.popen.wait(30) == 1
    assert "dos ha muerto (código 3)" in arriba.texto() or "dos ha terminado al arrancar" in arriba.texto()


def test_con_el_puerto_ocupado_dice_cual_y_como_cambiarlo(arrancar: Arrancar, puerto: int) -> None:
    with socket.socket() as ajeno:
        ajeno.bind(("127.0.0.1", puerto))
        ajeno.listen()
        arriba = arrancar(abierto=False)
        assert arriba.popen.wait(20) == 1
    assert f"El puerto {puerto}" in arriba.texto()
    assert "SOBRE_PREFECT_PUERTO" in arriba.texto()


def test_dos_supervisores_no_comparten_carpeta(arrancar: Arrancar) -> None:
    primero = arrancar()
    segundo = arrancar(abierto=False)
    assert segundo.popen.wait(20) == 1
    assert "Ya hay un «sobre arriba»" in segundo.texto()
    assert primero.popen.poll() is None


def test_tras_un_sigkill_el_siguiente_limpia_y_arranca(arrancar: Arrancar) -> None:
    muerto = arrancar(TERCO)
    registro = muerto.registro()
    esperar(lambda: len(restos.con_marca(registro.marca)) == 3, 20)
    muerto.popen.kill()
    muerto.popen.wait(10)
    assert len(restos.vivos(registro)) == 3
    siguiente = arrancar()
    assert "la vez anterior no se paró bien: he cerrado 3 procesos" in siguiente.texto()
    assert restos.vivos(registro) == []


def test_un_pid_reutilizado_por_otro_no_se_toca() -> None:
    ajeno = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        registro = restos.Registro(
            marca=restos.marca_nueva(),
            procesos=(restos.Anotado(nombre="uno", pid=ajeno.pid, inicio="otro momento"),),
        )
        assert restos.rematar(registro) == []
        assert ajeno.poll() is None
    finally:
        ajeno.kill()
        ajeno.wait(10)
