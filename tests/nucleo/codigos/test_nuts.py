"""Regions: the official table, tax, local time, and what lies within what."""

from __future__ import annotations

import csv
from pathlib import Path

from nucleo.codigos.nuts import buscar_region, coinciden, dentro_de_region, etiqueta_nuts, region, regiones


def test_la_tabla_es_la_oficial(datos_reales: Path) -> None:
    with (datos_reales / "codes" / "nuts_es.csv").open(encoding="utf-8", newline="") as lineas:
        filas = list(csv.DictReader(lineas))
    assert {f["codigo"] for f in filas} == set(regiones())
    for fila in filas:
        suya = regiones()[fila["codigo"]]
        assert suya.etiqueta == fila["nombre"]
        assert (suya.impuesto or "") == fila["impuesto_indirecto"]
        assert (suya.zona or "") == fila["zona_horaria_local"]


def test_cada_region_cuelga_de_otra_menos_espana() -> None:
    for codigo, suya in regiones().items():
        assert suya.padre is None if codigo == "ES" else suya.padre in regiones()


def test_canarias_paga_igic_y_vive_una_hora_antes() -> None:
    tenerife = region("ES709")
    assert tenerife is not None
    assert (tenerife.impuesto, tenerife.zona, tenerife.padre) == ("IGIC", "Atlantic/Canary", "ES70")
    ceuta = region("ES630")
    assert ceuta is not None
    assert (ceuta.impuesto, ceuta.zona) == ("IPSI", "Europe/Madrid")


def test_una_region_desconocida_no_tiene_etiqueta() -> None:
    assert etiqueta_nuts("PT170") is None
    assert etiqueta_nuts("ES300") == "Madrid"


def test_dentro_y_coincidencia() -> None:
    assert dentro_de_region("ES612", "ES61")
    assert not dentro_de_region("ES61", "ES612")
    assert coinciden("ES61", "ES612")
    assert coinciden("ES", "ES612")
    assert not coinciden("ES611", "ES612")


def test_se_busca_por_nombre_sin_acentos() -> None:
    assert [r.codigo for r in buscar_region("malaga")] == ["ES617"]
    assert [r.codigo for r in buscar_region("MADRID")] == ["ES3", "ES30", "ES300"]
    assert buscar_region(" ") == ()
