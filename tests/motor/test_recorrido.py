"""The flow that advances a run, on a real Prefect server, and the process that does it killed half-way."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from prefect.settings import get_current_settings

from flows.barrido import barrer
from flows.recorrido import InformeRecorrido, avanzar_recorrido
from nucleo import registro
from nucleo.bd import conectar
from nucleo.recorridos import almacen, lectura
from nucleo.recorridos.comandos import TipoComando
from nucleo.recorridos.entregas.modelo import EstadoEntrega
from nucleo.recorridos.estado import EstadoRecorrido, Situacion
from nucleo.reloj import reloj_del_sistema
from tasks import repaso
from tasks.entregas import lanzar_avance
from tasks.recorrido import ejecutar_paso
from tests.espera import esperar
from tests.motor.servidor import FLOW_EN_PROCESO, ServidorPrefect
from tests.recorridos.ejecucion.mesa import CASA, crear, estados, mandar
from tests.recorridos.ejecucion.taller import PERSONA, casa_de_pruebas, de_agente, humano, maquinal

pytestmark = [*FLOW_EN_PROCESO, pytest.mark.usefixtures("preparado")]
RAIZ = Path(__file__).resolve().parents[2]


@pytest.fixture
def con(datos: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """The shared database, and the test house where the tasks look for the installation's."""
    for modulo in ("recorrido", "barrido"):
        monkeypatch.setattr(f"tasks.{modulo}.casa", casa_de_pruebas)
    monkeypatch.setattr("tasks.recorrido.ejecutar_paso", ejecutar_paso.with_options(retry_delay_seconds=0))
    with closing(conectar(registro.preparar(datos))) as abierta:
        yield abierta


async def avanzar(rid: str) -> InformeRecorrido:
    informe: InformeRecorrido = await avanzar_recorrido(rid)  # type: ignore[assignment]
    return informe


async def test_hace_lo_suyo_hasta_que_solo_puede_seguir_una_persona(
    con: sqlite3.Connection, servidor_prefect: ServidorPrefect
) -> None:
    rid = crear(
        con, maquinal("uno", "anotar"), maquinal("dos", "anotar"), humano("mirar"), maquinal("tres", "anotar")
    )
    informe = await avanzar(rid)
    assert (informe.espera, informe.pasos) == ("EsperandoPersona", {"completado": 2})
    assert estados(con, rid)["mirar"] is Situacion.ESPERANDO
    esperadas = {f"uno · {rid} · intento 1", f"dos · {rid} · intento 1"}
    esperar(lambda: esperadas <= _tareas(servidor_prefect), 30)  # the engine writes them down a little later
    ultimo = almacen.recorrido(con, rid).pasos["uno"].ultimo
    assert ultimo is not None
    assert ultimo.ref.prefect_run, "el intento dice en qué ejecución se hizo"
    assert (await avanzar(rid)).pasos == {}, "sin nada suyo que hacer, acaba enseguida"
    mandar(
        con, rid, TipoComando.RESPONDER, PERSONA, paso="mirar", revision=almacen.recorrido(con, rid).revision
    )
    assert (await avanzar(rid)).espera == "Terminado"
    assert almacen.recorrido(con, rid).estado is EstadoRecorrido.COMPLETADO


async def test_lo_que_la_red_tuerce_se_repite_dentro_del_mismo_intento(
    con: sqlite3.Connection, datos: Path
) -> None:
    rid = crear(con, maquinal("uno", "torpe"))
    assert (await avanzar(rid)).pasos == {"completado": 1}
    assert (datos / "rastros" / "uno-1.veces").read_text() == "xx"
    assert almacen.recorrido(con, rid).pasos["uno"].intento == 1


@pytest.mark.parametrize(
    ("funcion", "motivo"),
    [
        ("imposible", "le falta el pliego"),
        ("roto", "Fallo del programa (ZeroDivisionError)"),
        ("mal_dicho", "dicho"),
    ],
)
async def test_lo_que_no_se_puede_hacer_queda_fallido_con_su_motivo(
    con: sqlite3.Connection, funcion: str, motivo: str
) -> None:
    rid = crear(con, maquinal("uno", funcion))
    informe = await avanzar(rid)
    assert informe.pasos == {"fallido": 1}
    paso = almacen.recorrido(con, rid).pasos["uno"]
    assert paso.estado is Situacion.FALLIDO
    assert motivo in paso.resultado


async def test_el_paso_de_un_agente_va_a_la_cola_y_el_flow_no_lo_espera(con: sqlite3.Connection) -> None:
    rid = crear(con, de_agente("redactar"), humano("mirar"))
    informe = await avanzar(rid)
    assert (informe.espera, informe.pasos) == ("EsperandoAgente", {})
    ultimo = almacen.recorrido(con, rid).pasos["redactar"].ultimo
    assert ultimo is not None
    assert ultimo.trabajador == "oferta"


