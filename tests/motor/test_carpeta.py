"""The flow that imports a folder, on a real Prefect server."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from dominios.licitaciones.radar.muestra.servir import paginas
from flows.carpeta import carpeta
from tests.conftest import AHORA
from tests.motor.servidor import FLOW_EN_PROCESO, ServidorPrefect

pytestmark = FLOW_EN_PROCESO


@pytest.fixture
def ficheros(tmp_path: Path) -> tuple[Path, ...]:
    escritos = []
    for numero, cuerpo in enumerate(paginas(AHORA).values()):
        fichero = tmp_path / f"{numero}.atom"
        fichero.write_bytes(cuerpo)
        escritos.append(fichero)
    return tuple(escritos)


async def test_la_carpeta_entra_una_vez_y_el_recuento_queda_en_el_panel(
    datos: Path, ficheros: tuple[Path, ...], servidor_prefect: ServidorPrefect
) -> None:
    primera = await carpeta(ficheros)
    assert primera.importacion.versiones_nuevas > 0
    assert primera.prefiltro is None, "sin perfil no hay prefiltro"
    (datos / "perfil.yaml").write_text("nombre: Empresa Ficticia, S.L.\ncpv: {incluir: ['72']}\n")
    segunda = await carpeta(ficheros)
    assert segunda.importacion.versiones_nuevas == 0
    assert segunda.importacion.vigentes == primera.importacion.vigentes
    assert segunda.prefiltro is not None
    assert segunda.prefiltro.evaluadas_ahora > 0
    artefactos = httpx.post(f"{servidor_prefect.url}/artifacts/filter", json={}).json()
    assert [a["key"] for a in artefactos].count("importacion") == 2
