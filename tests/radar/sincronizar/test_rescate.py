"""Which ZIPs hold a hole, and how far the last of them goes."""

from __future__ import annotations

import zipfile
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from dominios.licitaciones.radar.historico.plan import Zip, que_cubren
from dominios.licitaciones.radar.sincronizar.modelo import MesesAusentes, MesesLeidos, PedirMeses
from dominios.licitaciones.radar.sincronizar.rescate import Socorro, llega_hasta, rescatar
from nucleo.errores import ErrorRed
from nucleo.reloj import a_micros, reloj_fijo
from tests.conftest import AHORA
from tests.reproductor.paginas import Anotacion, Enlaces, pagina

CABECERA = "https://sitio.example/canal.atom"


def _zip(fichero: Path, *generadas: datetime) -> Path:
    with zipfile.ZipFile(fichero, "w") as archivo:
        archivo.writestr("leeme.txt", "nada")
        for i, generada in enumerate(generadas):
            cosas = (Anotacion(i, generada),)
            archivo.writestr(f"p{i}.atom", pagina(cosas, Enlaces("p.atom", "c.atom"), generada))
    return fichero


@pytest.mark.parametrize(
    ("fuente", "desde", "hasta", "periodos"),
    [
        ("643", date(2026, 2, 28), date(2026, 2, 28), ["202602"]),
        ("643", date(2025, 11, 30), date(2026, 2, 1), ["202511", "202512", "202601", "202602"]),
        ("1383", date(2025, 11, 30), date(2026, 2, 1), ["2025", "2026"]),
    ],
)
def test_los_zip_que_cubren_un_tramo(fuente: str, desde: date, hasta: date, periodos: list[str]) -> None:
    zips = que_cubren(fuente, CABECERA, desde, hasta)
    assert [z.periodo for z in zips] == periodos
    assert zips[0].url == f"https://sitio.example/canal_{periodos[0]}.zip"


def test_un_zip_llega_hasta_su_pagina_mas_nueva(tmp_path: Path) -> None:
    vieja, nueva = datetime(2026, 2, 1, tzinfo=UTC), datetime(2026, 2, 20, 5, tzinfo=UTC)
    assert llega_hasta(_zip(tmp_path / "a.zip", nueva, vieja)) == a_micros(nueva)
    assert llega_hasta(_zip(tmp_path / "vacio.zip")) is None


def test_lo_que_no_es_un_zip_o_trae_paginas_rotas_no_llega_a_nada(tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(b"<html>")
    assert llega_hasta(tmp_path / "b.zip") is None
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archivo:
        archivo.writestr("rota.atom", b"<feed><title>")
        archivo.writestr(
            "entrada.atom", b'<e xmlns="http://www.w3.org/2005/Atom"><updated>2026</updated></e>'
        )
    assert llega_hasta(tmp_path / "c.zip") is None


async def test_lo_importado_antes_del_que_falta_se_queda(fichero_bd: Path, tmp_path: Path) -> None:
    async def descargar(pieza: Zip) -> Path | None:
        if pieza.periodo == "202602":
            return _zip(tmp_path / pieza.nombre, datetime(2026, 2, 20, tzinfo=UTC))
        return None

    socorro = Socorro(fichero_bd, "643", CABECERA, descargar, reloj_fijo(AHORA))
    desde = a_micros(datetime(2026, 2, 10, tzinfo=UTC))
    pedido = PedirMeses(desde=desde, hasta=a_micros(AHORA))
    rescate = await rescatar(pedido, socorro)
    assert isinstance(rescate.suceso, MesesAusentes)
    assert "202603" in rescate.suceso.alarma.mensaje
    assert [r.versiones_nuevas for r in rescate.importados] == [1]
    solo_febrero = await rescatar(PedirMeses(desde=desde, hasta=desde), socorro)
    assert solo_febrero.suceso == MesesLeidos(hasta=a_micros(datetime(2026, 2, 20, tzinfo=UTC)))


async def test_un_zip_que_no_se_puede_bajar_o_leer_es_alarma(fichero_bd: Path, tmp_path: Path) -> None:
    async def sin_red(pieza: Zip) -> Path | None:
        raise ErrorRed("No hay conexión.")

    async def roto(pieza: Zip) -> Path | None:
        (tmp_path / "roto.zip").write_bytes(b"<html>")
        return tmp_path / "roto.zip"

    pedido = PedirMeses(desde=a_micros(AHORA), hasta=a_micros(AHORA))
    for descargar in (sin_red, roto, None):
        rescate = await rescatar(pedido, Socorro(fichero_bd, "643", CABECERA, descargar, reloj_fijo(AHORA)))
        assert isinstance(rescate.suceso, MesesAusentes)


async def test_un_hueco_de_anyos_no_se_carga_solo(fichero_bd: Path) -> None:
    async def descargar(pieza: Zip) -> Path | None:
        raise AssertionError("no debía pedirse")

    pedido = PedirMeses(desde=a_micros(datetime(2020, 1, 1, tzinfo=UTC)), hasta=a_micros(AHORA))
    socorro = Socorro(fichero_bd, "643", CABECERA, descargar, reloj_fijo(AHORA))
    assert isinstance((await rescatar(pedido, socorro)).suceso, MesesAusentes)
