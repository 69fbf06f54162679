"""The tools over tenders, through the catalogue and over stored pages: what they answer, in pages, and only reading."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.mcp.herramientas import CATALOGO
from dominios.licitaciones import registro as de_licitaciones
from dominios.licitaciones.radar.importar import importar_ficheros
from dominios.licitaciones.radar.muestra import carpeta
from nucleo import registro
from nucleo.agentes.herramientas import Contexto
from nucleo.agentes.llamar import Taller, llamar
from nucleo.agentes.modelo import Agente
from nucleo.agentes.recortar import TOPE
from nucleo.bd import conectar
from nucleo.reloj import reloj_fijo

AHORA = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
AGENTE = Agente(nombre="lector", permisos=frozenset({"leer:licitaciones"}), creado=AHORA)


class Mesa:
    """Calls tools and parses what they answer; `con` is the tenders' database."""

    def __init__(self, datos: Path) -> None:
        self.datos = datos
        self.con = conectar(de_licitaciones.preparar(datos))
        self.comun = conectar(registro.preparar(datos))
        self.taller = Taller(self.comun, CATALOGO, Contexto(AGENTE, datos, reloj_fijo(AHORA)))

    def __call__(self, nombre: str, **argumentos: object) -> dict[str, Any]:
        texto = llamar(self.taller, nombre, argumentos)
        assert len(texto.encode()) <= TOPE
        respuesta: dict[str, Any] = json.loads(texto)
        return respuesta


@pytest.fixture(scope="module")
def mesa(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mesa]:
    mesa = Mesa(tmp_path_factory.mktemp("datos"))
    with closing(mesa.con), closing(mesa.comun):
        importar_ficheros(
            mesa.con, sorted(carpeta().rglob("*.atom")), None, reloj_fijo(AHORA), lambda _: None
        )
        yield mesa
        mesa.taller.contexto.lecturas.cerrar()


def test_buscar_por_paginas_las_da_todas_una_vez(mesa: Mesa) -> None:
    ids: list[str] = []
    cursor = None
    while True:
        pagina = mesa("licitaciones_buscar", limite=7, **({"cursor": cursor} if cursor else {}))
        assert pagina["ok"] is True
        ids += [r["id"] for r in pagina["resultados"]]
        cursor = pagina["siguiente"]
        if cursor is None:
            break
    vigentes = {f[0] for f in mesa.con.execute("SELECT entrada_id FROM licitacion WHERE vigente = 1")}
    assert len(ids) == len(set(ids)) == pagina["total"]
    assert set(ids) == vigentes


def test_los_filtros_de_buscar_se_cumplen(mesa: Mesa) -> None:
    abiertas = mesa("licitaciones_buscar", solo_abiertas=True)["resultados"]
    assert abiertas
    assert all(r["abierta"] or r["tipo_registro"] == "consulta" for r in abiertas)
    cpv = abiertas[0]["cpv"]
    assert all(r["cpv"] for r in mesa("licitaciones_buscar", cpv=[cpv])["resultados"])
    caras = mesa("licitaciones_buscar", importe_min="100000.00", orden="importe")["resultados"]
    importes = [float(r["importe"]) for r in caras]
    assert importes == sorted(importes, reverse=True)
    assert min(importes) >= 100_000


@pytest.mark.parametrize(
    ("argumentos", "campo"),
    [
        ({"cpv": ["perro"]}, "cpv"),
        ({"importe_min": "10", "importe_max": "5"}, "importe_min"),
        ({"limite": 51}, "limite"),
        ({"cierra_en_dias": 0}, "cierra_en_dias"),
        ({"cursor": "x"}, ""),
        ({"cursor": "d0_99999999999999999999_1"}, ""),
        ({"nuts": ["es61"]}, "nuts.0"),
        ({"texto": "x" * 401}, "texto"),
        ({"cpv": ["72"] * 21}, "cpv"),
    ],
)
def test_un_filtro_malo_dice_cual(mesa: Mesa, argumentos: dict[str, object], campo: str) -> None:
    respuesta = mesa("licitaciones_buscar", **argumentos)
    assert respuesta["ok"] is False
    assert respuesta["codigo"] != "fallo_interno"
    assert [e["campo"] for e in respuesta["errores"]] == [campo]


def test_cada_licitacion_se_puede_ver_entera_por_apartados(mesa: Mesa) -> None:
    for (entrada_id,) in mesa.con.execute("SELECT entrada_id FROM licitacion").fetchall():
        resumen = mesa("licitacion_ver", id=entrada_id)
        assert (resumen["ok"], resumen["id"]) == (True, entrada_id)
        assert (
            len(_todo(mesa, "licitacion_ver", "lotes", id=entrada_id, apartado="lotes")) == resumen["n_lotes"]
        )
        resultados = _todo(mesa, "licitacion_ver", "resultados", id=entrada_id, apartado="resultados")
        assert len(resultados) == resumen["n_resultados"]
        documentos = _todo(mesa, "licitacion_documentos", "documentos", id=entrada_id)
        assert len(documentos) == resumen["n_documentos"]
        assert all("uri" not in d for d in documentos)
        versiones = _todo(mesa, "licitacion_versiones", "versiones", id=entrada_id)
        assert len(versiones) == resumen["derivado"]["n_versiones"]


def _todo(mesa: Mesa, nombre: str, lista: str, **argumentos: object) -> list[dict[str, Any]]:
    elementos: list[dict[str, Any]] = []
    desde: int | None = 0
    while desde is not None:
        pagina = mesa(nombre, desde=desde, **argumentos)
        assert pagina["ok"] is True
        elementos += pagina[lista]
        desde = pagina["siguiente"]
    assert pagina["total"] == len(elementos)
    return elementos


@pytest.mark.parametrize("nombre", ["licitacion_ver", "licitacion_versiones", "licitacion_documentos"])
@pytest.mark.parametrize("id_", ["no-existe", "' OR 1=1 --", "%", "../../etc/passwd", "\x00"])
def test_lo_que_no_existe_se_dice_sin_repetirlo(mesa: Mesa, nombre: str, id_: str) -> None:
    respuesta = mesa(nombre, id=id_)
    assert (respuesta["ok"], respuesta["codigo"]) == (False, "no_encontrado")
    assert id_ not in respuesta["errores"][0]["mensaje"] or id_ == "%"


def test_con_la_conexion_que_reciben_no_se_puede_escribir(mesa: Mesa) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        mesa.taller.contexto.leer(de_licitaciones.FICHERO).execute("DELETE FROM licitacion")


def test_sin_base_de_datos_se_niega_sin_decir_donde(tmp_path: Path) -> None:
    with closing(conectar(registro.preparar(tmp_path))) as con:
        taller = Taller(con, CATALOGO, Contexto(AGENTE, tmp_path, reloj_fijo(AHORA)))
        respuesta = llamar(taller, "licitaciones_buscar", {})
    assert json.loads(respuesta)["codigo"] == "base_datos"
    assert str(tmp_path) not in respuesta


def test_si_se_restaura_una_copia_se_lee_la_nueva(tmp_path: Path) -> None:
    contexto = Contexto(AGENTE, tmp_path, reloj_fijo(AHORA))
    for valor in ("vieja", "nueva"):
        aparte = tmp_path / "aparte.db"
        with closing(conectar(aparte)) as con:
            con.execute("CREATE TABLE t(v TEXT)")
            con.execute("INSERT INTO t VALUES (?)", (valor,))
        aparte.replace(tmp_path / "x.db")
        assert contexto.leer("x.db").execute("SELECT v FROM t").fetchall() == [(valor,)]
    contexto.lecturas.cerrar()
