"""The description says every address, what it takes, and names nothing that it does not have."""

from __future__ import annotations

import re
from typing import Any

from nucleo.recorridos.api.formas import FORMAS
from nucleo.recorridos.api.rutas import API, describir
from tests.api.servida import Servida


def _descrito(api: Servida) -> dict[str, Any]:
    with api.http("guia") as http:
        leido: dict[str, Any] = http.get("/api/openapi.json").raise_for_status().json()
    return leido


def test_estan_todas_las_direcciones(api: Servida) -> None:
    assert {r.atender for r in API.rutas} == {*FORMAS, describir}
    caminos = _descrito(api)["paths"]
    dichas = {(metodo.upper(), ruta) for ruta, metodos in caminos.items() for metodo in metodos}
    assert dichas == {(r.metodo, r.patron) for r in API.rutas if r.atender is not describir}
    for ruta in API.rutas:
        if ruta.atender is not describir:
            dicha = caminos[ruta.patron][ruta.metodo.lower()]
            assert ("requestBody" in dicha) == (ruta.cuerpo_max > 0)
            assert ruta.permiso in dicha["description"]
            en_ruta = [p["name"] for p in dicha["parameters"] if p["in"] == "path"]
            assert en_ruta == re.findall(r"\{(\w+)\}", ruta.patron)


def test_todo_lo_que_nombra_esta(api: Servida) -> None:
    documento = _descrito(api)
    nombrados = set(re.findall(r"'#/components/schemas/([^']+)'", str(documento)))
    assert {"Plan", "Comando", "Negativa"} <= nombrados <= documento["components"]["schemas"].keys()


def test_los_parametros_son_los_que_se_admiten(api: Servida) -> None:
    """Each one declared is not refused for being unknown, and those required are asked for."""
    for ruta, metodos in _descrito(api)["paths"].items():
        for parametro in metodos.get("get", {}).get("parameters", ()):
            if parametro["in"] == "query" and parametro["required"]:
                with api.http("persona") as http:
                    negada = http.get(ruta.format(rid=f"rec_{'0' * 26}", version="1", art="art_0"))
                assert negada.status_code == 400
                assert parametro["name"] in negada.json()["mensaje"]
