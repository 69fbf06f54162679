"""`sobre licitacion buscar`: one JSON document, every match counted, codes validated."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli import sobre
from dominios.licitaciones.radar.almacen import guardar_pagina
from dominios.licitaciones.radar.muestra.servir import paginas
from dominios.licitaciones.radar.procesar import procesar_pagina
from nucleo.bd import conectar, transaccion
from nucleo.errores import ErrorEntrada
from nucleo.reloj import reloj_del_sistema

CLAVES = ["id", "expediente", "titulo", "organo", "estado", "cpv", "importe", "plazo", "abierta", "fuente"]


@pytest.fixture(autouse=True)
def muestra(fichero_bd: Path) -> None:
    """The bundled sample, published these days."""
    ahora = reloj_del_sistema()
    with closing(conectar(fichero_bd)) as con:
        for origen, cuerpo in paginas(ahora).items():
            with transaccion(con):
                guardar_pagina(con, procesar_pagina(cuerpo, origen), ahora)


def ejecutar(*argumentos: str) -> Result:
    return CliRunner().invoke(sobre, ["licitacion", "buscar", *argumentos])


def test_la_salida_es_un_documento_con_el_total_y_los_resultados() -> None:
    documento = json.loads(ejecutar("informatico", "--limite", "2", "--json").stdout)
    assert list(documento) == ["total", "resultados"]
    assert documento["total"] > len(documento["resultados"]) == 2
    for resultado in documento["resultados"]:
        assert list(resultado) == CLAVES
        assert resultado["abierta"] is True
        assert resultado["id"].startswith("https://")


def test_los_filtros_se_suman() -> None:
    def ids(*argumentos: str) -> set[str]:
        documento = json.loads(ejecutar(*argumentos, "--json").stdout)
        assert documento["total"] == len(documento["resultados"])
        return {r["id"] for r in documento["resultados"]}

    todas = ids("mantenimiento")
    en_cpv = ids("mantenimiento", "--cpv", "72000000-5")
    en_dos = ids("mantenimiento", "--cpv", "72", "--cpv", "50000000")
    en_plazo = ids("mantenimiento", "--cpv", "72", "--estado", "PUB", "--abiertas")
    assert en_plazo <= en_cpv < en_dos <= todas


def test_sin_json_se_lee_y_sin_resultados_se_dice_que_hacer() -> None:
    salida = ejecutar("villaejemplo")
    assert salida.exit_code == 0
    assert "Alcaldía del Ayuntamiento de Villaejemplo" in salida.stdout
    assert "Prueba con menos" in ejecutar("palabrainexistente").stdout


def test_una_rama_imposible_se_rechaza_con_una_frase() -> None:
    salida = ejecutar("obra", "--cpv", "xx")
    assert isinstance(salida.exception, ErrorEntrada)
    assert "no es una rama de CPV" in str(salida.exception)
