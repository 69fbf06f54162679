"""docker-compose.yml starts what `make up` starts: same commands, environment and order, closed to the outside."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from app.arriba.entorno import entorno_motor
from app.arriba.procesos import Proceso, tabla
from nucleo.configuracion import Configuracion

RAIZ = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((RAIZ / "docker-compose.yml").read_text("utf-8"))
SERVICIOS: dict[str, dict[str, object]] = COMPOSE["services"]
PROCESOS = tabla(Configuracion())

# A container has its own address and is asked from others; on one machine everything is loopback.
EN_RED = {
    "SOBRE_DATOS": "/datos",
    "PREFECT_HOME": "/datos/prefect",
    "PREFECT_API_URL": "http://prefect:4200/api",
    "PREFECT_SERVER_API_HOST": "0.0.0.0",
}


def orden_en_contenedor(proceso: Proceso) -> list[str]:
    programa, *resto = proceso.orden
    nombre = "python" if "python" in Path(programa).name else Path(programa).name
    return [nombre, *("0.0.0.0" if parte == "127.0.0.1" else parte for parte in resto)]


def test_hay_un_servicio_por_proceso_y_en_su_orden() -> None:
    assert list(SERVICIOS) == [p.nombre for p in PROCESOS]


@pytest.mark.parametrize("proceso", PROCESOS, ids=lambda p: p.nombre)
def test_cada_servicio_arranca_con_la_misma_orden(proceso: Proceso) -> None:
    assert SERVICIOS[proceso.nombre]["command"] == orden_en_contenedor(proceso)


@pytest.mark.parametrize("nombre", SERVICIOS)
def test_cada_servicio_recibe_el_mismo_entorno(nombre: str) -> None:
    # NO_PROXY is for machines whose shell has a proxy; a container has none.
    esperado = entorno_motor(Path("/datos"), 4200, {}) | EN_RED
    esperado.pop("NO_PROXY")
    entorno = dict(SERVICIOS[nombre]["environment"])  # type: ignore[call-overload]
    if nombre == "prefect":
        assert entorno.pop("PREFECT_UI_API_URL") == "http://127.0.0.1:4200/api"
        assert str(entorno.pop("PREFECT_UI_STATIC_DIRECTORY")).startswith("/datos/")
    assert entorno.pop("SOBRE_PUERTO") == str(Configuracion().puerto)
    assert entorno == esperado


def test_cada_proceso_espera_a_la_salud_del_anterior() -> None:
    anteriores: set[str] = set()
    for proceso in PROCESOS:
        servicio = SERVICIOS[proceso.nombre]
        dependencias: dict[str, dict[str, str]] = servicio.get("depends_on", {})  # type: ignore[assignment]
        assert set(dependencias) <= anteriores
        assert bool(dependencias) == bool(anteriores), f"{proceso.nombre} no espera a nadie"
        for otro, condicion in dependencias.items():
            termina = next(p.termina for p in PROCESOS if p.nombre == otro)
            debida = "service_completed_successfully" if termina else "service_healthy"
            assert condicion == {"condition": debida}
        assert ("healthcheck" in servicio) != proceso.termina
        anteriores.add(proceso.nombre)


@pytest.mark.parametrize("proceso", [p for p in PROCESOS if p.salud], ids=lambda p: p.nombre)
def test_la_salud_se_mira_donde_la_mira_make_up(proceso: Proceso) -> None:
    assert str(proceso.salud) in str(SERVICIOS[proceso.nombre]["healthcheck"])


def test_los_puertos_solo_se_abren_en_esta_maquina() -> None:
    puertos = [str(p) for s in SERVICIOS.values() for p in s.get("ports", [])]  # type: ignore[attr-defined]
    assert puertos == ["127.0.0.1:4200:4200", "127.0.0.1:8080:8080"]


def test_los_volumenes_estan_declarados() -> None:
    usados = {str(v).partition(":")[0] for s in SERVICIOS.values() for v in s["volumes"]}  # type: ignore[attr-defined]
    assert usados == set(COMPOSE["volumes"])


def test_las_imagenes_llevan_version() -> None:
    imagenes = {str(s["image"]) for s in SERVICIOS.values()}
    version = re.search(r'^version = "(.+)"$', (RAIZ / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert version is not None
    assert imagenes == {f"sobre-abierto:{version[1]}"}
    base = re.findall(r"^FROM (\S+)", (RAIZ / "deploy/Dockerfile").read_text("utf-8"), re.MULTILINE)
    assert base == ["python:3.11-slim-bookworm"]


def test_sirve_tambien_para_el_docker_compose_de_debian() -> None:
    assert set(COMPOSE) == {
        "x-servicio",
        "x-entorno",
        "services",
        "volumes",
    }  # 1.29 refuses a top-level `name`


def test_ningun_servicio_corre_como_root_ni_con_privilegios() -> None:
    assert re.search(r"^USER sobre$", (RAIZ / "deploy/Dockerfile").read_text("utf-8"), re.MULTILINE)
    for servicio in SERVICIOS.values():
        assert servicio["cap_drop"] == ["ALL"]
        assert servicio["security_opt"] == ["no-new-privileges:true"]
        assert "privileged" not in servicio
