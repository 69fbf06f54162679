"""Every declared tool, with right, nearly right and absurd arguments: an answer that fits, not a row out of place."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.hermes.servir import servir
from app.mcp.herramientas import CATALOGO
from app.mcp.montaje import aplicacion_sola
from dominios.licitaciones import registro as de_licitaciones
from nucleo import registro
from nucleo.agentes import servicio
from nucleo.agentes.herramientas import UnaHerramienta
from nucleo.agentes.recortar import TOPE
from nucleo.reloj import reloj_del_sistema
from tests.agentes.casa import CABECERAS, cuerpo
from tests.agentes.esquemas import buenos, casi_buenos
from tests.agentes.volcado import volcado
from tests.criba.taller import Taller, abrir, cerrar, encargo

DE_LLAMADAS = ("agente", "agente_llamada")
"""Tables that every call writes."""
TENDERS = tuple(range(1, 6))


class Puesto:
    """A served /mcp over an installation with tenders and an open attempt, and an agent that may do it all."""

    def __init__(self, taller: Taller, url: str) -> None:
        self.url = url
        self.datos = taller.datos
        taller.perfilar()
        taller.publicar(*TENDERS, objeto="Mantenimiento de equipos con «cosas» raras\u2028 y ñ")
        taller.formar()
        self.suyo = encargo(taller.turno())
        self.ids = [f[0] for f in taller.con.execute("SELECT entrada_id FROM licitacion")]
        token = servicio.crear(taller.cola, "licitaciones", CATALOGO.permisos(), reloj_del_sistema()).token
        self.http = httpx.Client(headers=CABECERAS | {"Authorization": f"Bearer {token}"}, timeout=60)
        self.vigia = sqlite3.connect(self.datos / de_licitaciones.FICHERO)

    def llamar(self, nombre: str, argumentos: object) -> dict[str, Any] | None:
        """What it answered; None when the message itself was refused."""
        antes = self._anotadas()
        respuesta = self.http.post(self.url, content=cuerpo("tools/call", name=nombre, arguments=argumentos))
        assert respuesta.status_code < 500, respuesta.text[:500]
        leida = {} if respuesta.status_code == 413 else respuesta.json()
        if "result" not in leida:
            assert self._anotadas() == antes
            return None
        assert leida["result"]["isError"] is False
        texto = leida["result"]["content"][0]["text"]
        assert len(texto.encode("utf-8", "surrogatepass")) <= TOPE
        assert str(self.datos) not in texto
        assert self._anotadas() == antes + 1
        dicho: dict[str, Any] = json.loads(texto)
        return dicho

    def _anotadas(self) -> int:
        with closing(sqlite3.connect(self.datos / registro.FICHERO)) as con:
            (cuantas,) = con.execute("SELECT count(*) FROM agente_llamada").fetchone()
            return int(cuantas)

    def version(self) -> int:
        """Changes when somebody has written in the tenders' database."""
        (version,) = self.vigia.execute("PRAGMA data_version").fetchone()
        return int(version)

    def cola(self) -> list[str]:
        """The shared database without what every call writes."""
        return volcado(self.datos / registro.FICHERO, *DE_LLAMADAS)


@pytest.fixture(scope="module")
def puesto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Puesto]:
    datos: Path = tmp_path_factory.mktemp("todas")
    taller = abrir(datos)
    with servir(aplicacion_sola(datos, CATALOGO)) as base:
        puesto = Puesto(taller, f"{base}/mcp")
        yield puesto
        puesto.http.close()
        puesto.vigia.close()
    cerrar(taller)


def argumentos_de(herramienta: UnaHerramienta) -> st.SearchStrategy[tuple[object, int]]:
    """Arguments, and a number that says which real thing they may name."""
    esquema = herramienta.esquema()
    return st.tuples(buenos(esquema) | casi_buenos(esquema), st.integers(0, 2 * len(TENDERS)))


