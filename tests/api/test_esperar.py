"""Waiting for a run and hearing all of them: who waits learns of each change, and holds nothing meanwhile."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any
from uuid import uuid4

import httpx
import pytest

from app.api import corriente, novedades
from app.api.novedades import COLA_MAX, Novedades
from nucleo import registro
from nucleo.agentes import servicio
from nucleo.bd import conectar
from nucleo.recorridos.estado import EstadoRecorrido
from nucleo.recorridos.lectura.modelo import Pulso
from nucleo.reloj import reloj_del_sistema
from tests.api.servida import PERSONA, Servida
from tests.espera import esperar
from tests.recorridos.casos import PLAN

LARGO_S = 30
"""Far more than anything here takes."""


def crear(api: Servida) -> str:
    with api.http("guia") as http:
        respuesta = http.post("/api/recorridos", json={"comando_id": uuid4().hex, "plan": PLAN})
    return str(respuesta.json()["id"])


def pausar(api: Servida, rid: str) -> int:
    with api.http(PERSONA) as http:
        orden = {"comando_id": uuid4().hex, "tipo": "pausar"}
        return int(http.post(f"/api/recorridos/{rid}/comandos", json=orden).json()["revision"])


def esperando(api: Servida, rid: str, tras: int, segundos: int) -> dict[str, Any]:
    with api.http("lector") as http:
        consulta = {"tras_revision": tras, "segundos": segundos}
        respuesta = http.get(f"/api/recorridos/{rid}/esperar", params=consulta, timeout=LARGO_S * 2)
    assert respuesta.status_code == 200, respuesta.text
    leida: dict[str, Any] = respuesta.json()
    return leida


def test_esperar_contesta_en_cuanto_cambia(api: Servida) -> None:
    rid = crear(api)
    dicho: list[dict[str, Any]] = []
    hilo = threading.Thread(target=lambda: dicho.append(esperando(api, rid, 1, LARGO_S)))
    hilo.start()
    pausar(api, rid)
    hilo.join(LARGO_S / 2)
    assert dicho and dicho[0]["cambio"] is True
    assert dicho[0]["revision"] == 2 and dicho[0]["recorrido"]["recorrido"]["estado"] == "pausado"


def test_esperar_lo_que_ya_ha_pasado_y_lo_que_no_pasa(api: Servida) -> None:
    rid = crear(api)
    assert esperando(api, rid, 0, LARGO_S)["cambio"] is True
    assert esperando(api, rid, 1, 1) == {
        "cambio": False,
        "revision": 1,
        "estado": "activo",
        "recorrido": None,
    }


@pytest.mark.parametrize(
    "consulta", ["", "tras_revision=-1", "tras_revision=1&segundos=56", "tras_revision=x"]
)
def test_esperar_sin_decir_bien_cuanto(api: Servida, consulta: str) -> None:
    with api.http("lector") as http:
        assert http.get(f"/api/recorridos/{crear(api)}/esperar?{consulta}").status_code == 400


async def test_esperan_muchos_y_los_demas_no_lo_notan(api: Servida) -> None:
    rid = crear(api)
    cabeceras = {"Authorization": f"Bearer {api.tokens['lector']}"}
    limites = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(
        base_url=api.url, headers=cabeceras, timeout=LARGO_S * 2, limits=limites, trust_env=False
    ) as http:
        ruta = f"/api/recorridos/{rid}/esperar?tras_revision=1&segundos={LARGO_S}"
        esperas = [asyncio.create_task(http.get(ruta)) for _ in range(200)]
        otras = [await http.get(f"/api/recorridos/{rid}") for _ in range(20)]
        assert all(r.status_code == 200 for r in otras) and not any(e.done() for e in esperas)
        await asyncio.to_thread(pausar, api, rid)
        respuestas = await asyncio.gather(*esperas)
    assert all(r.json()["revision"] == 2 for r in respuestas)


@contextmanager
def oyendo(api: Servida, quien: str = "lector", desde: str = "") -> Iterator[Iterator[tuple[str, str, Any]]]:
    """The events as they come: name, id, data; a comment has only its text as name."""
    cabeceras = {"Last-Event-ID": desde} if desde else {}
    with (
        api.http(quien) as http,
        http.stream("GET", "/api/eventos", headers=cabeceras, timeout=LARGO_S) as respuesta,
    ):
        assert respuesta.status_code == 200
        assert respuesta.headers["content-type"].startswith("text/event-stream")
        yield sucesos(respuesta.iter_lines())


def sucesos(lineas: Iterator[str]) -> Iterator[tuple[str, str, Any]]:
    campos: dict[str, str] = {}
    for linea in lineas:
        if linea.startswith(":"):
            yield linea, "", None
        elif linea:
            nombre, _, valor = linea.partition(": ")
            campos[nombre] = valor
        elif campos:
            yield campos["event"], campos["id"], json.loads(campos["data"])
            campos = {}


def test_primero_la_foto_y_despues_cada_cambio(api: Servida) -> None:
    rid = crear(api)
    with oyendo(api) as llegan:
        nombre, numero, foto = next(llegan)
        assert nombre == "foto" and int(numero) == foto["cambio"]
        assert rid in {r["id"] for r in foto["recorridos"]}
        pausar(api, rid)
        nombre, siguiente, pulso = next(llegan)
    assert (nombre, pulso["id"], pulso["revision"]) == ("recorrido", rid, 2)
    assert int(siguiente) == pulso["cambio"] > int(numero)


def test_quien_vuelve_sigue_donde_estaba(api: Servida) -> None:
    rid, otro = crear(api), crear(api)
    with oyendo(api) as llegan:
        _, numero, _ = next(llegan)
    for cual in (otro, rid):
        pausar(api, cual)
    with oyendo(api, desde=numero) as llegan:
        assert [next(llegan)[2]["id"] for _ in range(2)] == [otro, rid]
    for raro in ("99999999", "x", "-1", "9" * 40):
        with oyendo(api, desde=raro) as llegan:
            assert next(llegan)[0] == "foto"


def test_mientras_no_pasa_nada_late_y_a_quien_se_le_quita_el_permiso_se_le_corta(
    api: Servida, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corriente, "LATIDO_S", 0.05)
    with closing(conectar(api.datos / registro.FICHERO)) as con:
        api.tokens["breve"] = servicio.crear(con, "breve", ["leer:recorridos"], reloj_del_sistema()).token
        with oyendo(api, "breve") as llegan:
            assert next(llegan)[0] == "foto"
            assert next(llegan)[0] == ": latido"
            servicio.revocar(con, "breve", reloj_del_sistema())
            assert {n for n, _, _ in llegan} <= {": latido"}  # and it ends


def pulso(numero: int) -> Pulso:
    estado = EstadoRecorrido.ACTIVO
    return Pulso(id=f"rec_{numero}", estado=estado, revision=1, secuencia=1, cambio=numero)


async def test_quien_se_queda_atras_se_va_y_los_demas_siguen() -> None:
    pendientes = [pulso(n) for n in range(1, COLA_MAX + 3)]

    async def mirar(tras: int) -> list[Pulso]:
        await asyncio.sleep(0)  # as a thread would
        return [p for p in pendientes if p.cambio > tras][:100]

    de_todos = Novedades(mirar, 0)
    with de_todos.cola() as lento, de_todos.cola() as rapido:
        tarea = asyncio.create_task(de_todos.correr())
        llegados = [await rapido.siguiente(LARGO_S) for _ in pendientes]
        assert [p.cambio for p in llegados if p] == [p.cambio for p in pendientes]
        assert lento.expulsada and not rapido.expulsada
        assert await lento.siguiente(LARGO_S) is None
        tarea.cancel()
        await asyncio.gather(tarea, return_exceptions=True)
        assert rapido.expulsada and await rapido.siguiente(LARGO_S) is None


async def test_al_parar_se_suelta_a_todos(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nada(_: int) -> list[Pulso]:
        return []

    de_todos = Novedades(nada, 0)
    with de_todos.cola() as cola, de_todos.cambio_en("rec_1") as evento:
        tarea = asyncio.create_task(de_todos.correr())
        await asyncio.sleep(0)
        monkeypatch.setattr(novedades, "se_para", lambda: True)
        await asyncio.wait_for(evento.wait(), LARGO_S)
        assert await cola.siguiente(LARGO_S) is None and cola.expulsada
        await asyncio.wait_for(tarea, LARGO_S)
    with de_todos.cambio_en("rec_1") as tarde:
        assert tarde.is_set()


async def test_un_tropiezo_al_mirar_no_deja_a_nadie_esperando(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(novedades, "TRAS_FALLO_S", 0.01)
    fallos = [OSError("disco")]

    async def mirar(tras: int) -> list[Pulso]:
        if fallos:
            raise fallos.pop()
        return [pulso(1)] if tras == 0 else []

    de_todos = Novedades(mirar, 0)
    with de_todos.cola() as cola:
        tarea = asyncio.create_task(de_todos.correr())
        llegado = await cola.siguiente(LARGO_S)
        assert llegado is not None and llegado.cambio == 1
        tarea.cancel()
        await asyncio.gather(tarea, return_exceptions=True)


def test_por_mcp_espera_sin_ocupar_a_nadie(api: Servida) -> None:
    rid = crear(api)
    dicho: list[dict[str, Any]] = []
    pedido = {"recorrido": rid, "tras_revision": 1}
    hilos = [
        threading.Thread(target=lambda: dicho.append(api.herramienta("lector", "recorrido_esperar", pedido)))
        for _ in range(12)
    ]
    for hilo in hilos:
        hilo.start()
    leido = api.herramienta("lector", "recorrido_leer", {"recorrido": rid})  # the readers are two
    assert leido["ok"] and not dicho
    pausar(api, rid)
    esperar(lambda: len(dicho) == len(hilos), LARGO_S)
    assert all(d["cambio"] and d["revision"] == 2 for d in dicho)
    for hilo in hilos:
        hilo.join(LARGO_S)


def test_por_mcp_una_espera_que_no_hace_falta_no_se_hace(api: Servida) -> None:
    rid = crear(api)
    pedido = {"recorrido": rid, "tras_revision": 1, "segundos": "0"}
    assert api.herramienta("lector", "recorrido_esperar", pedido)["cambio"] is False
    assert (
        api.herramienta("lector", "recorrido_esperar", {"recorrido": rid, "tras_revision": 0})["cambio"]
        is True
    )
    ninguno = {"recorrido": f"rec_{'0' * 26}", "tras_revision": 0}
    assert api.herramienta("lector", "recorrido_esperar", ninguno)["codigo"] == "NO_EXISTE"