async def test_dos_avances_a_la_vez_no_hacen_nada_dos_veces(con: sqlite3.Connection, datos: Path) -> None:
    rid = crear(con, *(maquinal(f"paso{n}", "anotar") for n in range(4)))
    primero = subprocess.Popen(_orden(rid), cwd=RAIZ, env=_entorno(datos))
    with primero:
        informe = await avanzar(rid)
        assert primero.wait(60) == 0
    assert informe.fallos == ()
    assert almacen.recorrido(con, rid).estado is EstadoRecorrido.COMPLETADO
    assert {f.name: f.read_text() for f in (datos / "rastros").iterdir()} == {
        f"paso{n}-1.veces": "x" for n in range(4)
    }


async def test_el_barrido_entrega_y_despierta_de_verdad(
    con: sqlite3.Connection, servidor_prefect: ServidorPrefect
) -> None:
    rid = crear(con, maquinal("uno", "anotar"))
    informe = await barrer()
    assert (informe.entregadas, informe.despertados) == (1, 1)  # type: ignore[attr-defined]
    assert [e.estado for e in lectura.entregas(con, rid)] == [EstadoEntrega.CONFIRMADA]
    pedidas = _ejecuciones(servidor_prefect, rid)
    assert len(pedidas) == 2, "la de la entrega y la del repaso; sobra una, que acaba enseguida"
    (entrega,) = lectura.entregas(con, rid)
    await lanzar_avance(rid, f"entrega-{entrega.id}")
    assert len(_ejecuciones(servidor_prefect, rid)) == 2, "la misma clave es el mismo avance"


def _tareas(servidor: ServidorPrefect) -> set[str]:
    return {t["name"] for t in httpx.post(f"{servidor.url}/task_runs/filter", json={}).json()}


def _ejecuciones(servidor: ServidorPrefect, rid: str) -> list[str]:
    todas = httpx.post(f"{servidor.url}/flow_runs/filter", json={"limit": 200}).json()
    return [e["id"] for e in todas if e["parameters"].get("recorrido") == rid and e["deployment_id"]]


def _orden(rid: str) -> list[str]:
    return [sys.executable, "-m", "tests.recorridos.ejecucion.proceso", rid]


def _entorno(datos: Path) -> dict[str, str]:
    url = get_current_settings().api.url
    assert url is not None
    return {**os.environ, "PYTHONPATH": str(RAIZ), "PREFECT_API_URL": url, "SOBRE_DATOS": str(datos)}


@pytest.mark.parametrize("repetible", [True, False], ids=["repetible", "unico"])
async def test_matado_a_medias_nada_se_pierde_ni_se_repite_a_ciegas(
    con: sqlite3.Connection, datos: Path, monkeypatch: pytest.MonkeyPatch, repetible: bool
) -> None:
    rid = crear(
        con, maquinal("uno", "anotar"), maquinal("dos", "lento", repetible), maquinal("tres", "anotar")
    )
    with subprocess.Popen(_orden(rid), cwd=RAIZ, env=_entorno(datos)) as proceso:
        esperar((datos / "rastros" / "dos-1.empezado").exists, 60)
        proceso.kill()
    assert estados(con, rid) == {
        "uno": Situacion.COMPLETADO,
        "dos": Situacion.EN_CURSO,
        "tres": Situacion.BLOQUEADO,
    }
    assert (await avanzar(rid)).pasos == {}, "mientras dure su arriendo puede estar vivo"
    luego = reloj_del_sistema() + timedelta(minutes=5)
    with monkeypatch.context() as reloj:
        reloj.setattr("tasks.repaso.reloj_del_sistema", lambda: luego)
        repaso.vencer_arriendos(con, CASA)
        repaso.conciliar_intentos(con, CASA)
    (datos / "adelante").touch()
    if not repetible:
        assert (await avanzar(rid)).pasos == {}
        assert estados(con, rid)["dos"] is Situacion.DUDOSO
        mandar(
            con,
            rid,
            TipoComando.REINTENTAR,
            PERSONA,
            paso="dos",
            revision=almacen.recorrido(con, rid).revision,
            reconciliado=True,
            mensaje="He mirado y no estaba.",
        )
    assert (await avanzar(rid)).espera == "Terminado"
    assert almacen.recorrido(con, rid).pasos["dos"].intento == 2
    assert (datos / "rastros" / "dos-2.veces").read_text() == "x"
    assert not (datos / "rastros" / "dos-1.veces").exists()
