"""The table of permissions is the whole truth: what the server has is in it, and what it says is what happens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from app import servidor
from app.permisos import ACCIONES, PAGINAS, RUTAS, Accion, Entrada, tabla
from app.piezas import enlaces
from nucleo import registro
from nucleo.agentes import servicio as agentes
from nucleo.bd import conectar
from nucleo.personas import administrar
from nucleo.personas.modelo import Rol
from nucleo.reloj import reloj_del_sistema
from tests.app.servidor import Web, con_sesion

RAIZ = Path(servidor.__file__).parent
QUIENES = ("nadie", "revocada", "lector", "editor", "admin", "agente")
CAMBIAN = re.compile(r"base\.(nucleo_)?escritura\(")


def test_cada_ruta_del_servidor_tiene_su_fila() -> None:
    assert {getattr(ruta, "path", "?") for ruta in servidor.rutas} <= RUTAS.keys()


def test_cada_pagina_y_cada_accion_tienen_su_minimo() -> None:
    texto = (RAIZ / "ui.py").read_text("utf-8")
    vistas = set(re.findall(r"enlaces\.([A-Z]+): \w+,", texto))
    nombres = {v: getattr(enlaces, v) for v in vistas}
    assert set(nombres.values()) | {None} == PAGINAS.keys()
    assert ACCIONES.keys() == set(Accion)
    assert len(tabla()) == len(RUTAS) + len(PAGINAS) + len(Accion)


def test_ninguna_pagina_escribe_sin_decir_quien_y_que() -> None:
    """Only `escritura` and the runs' client, which asks its own rules, open a database to write."""
    for fichero in (RAIZ / "paginas").rglob("*.py"):
        assert not CAMBIAN.search(fichero.read_text("utf-8")), fichero
    quienes = {f.name for f in (RAIZ / "piezas").glob("*.py") if CAMBIAN.search(f.read_text("utf-8"))}
    assert quienes == {"escritura.py", "recorridos.py"}


@pytest.fixture(scope="module")
def credenciales(web: Web) -> Iterator[dict[str, dict[str, str]]]:
    """The headers that each one sends."""
    galleta = "sobre_sesion={}".format
    dadas = {rol.value: {"cookie": galleta(con_sesion(web.datos, f"de-{rol}", rol))} for rol in Rol}
    dadas["nadie"] = {}
    dadas["revocada"] = {"cookie": galleta(con_sesion(web.datos, "ida", Rol.ADMIN))}
    with closing(conectar(web.datos / registro.FICHERO)) as con:
        administrar.revocar_todas(con, "ida", "pruebas", reloj_del_sistema())
        agente = agentes.crear(con, "de-la-tabla", ["leer:recorridos"], reloj_del_sistema())
    dadas["agente"] = {"authorization": f"Bearer {agente.token}"}
    yield dadas


@pytest.mark.parametrize("quien", QUIENES)
def test_cada_cual_llega_hasta_donde_dice_la_tabla(
    web: Web, credenciales: dict[str, dict[str, str]], quien: str
) -> None:
    persona = quien in {"lector", "editor", "admin"}
    lee = persona or quien == "agente"
    cabeceras = credenciales[quien]
    with httpx.Client(base_url=web.base, headers=cabeceras, timeout=30, trust_env=False) as http:
        pagina = http.get("/")
        assert (pagina.status_code == 200) is persona
        assert persona or pagina.headers["location"].startswith("/entrar?ir=")
        for ruta in ("/_stcore/host-config", "/media/nada", "/component/nada/x.js"):
            respuesta = http.get(ruta, headers={"sec-fetch-mode": "cors"})
            assert (respuesta.status_code == 401) is not persona
        assert http.get("/api/recorridos").status_code == (200 if lee else 401)
        assert http.get("/entrar", follow_redirects=False).status_code == (303 if persona else 200)
        cuerpo = {"comando_id": f"c-{quien}", "plan": {}}
        orden = http.post("/api/recorridos", json=cuerpo, headers={"origin": web.base})
        esperado = {"nadie": 401, "revocada": 401, "lector": 403, "agente": 403}.get(quien)
        assert orden.status_code == esperado if esperado else orden.status_code not in {401, 403}
        por_mcp = http.post("/mcp", json={}, headers={"origin": web.base}).status_code
        assert por_mcp != 401 if quien == "agente" else por_mcp == 401


def test_nadie_mas_que_la_puerta_y_los_ficheros_se_abre_sin_credencial() -> None:
    assert {ruta for ruta, quien in RUTAS.items() if quien is Entrada.TODOS} == {
        *("/api/salud", "/entrar", "/entrar/clave", "/salir", "/_stcore/health", "/static/")
    }
