"""The flow that serves the queue, on a real Prefect server and a real process that is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import httpx
import pytest

from app.hermes.memoria import Contrato
from app.motor.api import Motor
from flows.cola import InformeCola, atender_cola
from nucleo import registro
from nucleo.agentes import servicio as agentes
from nucleo.bd import conectar
from nucleo.candado import candado
from nucleo.cola import almacen, servicio
from nucleo.cola.modelo import EstadoTrabajo, Trabajo
from nucleo.reloj import reloj_del_sistema
from tests.cola.proceso import tipos
from tests.cola.test_muertes import RAIZ, TRABAJOS, Agente
from tests.hermes.doble import CLAVE, Doble
from tests.motor.servidor import FLOW_EN_PROCESO, ServidorPrefect

pytestmark = [*FLOW_EN_PROCESO, pytest.mark.usefixtures("preparado")]


@pytest.fixture
def doble(datos: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Doble]:
    """A Hermes configured for this installation, with its agent registered and just seen."""
    agente = Agente(datos)
    doble = Doble(Contrato.V019, agente)
    with closing(conectar(registro.preparar(datos))) as con:
        credencial = agentes.crear(con, "licitaciones", ["leer:licitaciones"], reloj_del_sistema())
    monkeypatch.setenv("CLAVE_DE_HERMES", CLAVE)
    monkeypatch.setenv("SOBRE_HERMES", str(datos / "hermes.json"))
    with doble.en_marcha() as url:
        perfil = {"url": url, "clave_env": "CLAVE_DE_HERMES", "proveedor": "ficticio"}
        (datos / "hermes.json").write_text(json.dumps({"perfiles": {"licitaciones": perfil}}))
        with closing(conectar(datos / registro.FICHERO)) as con:
            agentes.autenticar(con, credencial.token, reloj_del_sistema())
        yield doble


def encolar(datos: Path, cuantos: int) -> None:
    with closing(conectar(registro.preparar(datos))) as con:
        for numero in range(cuantos):
            objeto = f"licitacion-{numero}"
            servicio.encolar(con, tipos(datos), "criba", objeto, "{}", None, reloj_del_sistema())


def trabajos(datos: Path) -> list[Trabajo]:
    with closing(conectar(datos / registro.FICHERO)) as con:
        return almacen.listar(con, list(EstadoTrabajo), 100)


async def servir(datos: Path, monkeypatch: pytest.MonkeyPatch) -> InformeCola:
    monkeypatch.setattr("tasks.hermes.tipos_de_trabajo", lambda _datos: tipos(datos))
    informe: InformeCola = await atender_cola()  # type: ignore[assignment]
    return informe


async def test_atiende_lo_que_hay_y_cada_intento_es_una_tarea_con_su_nombre(
    datos: Path, doble: Doble, servidor_prefect: ServidorPrefect, monkeypatch: pytest.MonkeyPatch
) -> None:
    encolar(datos, 3)
    informe = await servir(datos, monkeypatch)
    assert informe.trabajos == {"hecho": 3}
    assert informe.fallos == ()
    tareas = httpx.post(f"{servidor_prefect.url}/task_runs/filter", json={}).json()
    assert {f"criba · licitacion-{n} · intento 1" for n in range(3)} <= {t["name"] for t in tareas}
    assert isinstance(doble.agente, Agente)
    assert doble.agente.maximo <= 2
    assert (await servir(datos, monkeypatch)).trabajos == {}, "sin nada pendiente acaba enseguida"


async def test_sin_hermes_los_trabajos_esperan_y_no_gastan(
    datos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encolar(datos, 1)
    assert (await servir(datos, monkeypatch)).trabajos == {}
    (trabajo,) = trabajos(datos)
    assert (trabajo.estado, trabajo.intentos) == (EstadoTrabajo.PENDIENTE, 0)


async def test_no_lanza_en_un_hermes_que_no_ha_visto_nuestras_herramientas(
    datos: Path, doble: Doble, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(conectar(datos / registro.FICHERO)) as con:
        agentes.revocar(con, "licitaciones", reloj_del_sistema())
        agentes.crear(con, "licitaciones", ["leer:licitaciones"], reloj_del_sistema())
    encolar(datos, 1)
    await servir(datos, monkeypatch)
    assert doble.lanzados == []
    assert trabajos(datos)[0].intentos == 0


async def test_dos_a_la_vez_no_se_estorban(
    datos: Path, doble: Doble, monkeypatch: pytest.MonkeyPatch
) -> None:
    encolar(datos, 1)
    with candado(datos / ".cola.candado", "la tiene la prueba"):
        assert (await servir(datos, monkeypatch)).trabajos == {}
    assert doble.lanzados == []
    assert (await servir(datos, monkeypatch)).trabajos == {"hecho": 1}


@pytest.mark.muerte
def test_matar_el_flow_no_pierde_ni_repite_nada(
    datos: Path, doble: Doble, servidor_prefect: ServidorPrefect, motor: Motor, vez: int
) -> None:
    azar = Random(vez)
    encolar(datos, TRABAJOS)
    entorno = {**servidor_prefect.entorno, **os.environ, "PYTHONPATH": str(RAIZ)}
    entorno |= {"PREFECT_API_URL": servidor_prefect.url, "SOBRE_DATOS": str(datos)}
    orden = [sys.executable, "-m", "tests.cola.proceso", "motor", str(datos), "-"]
    for espera in (*(azar.uniform(0.3, 4.0) for _ in range(3)), None):
        with subprocess.Popen(orden, cwd=RAIZ, env=entorno, stdout=subprocess.PIPE, text=True) as proceso:
            assert proceso.stdout is not None
            assert proceso.stdout.readline() == "listo\n"
            if espera is None:
                assert proceso.wait(120) == 0
                break
            time.sleep(espera)  # the moment of the kill, not a wait for something
            proceso.kill()
        # What the reconciler does when no run is alive; otherwise the dead one's place is held for a minute.
        motor.vaciar_turno("hermes")
    assert [(t.estado, t.intentos) for t in trabajos(datos)] == [(EstadoTrabajo.HECHO, 1)] * TRABAJOS
    assert len(doble.lanzados) == len(set(doble.lanzados)) == TRABAJOS
    assert isinstance(doble.agente, Agente)
    assert doble.agente.maximo <= 2