def con_lo_de_verdad(puesto: Puesto, argumentos: object, cual: int) -> object:
    """Names a real tender, and its own attempt, half of the times: at random they would never be found."""
    if not isinstance(argumentos, dict) or cual >= len(puesto.ids):
        return argumentos
    reales = {"id": puesto.ids[cual]} | puesto.suyo
    return {clave: reales.get(clave, valor) for clave, valor in argumentos.items()}


def probar(puesto: Puesto, herramienta: UnaHerramienta, ejemplos: int) -> None:
    """Many calls to that tool; raises AssertionError with the one that went wrong."""

    @settings(max_examples=ejemplos, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(argumentos_de(herramienta))
    def llamar(sorteo: tuple[object, int]) -> None:
        antes, cola = puesto.version(), puesto.cola()
        respuesta = puesto.llamar(herramienta.nombre, con_lo_de_verdad(puesto, *sorteo))
        if respuesta is not None:
            assert isinstance(respuesta["ok"], bool)
            assert respuesta.get("codigo") != "fallo_interno", respuesta
        if herramienta.solo_lee or respuesta is None or not respuesta["ok"]:
            assert puesto.version() == antes
        assert puesto.cola() == cola

    llamar()


@pytest.mark.parametrize("herramienta", CATALOGO.todas(), ids=lambda h: h.nombre)
def test_ningun_argumento_rompe_una_herramienta(puesto: Puesto, herramienta: UnaHerramienta) -> None:
    probar(puesto, herramienta, 60)


@pytest.mark.nocturno
@pytest.mark.parametrize("herramienta", CATALOGO.todas(), ids=lambda h: h.nombre)
def test_ningun_argumento_rompe_una_herramienta_toda_la_noche(
    puesto: Puesto, herramienta: UnaHerramienta
) -> None:
    probar(puesto, herramienta, 3000)


def _hondo(puesto: Puesto) -> object:
    hondo: object = "x"
    for _ in range(150):
        hondo = [hondo]
    return {"id": hondo, "texto": hondo, "juicios": hondo, **puesto.suyo}


MONSTRUOS: dict[str, Callable[[Puesto], object]] = {
    "texto enorme": lambda p: {"id": "x" * 400_000, "texto": "ñ" * 80_000, **p.suyo},
    "más de lo que se lee": lambda p: {"id": "x" * 1_000_001, **p.suyo},
    "lista enorme": lambda p: {"cpv": ["72"] * 50_000, "juicios": [{}] * 50_000, **p.suyo},
    "número enorme": lambda p: {"limite": 10**300, "desde": 10**300, "trabajo": 10**300},
    "hondo": _hondo,
    "nulos": lambda p: {"id": "\0", "texto": "\0", "cursor": "\0", "nonce": "\0" * 20, "trabajo": 1},
    "no son números": lambda p: {"limite": float("nan"), "importe_min": float("inf"), **p.suyo},
    "sustituto suelto": lambda p: {"id": "\ud800", "texto": "\udfff", **p.suyo},
    "consulta escrita": lambda p: {"id": "' OR 1=1 --", "texto": '" OR * NEAR(', "cursor": "'"},
}


@pytest.mark.parametrize("monstruo", MONSTRUOS)
@pytest.mark.parametrize("herramienta", CATALOGO.todas(), ids=lambda h: h.nombre)
def test_lo_monstruoso_se_rechaza_o_se_atiende_y_no_escribe_nada(
    puesto: Puesto, herramienta: UnaHerramienta, monstruo: str
) -> None:
    antes, cola = puesto.version(), puesto.cola()
    todos = MONSTRUOS[monstruo](puesto)
    assert isinstance(todos, dict)
    propios = {c: v for c, v in todos.items() if c in herramienta.argumentos.model_fields}
    for argumentos in (todos, propios, {"payload": todos}):
        respuesta = puesto.llamar(herramienta.nombre, argumentos)
        assert respuesta is None or respuesta.get("codigo") != "fallo_interno"
    assert (puesto.version(), puesto.cola()) == (antes, cola)
