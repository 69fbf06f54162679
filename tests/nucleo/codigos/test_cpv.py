"""CPV: the official table, the tree and its branches."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nucleo.codigos.cpv import (
    antecesores,
    codigos_cpv,
    cpv_conocido,
    dentro_de,
    digito_control,
    etiqueta_cpv,
    prefijo_de_arbol,
)
from nucleo.errores import ErrorEntrada


def test_la_tabla_es_la_oficial(datos_reales: Path) -> None:
    with (datos_reales / "codes" / "cpv2008_es.csv").open(encoding="utf-8", newline="") as lineas:
        filas = list(csv.DictReader(lineas))
    assert {f["codigo"] for f in filas} == codigos_cpv()
    for fila in filas:
        codigo = fila["codigo"]
        assert etiqueta_cpv(codigo) == " ".join(fila["nombre_es"].split())
        assert digito_control(codigo) == fila["digito_control"]
        assert next(iter(antecesores(codigo)), "") == fila["padre"]


def test_estan_todos_los_codigos() -> None:
    assert len(codigos_cpv()) == 9454
    assert all(len(c) == 8 and c.isdigit() for c in codigos_cpv())


def test_un_codigo_conocido_tiene_etiqueta_y_control() -> None:
    assert cpv_conocido("72000000")
    assert digito_control("72000000") == "5"
    assert str(etiqueta_cpv("72000000")).startswith("Servicios TI")
    assert antecesores("72267100") == ("72267000", "72260000", "72200000", "72000000")


def test_un_codigo_desconocido_no_tiene_nada() -> None:
    assert not cpv_conocido("99999999")
    assert etiqueta_cpv("99999999") is None
    assert digito_control("72") is None
    assert antecesores("") == ()


@pytest.mark.parametrize(
    ("rama", "prefijo"),
    [
        ("72", "72"),
        ("72000000", "72"),
        ("72000000-5", "72"),
        ("72*", "72"),
        (" 72260000 ", "7226"),
        ("30000000", "30"),
        ("302", "302"),
        ("03100000", "031"),
        ("30199720", "3019972"),
    ],
)
def test_el_prefijo_de_una_rama(rama: str, prefijo: str) -> None:
    assert prefijo_de_arbol(rama) == prefijo


@pytest.mark.parametrize("rama", ["", "7", "7 2", "72000000-4", "72-5", "informática", "723456789", "٧٢"])
def test_lo_que_no_es_una_rama_se_rechaza(rama: str) -> None:
    with pytest.raises(ErrorEntrada, match="CPV"):
        prefijo_de_arbol(rama)


def test_dentro_de_una_rama() -> None:
    assert dentro_de("72267100", "72260000")
    assert dentro_de("72260000", "72260000")
    assert not dentro_de("72200000", "72260000")
    assert not dentro_de("03100000", "30000000")


@given(st.sampled_from(sorted(codigos_cpv())))
def test_un_codigo_esta_dentro_de_si_y_de_sus_antecesores(codigo: str) -> None:
    assert dentro_de(codigo, codigo)
    assert all(dentro_de(codigo, a) for a in antecesores(codigo))


def test_importar_no_lee_ninguna_tabla() -> None:
    programa = (
        "import nucleo.codigos.cpv as c, nucleo.codigos.nuts as n, nucleo.codigos.listas as l;"
        "print(c._tabla.cache_info().currsize + n.regiones.cache_info().currsize + l._listas.cache_info().currsize)"
    )
    salida = subprocess.run([sys.executable, "-c", programa], check=True, capture_output=True, text=True)
    assert salida.stdout.strip() == "0"
