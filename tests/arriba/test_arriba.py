"""`sobre arriba` whole, with its real processes: killed hard, started again, stopped well."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.arriba import restos
from app.arriba.procesos import tabla
from nucleo.configuracion import Configuracion
from tests.espera import esperar
from tests.motor.servidor import puerto_y_siguiente

pytestmark = pytest.mark.prefect

SOBRE = str(Path(sys.executable).with_name("sobre"))


class Arriba:
    """One `sobre arriba` over `datos`, on free ports, that asks nothing of PLACSP."""

    def __init__(self, datos: Path) -> None:
        self.datos = datos
        self.prefect = puerto_y_siguiente()
        self.web = puerto_y_siguiente()
        self.salida = datos.parent / "arriba.txt"
        with self.salida.open("a") as fichero:
            self.popen = subprocess.Popen(
                [SOBRE, "arriba"], env=self._entorno(), stdout=fichero, stderr=subprocess.STDOUT
            )

    def _entorno(self) -> dict[str, str]:
        return {
            **os.environ,
            "SOBRE_DATOS": str(self.datos),
            "SOBRE_PUERTO": str(self.web),
            "SOBRE_PREFECT_PUERTO": str(self.prefect),
            "SOBRE_VIGILANCIA_SEGUNDOS": "0",
            "PREFECT_SERVER_SERVICES_SCHEDULER_ENABLED": "false",
        }

    def esperar_abierto(self) -> None:
        esperar(
            lambda: self._texto().count("todo en marcha") or self.popen.poll() is not None, 240, self._texto
        )
        assert self.popen.poll() is None, self._texto()

    def _texto(self) -> str:
        return self.salida.read_text()

    def registro(self) -> restos.Registro:
        leido = restos.leer(self.datos / "arriba" / "procesos.json")
        assert leido is not None
        return leido


@pytest.fixture
def datos_de_arriba(datos: Path) -> Iterator[Path]:
    yield datos
    quedan = restos.leer(datos / "arriba" / "procesos.json")
    if quedan is not None:
        restos.rematar(quedan)


def test_tras_un_sigkill_vuelve_a_arrancar_y_con_sigterm_no_queda_nada(datos_de_arriba: Path) -> None:
    muerto = Arriba(datos_de_arriba)
    muerto.esperar_abierto()
    viejos = muerto.registro()
    esperados = [p.nombre for p in tabla(Configuracion())]
    assert [a.nombre for a in viejos.procesos] == esperados
    muerto.popen.kill()
    muerto.popen.wait(10)
    assert restos.vivos(viejos), "sin supervisor, sus procesos siguen"
    muerto.salida.write_text("")

    arriba = Arriba(datos_de_arriba)
    try:
        arriba.esperar_abierto()
        assert restos.vivos(viejos) == []
        assert "he cerrado" in arriba.salida.read_text()
        assert f"Abre                   http://127.0.0.1:{arriba.web}" in arriba.salida.read_text()
        assert httpx.get(f"http://127.0.0.1:{arriba.web}/api/salud").status_code == 200
        assert httpx.get(f"http://127.0.0.1:{arriba.prefect}/").status_code == 200, "el panel del motor"
        nuevos = arriba.registro()
    finally:
        arriba.popen.send_signal(signal.SIGTERM)
        codigo = arriba.popen.wait(60)
    assert codigo == 0, arriba.salida.read_text()
    assert restos.vivos(nuevos) == []
