"""/mcp inside the one web process, started as `make up` starts it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from socket import socket

import httpx
import pytest

from nucleo import registro
from nucleo.agentes import servicio
from nucleo.bd import conectar
from nucleo.reloj import reloj_del_sistema
from tests.agentes.casa import Casa, cuerpo
from tests.espera import esperar

LISTAR = cuerpo("tools/list")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Casa]:
    datos = tmp_path_factory.mktemp("web")
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
    entorno = os.environ | {"SOBRE_DATOS": str(datos), "SOBRE_ANFITRIONES": "web:8080"}
    casa = Casa(datos, f"http://127.0.0.1:{puerto}/mcp")
    salida = datos / "salida.txt"
    with (
        salida.open("w") as fichero,
        subprocess.Popen(orden, env=entorno, stdout=fichero, stderr=fichero) as proceso,
    ):
        try:
            esperar(lambda: proceso.poll() is not None or _responde(casa), 60, salida.read_text)
            assert proceso.poll() is None, salida.read_text()
            yield casa
        finally:
            proceso.terminate()
            proceso.wait(30)
    assert "Traceback" not in salida.read_text()


def _responde(casa: Casa) -> bool:
    try:
        return casa.crudo(LISTAR).status_code == 401
    except httpx.TransportError:
        return False


async def test_un_agente_entra_y_busca_por_el_puerto_de_la_web(web: Casa) -> None:
    token = web.agente("lector", "leer:licitaciones")
    respuesta = await web.pedir(token, "licitaciones_buscar", {"texto": "obras"})
    assert respuesta == {
        "ok": True,
        "resultados": [],
        "total": 0,
        "hay_mas_de_total": False,
        "siguiente": None,
    }


def test_solo_se_atiende_por_los_nombres_configurados(web: Casa) -> None:
    with closing(conectar(web.datos / registro.FICHERO)) as con:
        token = servicio.crear(con, "otro", ["leer:licitaciones"], reloj_del_sistema()).token

    def con_nombre(nombre: str) -> int:
        return web.crudo(LISTAR, Authorization=f"Bearer {token}", Host=nombre).status_code

    assert con_nombre("web:8080") == 200
    assert con_nombre("web:8081") == con_nombre("malo.example") == con_nombre("otra-web:8080") == 403


def test_la_salud_sigue_en_su_sitio(web: Casa) -> None:
    assert httpx.get(web.url.replace("/mcp", "/api/salud")).status_code in {200, 503}
