"""The bootstrap on a real Prefect server, and prefect.yaml as a validated list."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from app.arriba.procesos import POZO
from app.motor.despliegues import leer_despliegues, prefect_yaml
from app.motor.preparar import AUTOMATIZACION, preparar
from nucleo.errores import ErrorConfiguracion
from tests.motor.servidor import ServidorPrefect

pytestmark = pytest.mark.prefect


def _foto(url: str) -> dict[str, object]:
    """Everything the bootstrap makes, without the instants of its updates."""
    with httpx.Client(base_url=url) as api:
        despliegues = api.post("/deployments/filter", json={}).json()
        automatizaciones = api.post("/automations/filter", json={}).json()
        limite = api.get("/v2/concurrency_limits/placsp-zip").json()
        pozo = api.get(f"/work_pools/{POZO}").json()
    return {
        "despliegues": {
            d["id"]: (
                d["name"],
                d["entrypoint"],
                [(h["id"], h["slug"], h["active"]) for h in d["schedules"]],
                d["global_concurrency_limit"]["limit"],
                d["concurrency_options"]["collision_strategy"],
                d["work_pool_name"],
            )
            for d in despliegues
        },
        "automatizaciones": [(a["id"], a["name"], a["enabled"]) for a in automatizaciones],
        "limite": (limite["id"], limite["limit"]),
        "pozo": (pozo["id"], pozo["type"]),
    }


@pytest.mark.usefixtures("prefect_en_proceso")
def test_preparar_dos_veces_no_cambia_nada(preparado: ServidorPrefect) -> None:
    antes = _foto(preparado.url)
    nombres = asyncio.run(preparar(prefect_yaml()))
    assert nombres == ("radar", "historico", "reconciliacion", "cola", "criba", "recorrido", "barrido")
    assert _foto(preparado.url) == antes
    assert [a[1] for a in antes["automatizaciones"]] == [AUTOMATIZACION]  # type: ignore[attr-defined]


def test_los_despliegues_no_dependen_de_la_carpeta_de_trabajo(preparado: ServidorPrefect) -> None:
    despliegues = httpx.post(f"{preparado.url}/deployments/filter", json={}).json()
    assert {d["entrypoint"] for d in despliegues} == {
        "flows.radar.radar",
        "flows.historico.historico",
        "flows.historico.reconciliacion",
        "flows.cola.atender_cola",
        "flows.criba.criba",
        "flows.recorrido.avanzar_recorrido",
        "flows.barrido.barrer",
    }
    assert all(not d["pull_steps"] and not d["path"] for d in despliegues)


def test_el_radar_corre_cada_cuarto_de_hora_y_uno_a_la_vez() -> None:
    radar = next(d for d in leer_despliegues(prefect_yaml()) if d.name == "radar")
    (horario,) = radar.schedules
    assert (horario.interval, horario.timezone) == (900, "Europe/Madrid")
    assert (radar.concurrency_limit.limit, radar.concurrency_limit.collision_strategy) == (1, "CANCEL_NEW")


@pytest.mark.parametrize(
    ("texto", "campo"),
    [
        ("name: x\ndeployments: [{name: a}]", "deployments.0.description"),
        ("name: x\ndeployments: []\notra: 1", "otra"),
        ("name: [", "YAML"),
    ],
)
def test_un_prefect_yaml_erroneo_se_rechaza_diciendo_donde(tmp_path: Path, texto: str, campo: str) -> None:
    fichero = tmp_path / "prefect.yaml"
    fichero.write_text(texto)
    with pytest.raises(ErrorConfiguracion, match=campo):
        leer_despliegues(fichero)
