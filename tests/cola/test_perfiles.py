"""Which profiles may be launched on: who answers, what it offers, and whether it has come for our tools."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr
from starlette.types import ASGIApp, Receive, Scope, Send

from app.hermes.api import Ajustes, ApiSimulada
from app.hermes.curso import Curso
from app.hermes.memoria import Contrato, Memoria
from app.hermes.servir import servir
from nucleo import registro
from nucleo.bd import conectar
from nucleo.cola.frenos import almacen
from nucleo.cola.perfiles import Contacto, Perfiles
from nucleo.hermes.perfiles import Hermes, Perfil
from nucleo.hermes.vigia import CONTACTO_FRESCO
from tests.conftest import AHORA
from tests.hermes.doble import CLAVE, Averia, Averiado


async def nada(_curso: Curso) -> str:
    return "Hecho."


def api(contrato: Contrato = Contrato.V019) -> ASGIApp:
    return ApiSimulada(CLAVE, nada, Ajustes(contrato, 2), Memoria()).app


def perfil(nombre: str, url: str, clave: str = CLAVE) -> Perfil:
    return Perfil(nombre=nombre, url=url, clave=SecretStr(clave), proveedor="p")


def visto(cuando: datetime | None) -> Contacto:
    return lambda _con, _nombre: cuando


@pytest.fixture
def con(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(conectar(registro.preparar(tmp_path))) as abierta:
        yield abierta


async def motivos(
    con: sqlite3.Connection, contacto: Contacto, *perfiles: Perfil, ahora: datetime = AHORA
) -> list[str | None]:
    async with Perfiles(Hermes(perfiles=perfiles), contacto) as abiertos:
        return [e.motivo for e in await abiertos.estados(con, ahora)]


@pytest.mark.parametrize("contrato", list(Contrato))
async def test_quien_contesta_y_acaba_de_venir_sirve(con: sqlite3.Connection, contrato: Contrato) -> None:
    with servir(api(contrato)) as url:
        assert await motivos(con, visto(AHORA), perfil("uno", url)) == [None]
    guardado = almacen.proceso(con, "uno")
    assert guardado is not None
    assert guardado.pid is not None


@pytest.mark.parametrize("hace", [None, CONTACTO_FRESCO + timedelta(seconds=1)])
async def test_quien_no_ha_venido_por_las_herramientas_no_sirve(
    con: sqlite3.Connection, hace: timedelta | None
) -> None:
    with servir(api()) as url:
        (motivo,) = await motivos(con, visto(None if hace is None else AHORA - hace), perfil("uno", url))
    assert motivo is not None
    assert "no ha pasado por nuestro servidor de herramientas" in motivo


async def test_tras_reiniciarse_tiene_que_volver_a_venir(con: sqlite3.Connection) -> None:
    with servir(api()) as url:
        uno = perfil("uno", url)
        assert await motivos(con, visto(AHORA), uno) == [None]
    (parado,) = await motivos(con, visto(AHORA), uno, ahora=AHORA + timedelta(seconds=10))
    assert parado is not None
    assert "no está en marcha" in parado
    luego = AHORA + timedelta(seconds=20)
    with servir(api()) as url:
        (motivo,) = await motivos(con, visto(AHORA), perfil("uno", url), ahora=luego)
        assert motivo is not None
        assert await motivos(con, visto(luego), perfil("uno", url), ahora=luego) == [None]


async def test_la_clave_que_no_vale_y_lo_que_no_ofrece_se_dicen(con: sqlite3.Connection) -> None:
    pobre = Averia(
        "GET /v1/capabilities", 9, "suplanta", (200, {}, b'{"features": {"run_submission": true}}')
    )
    with servir(api()) as url, servir(Averiado(api(), pobre)) as otra:
        uno, dos = perfil("uno", url, "otra-clave-que-no-vale"), perfil("dos", otra)
        clave, corto = await motivos(con, visto(AHORA), uno, dos)
    assert clave is not None
    assert "no admite la clave del perfil" in clave
    assert corto is not None
    assert "no ofrece lo que la cola necesita" in corto


class Espera:
    """ASGI application that answers only when another one has been asked too, and otherwise breaks."""

    def __init__(self, app: ASGIApp, llegada: threading.Event, otra: threading.Event) -> None:
        self._app, self._llegada, self._otra = app, llegada, otra

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self._llegada.set()
            if not self._otra.wait(15):
                await send({"type": "http.response.start", "status": 500, "headers": []})
                await send({"type": "http.response.body", "body": b""})
                return
        await self._app(scope, receive, send)


async def test_se_miran_todos_a_la_vez(con: sqlite3.Connection) -> None:
    uno, dos = threading.Event(), threading.Event()
    with servir(Espera(api(), uno, dos)) as url, servir(Espera(api(), dos, uno)) as otra:
        assert await motivos(con, visto(AHORA), perfil("uno", url), perfil("dos", otra)) == [None, None]
        assert uno.is_set()
        assert dos.is_set()
