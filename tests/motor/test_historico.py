"""The past, from ZIPs served on this machine, with a real Prefect server."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dominios.licitaciones.radar.muestra.servir import paginas
from flows.historico import AUSENTE, historico, reconciliacion
from nucleo.reloj import MADRID, reloj_del_sistema
from tests.conftest import AHORA
from tests.motor.servidor import FLOW_EN_PROCESO
from tests.reproductor.servidor import Reproductor

pytestmark = FLOW_EN_PROCESO

CABECERA = "/sindicacion_643/perfiles.atom"


def _zip(*cuerpos: bytes) -> bytes:
    salida = io.BytesIO()
    with zipfile.ZipFile(salida, "w") as archivo:
        for numero, cuerpo in enumerate(cuerpos):
            archivo.writestr(f"{numero}.atom", cuerpo)
    return salida.getvalue()


@pytest.fixture
def cuerpos() -> list[bytes]:
    return [c for ruta, c in paginas(AHORA).items() if ruta.startswith("sindicacion_643")]


@pytest.fixture
def placsp() -> Iterator[Reproductor]:
    with Reproductor() as reproductor:
        yield reproductor


async def test_sin_zip_anual_se_cargan_los_meses_y_repetir_no_pide_nada(
    datos: Path, placsp: Reproductor, cuerpos: list[bytes]
) -> None:
    placsp.poner("/sindicacion_643/perfiles_202401.zip", _zip(*cuerpos[:2]), "application/zip")
    placsp.poner("/sindicacion_643/perfiles_202405.zip", _zip(*cuerpos[2:]), "application/zip")
    cabeceras = {"643": placsp.url(CABECERA)}
    cargas = await historico([2024], ["643"], cabeceras)
    assert [c.fichero.periodo for c in cargas if c.resumen] == ["202401", "202405"]
    assert [c.nota for c in cargas if not c.resumen] == [AUSENTE] * 11
    assert sum(c.resumen.versiones_nuevas for c in cargas if c.resumen) > 0
    assert list((datos / "historico").iterdir()) == [], "los ZIP se van cuando están dentro"
    pedidos = placsp.veces("/sindicacion_643/perfiles_202401.zip")
    otra_vez = await historico([2024], ["643"], cabeceras)
    assert placsp.veces("/sindicacion_643/perfiles_202401.zip") == pedidos
    assert not any(c.resumen for c in otra_vez)


async def test_un_zip_que_no_lo_es_no_detiene_a_los_demas_ni_se_da_por_cargado(
    datos: Path, placsp: Reproductor, cuerpos: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.placsp.descargar_zip.retry_delay_seconds", [0.0])
    placsp.poner("/sindicacion_643/perfiles_2023.zip", b"<html>vuelva usted luego</html>", "text/html")
    placsp.poner("/sindicacion_643/perfiles_2024.zip", _zip(*cuerpos), "application/zip")
    estado = await historico([2023, 2024], ["643"], {"643": placsp.url(CABECERA)}, return_state=True)
    assert estado.name == "ConAlarmas"
    malo, bueno = await estado.aresult()
    assert malo.fallo
    assert "no es un ZIP" in malo.nota
    assert bueno.resumen.versiones_nuevas > 0
    placsp.poner("/sindicacion_643/perfiles_2023.zip", _zip(*cuerpos), "application/zip")
    arreglado, _ = await historico([2023, 2024], ["643"], {"643": placsp.url(CABECERA)})
    assert arreglado.resumen is not None
    assert arreglado.resumen.versiones_nuevas == 0, "lo mismo por otro ZIP no es nada nuevo"


async def test_la_reconciliacion_relee_siempre_los_dos_ultimos_meses(
    datos: Path, placsp: Reproductor, cuerpos: list[bytes]
) -> None:
    hoy = reloj_del_sistema().astimezone(MADRID)
    ruta = f"/sindicacion_643/perfiles_{hoy:%Y%m}.zip"
    placsp.poner(ruta, _zip(*cuerpos), "application/zip")
    cabeceras = {"643": placsp.url(CABECERA)}
    primera = await reconciliacion(["643"], cabeceras)
    segunda = await reconciliacion(["643"], cabeceras)
    assert [c.nota for c in primera] == [AUSENTE, "cargado"]
    assert segunda[1].resumen is not None
    assert segunda[1].resumen.versiones_nuevas == 0
    assert placsp.veces(ruta) == 2
