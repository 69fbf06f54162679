"""While somebody else writes for long: orders are told to come back, and nobody who only reads notices."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import httpx
import pytest

from app.api import atencion
from nucleo import registro
from tests.api.servida import PERSONA, Servida
from tests.recorridos.casos import PLAN

A_LA_VEZ = 12
"""More than the threads that write."""


@pytest.fixture
def otro_escribe(api: Servida, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    monkeypatch.setattr(atencion, "OCUPADA_MS", 100)
    with closing(sqlite3.connect(api.datos / registro.FICHERO, isolation_level=None)) as otra:
        otra.execute("BEGIN IMMEDIATE")
        yield otra


def _crear(http: httpx.Client, clave: str) -> httpx.Response:
    return http.post("/api/recorridos", json={"comando_id": clave, "plan": PLAN})


def test_se_contesta_503_con_lo_que_hay_que_esperar_y_lo_mismo_vale_luego(
    api: Servida, otro_escribe: sqlite3.Connection
) -> None:
    with api.http("guia") as http, ThreadPoolExecutor(A_LA_VEZ) as varios:
        negadas = list(varios.map(lambda n: _crear(http, f"ocupada-{n}"), range(A_LA_VEZ)))
    assert {(r.status_code, r.json()["codigo"], r.headers["retry-after"]) for r in negadas} == {
        (503, "OCUPADO", "1")
    }
    otro_escribe.execute("ROLLBACK")
    with api.http("guia") as http:
        hecha = _crear(http, "ocupada-0")
    assert hecha.status_code == 201
    assert not hecha.json()["repetido"]


@pytest.mark.usefixtures("otro_escribe")
@pytest.mark.parametrize("quien", [PERSONA, "guia"])
def test_quien_solo_lee_no_lo_nota(api: Servida, quien: str) -> None:
    with api.http(quien) as http:
        assert http.get("/api/bandeja").status_code == 200
