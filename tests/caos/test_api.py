"""The API killed again and again while a client gives it five hundred commands: each takes effect exactly once."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from app import llave
from nucleo import registro
from nucleo.agentes import servicio as agentes
from nucleo.bd import conectar
from nucleo.recorridos import almacen, lectura
from nucleo.recorridos.cliente import Cliente
from nucleo.recorridos.comandos import Comando, TipoComando
from nucleo.recorridos.estado import EstadoRecorrido
from nucleo.recorridos.peticiones import PeticionCrear, Recibo
from nucleo.recorridos.plan import Clase, Paso, Plan
from nucleo.recorridos.transporte import SinRespuesta, SinServidor, TransporteHttp
from nucleo.reloj import reloj_del_sistema
from tests.espera import esperar
from tests.motor.servidor import puerto_y_siguiente

RAIZ = Path(__file__).resolve().parents[2]
COMANDOS = 500
PLAN = Plan(
    titulo="Caos",
    pasos=(
        Paso(id="inicio", titulo="Inicio", clase=Clase.INICIO),
        Paso(id="redactar", titulo="Redactar", clase=Clase.AGENTE, dependencias=("inicio",)),
        Paso(
            id="revisar",
            titulo="Revisar",
            clase=Clase.APROBACION,
            dependencias=("redactar",),
            rehacer_desde="redactar",
            max_rehechos=20,
        ),
        Paso(id="fin", titulo="Fin", clase=Clase.FIN, dependencias=("revisar",)),
    ),
)
VUELTA = (
    *(TipoComando.INICIAR, TipoComando.ANOTAR, TipoComando.FALLAR, TipoComando.REINTENTAR),
    *(TipoComando.INICIAR, *[TipoComando.ANOTAR] * 20, TipoComando.COMPLETAR, TipoComando.RECHAZAR),
)
"""What is done again and again with the same step."""
DE_PERSONA = frozenset((TipoComando.RECHAZAR, TipoComando.PAUSAR, TipoComando.REANUDAR))


@dataclass
class Servidor:
    """The process that is killed. `muertes`: how many times it was, while it answered or while it began."""

    datos: Path
    puerto: int
    muertes: int = 0
    proceso: subprocess.Popen[bytes] = field(init=False)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.puerto}"

    def arrancar(self) -> None:
        orden = [sys.executable, "-m", "tests.caos.servidor", str(self.datos), str(self.puerto)]
        self.proceso = subprocess.Popen(orden, cwd=RAIZ, env={**os.environ, "PYTHONPATH": str(RAIZ)})

    def contesta(self) -> bool:
        try:
            return httpx.get(f"{self.url}/api/recorridos", trust_env=False).status_code == 401
        except httpx.HTTPError:
            return False

    def matar(self) -> None:
        self.proceso.kill()
        self.proceso.wait()
        self.muertes += 1


@contextmanager
def en_marcha(datos: Path) -> Iterator[Servidor]:
    servidor = Servidor(datos, puerto_y_siguiente())
    servidor.arrancar()
    try:
        esperar(servidor.contesta, 60)
        yield servidor
    finally:
        servidor.proceso.kill()
        servidor.proceso.wait()


class Insistente:
    """A client that repeats the same command until somebody answers, whoever dies meanwhile."""

    def __init__(self, servidor: Servidor, agente: str, persona: str) -> None:
        self._conexiones = {
            quien: httpx.Client(
                base_url=servidor.url, headers={"Authorization": f"Bearer {token}"}, trust_env=False
            )
            for quien, token in (("agente", agente), ("persona", persona))
        }
        self._clientes = {
            quien: Cliente(TransporteHttp(http), dormir=lambda _: time.sleep(0.02))
            for quien, http in self._conexiones.items()
        }
        self.rid = ""
        self.enviados: list[str] = []
        self.error: BaseException | None = None

    def correr(self) -> None:
        try:
            self._correr()
        except BaseException as error:  # noqa: BLE001 - it is the test's to tell
            self.error = error
        finally:
            for http in self._conexiones.values():
                http.close()

    def esperar_a(self, ordenes: int, hilo: threading.Thread) -> None:
        """Until that many have been sent, or it has ended."""
        while len(self.enviados) < ordenes and hilo.is_alive():
            hilo.join(0.002)

    def _correr(self) -> None:
        peticion = PeticionCrear(comando_id="crear", plan=PLAN)
        ultimo = self._hasta_que(lambda: self._clientes["agente"].crear(peticion))
        self.rid = ultimo.id
        intento = 0
        for numero in range(COMANDOS):
            tipo = VUELTA[numero % len(VUELTA)]
            intento += tipo is TipoComando.INICIAR
            comando = Comando(
                comando_id=f"c{numero}",
                tipo=tipo,
                paso="revisar" if tipo is TipoComando.RECHAZAR else "redactar",
                intento=None if tipo in (TipoComando.INICIAR, TipoComando.RECHAZAR) else intento,
                revision=ultimo.revision if tipo in DE_PERSONA else None,
                mensaje="" if tipo is TipoComando.INICIAR else f"Nota {numero}",
            )
            cliente = self._clientes["persona" if tipo in DE_PERSONA else "agente"]
            self.enviados.append(comando.comando_id)
            ultimo = self._hasta_que(lambda: cliente.mandar(self.rid, comando))  # noqa: B023 - called at once

    def _hasta_que(self, pedir: Callable[[], Recibo]) -> Recibo:
        limite = time.monotonic() + 300
        while True:
            try:
                recibo = pedir()
            except (SinServidor, SinRespuesta):
                assert time.monotonic() < limite, "el servidor no vuelve"
                time.sleep(0.02)
            else:
                return recibo


def caos(datos: Path, semilla: int) -> None:
    azar = random.Random(semilla)
    with closing(conectar(registro.preparar(datos))) as con:
        permisos = ["leer:recorridos", "proponer:recorridos"]
        token = agentes.crear(con, "guia", permisos, reloj_del_sistema()).token
    with en_marcha(datos) as servidor:
        cliente = Insistente(servidor, token, llave.leer(datos) or "")
        hilo = threading.Thread(target=cliente.correr)
        hilo.start()
        while hilo.is_alive():
            if azar.random() < 0.8:  # after some more orders; the others die while they begin
                cliente.esperar_a(len(cliente.enviados) + azar.randrange(10, 90), hilo)
            hilo.join(azar.uniform(0, 0.1))  # the moment of the kill, not a wait for something
            servidor.matar()
            servidor.arrancar()
        assert cliente.error is None, cliente.error
    with closing(conectar(datos / registro.FICHERO)) as con:
        hechos: list[str] = []
        while pagina := lectura.eventos(con, cliente.rid, desde=len(hechos)):
            hechos += [e.comando.comando_id if e.comando else "" for e in pagina]
        assert [h for h in hechos if h] == cliente.enviados, "cada orden, una vez y en su sitio"
        assert almacen.recorrido(con, cliente.rid).secuencia == len(hechos)
        assert almacen.recorrido(con, cliente.rid).estado is EstadoRecorrido.ACTIVO
    assert servidor.muertes > 2, "muere una vez, como mucho, cada 90 órdenes y una décima"
    assert len(cliente.enviados) == COMANDOS


def test_quinientas_ordenes_con_el_servidor_muriendo(datos: Path) -> None:
    caos(datos, 2026)


@pytest.mark.nocturno
@pytest.mark.parametrize("semilla", range(10))
def test_otras_diez_veces(datos: Path, semilla: int) -> None:
    caos(datos, semilla)
