"""The radar flow over a server that plays PLACSP, reporting to a real Prefect server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.demo.sustituto import cabeceras_en
from dominios.licitaciones.radar.muestra.servir import paginas
from flows.radar import InformeRadar, radar
from nucleo.reloj import reloj_del_sistema
from tests.motor.servidor import FLOW_EN_PROCESO, ServidorPrefect
from tests.reproductor import faltas
from tests.reproductor.servidor import Reproductor

pytestmark = FLOW_EN_PROCESO


@pytest.fixture(autouse=True)
def sin_esperas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.placsp.pedir_pagina.retry_delay_seconds", [0.0])


@pytest.fixture
def placsp() -> Iterator[Reproductor]:
    """The bundled sample, published now."""
    with Reproductor() as reproductor:
        for ruta, cuerpo in paginas(reloj_del_sistema()).items():
            reproductor.poner(f"/{ruta}", cuerpo)
        yield reproductor


def _cabeceras(placsp: Reproductor) -> dict[str, str]:
    return cabeceras_en(placsp.url(""), [r.lstrip("/") for r in placsp.recursos])


async def test_lee_todas_las_fuentes_y_la_segunda_vez_no_hay_nada_nuevo(
    datos: Path, placsp: Reproductor, servidor_prefect: ServidorPrefect
) -> None:
    (datos / "perfil.yaml").write_text("nombre: Empresa Ficticia, S.L.\ncpv: {incluir: ['72']}\n")
    cabeceras = _cabeceras(placsp)
    primero: InformeRadar = await radar(None, cabeceras)
    assert {x.fuente for x in primero.lecturas} == {"643", "1044", "1143", "1383", "1403"}
    assert all(x.pasada and x.pasada.zona_conocida_alcanzada for x in primero.lecturas)
    assert sum(x.pasada.paginas for x in primero.lecturas if x.pasada) == len(placsp.recursos)
    assert primero.prefiltro is not None
    assert primero.prefiltro.evaluadas_ahora > 0
    segundo: InformeRadar = await radar(None, cabeceras)
    assert sum(x.pasada.versiones_nuevas for x in segundo.lecturas if x.pasada) == 0
    assert segundo.prefiltro is not None
    assert segundo.prefiltro.evaluadas_ahora == 0
    artefactos = httpx.post(f"{servidor_prefect.url}/artifacts/filter", json={}).json()
    tabla = next(a["data"] for a in artefactos if a["key"] == "radar-recuento")
    assert "sindicacion" not in tabla
    assert '"conjunto": "643"' in tabla


async def test_una_fuente_que_falla_no_detiene_a_las_demas(datos: Path, placsp: Reproductor) -> None:
    cabeceras = _cabeceras(placsp)
    mala = cabeceras["643"].removeprefix(placsp.url(""))
    placsp.fallar_siempre(mala, faltas.estado(500))
    estado = await radar(["643", "1044"], cabeceras, return_state=True)
    assert estado.is_completed()
    assert estado.name == "ConAlarmas"
    informe: InformeRadar = await estado.aresult()
    caida, buena = informe.lecturas
    assert caida.pasada is None
    assert "500" in str(caida.error)
    assert placsp.veces(mala) == 4, "un intento y tres más"
    assert buena.pasada is not None
    assert buena.pasada.versiones_nuevas > 0


async def test_lo_que_no_puede_salir_bien_no_se_repite(datos: Path, placsp: Reproductor) -> None:
    cabeceras = _cabeceras(placsp)
    mala = cabeceras["643"].removeprefix(placsp.url(""))
    placsp.fallar_siempre(mala, faltas.estado(403))
    estado = await radar(["643"], cabeceras, return_state=True)
    assert estado.is_failed(), "no se ha podido leer ninguna"
    assert "No se ha podido leer ningún conjunto" in str(estado.message)
    assert placsp.veces(mala) == 1


async def test_un_perfil_erroneo_es_una_alarma_y_lo_leido_queda(datos: Path, placsp: Reproductor) -> None:
    (datos / "perfil.yaml").write_text("nombre: 3\nno_existe: 1\n")
    informe: InformeRadar = await radar(["1044"], _cabeceras(placsp))
    assert informe.prefiltro is None
    assert any("perfil" in a for a in informe.alarmas)
    assert informe.lecturas[0].pasada is not None
    assert informe.lecturas[0].pasada.versiones_nuevas > 0
