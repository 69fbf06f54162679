"""Entries that nobody foresaw: each goes in or is set apart, and never stops the page that carries it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from dominios.licitaciones.radar.apartado.almacen import listar_cuarentena
from dominios.licitaciones.radar.muestra import carpeta as carpeta_muestra
from dominios.licitaciones.radar.procesar import EntradaApartada, leer_entrada, procesar_pagina
from tests.radar.caja import Caja
from tests.radar.constructor import T0, T1, documento, entrada, pagina

RAROS = (
    "", "0", "-1", "9" * 40, "1e400", "NaN", ".", "1.2.3,4,5", "٣", "²", "true", "UTE", "U;T;E;", "; ;", "ES7",
    "&lt;" * 50,
    "9999-12-31", "0001-01-01", "2026-13-45", "2026-W01-1", "24:00:00", "12:00:00+25:00", "14:00:00-23:59",
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999-14:00", "2200-12-31T23:59:59-14:00",
)  # fmt: skip


def paginas_de_muestra() -> list[Path]:
    return sorted(carpeta_muestra().rglob("*.atom"))


@given(datos=st.data())
def test_un_valor_raro_en_cualquier_sitio_no_para_la_pagina(datos: st.DataObject) -> None:
    raiz = etree.parse(datos.draw(st.sampled_from(paginas_de_muestra()))).getroot()
    dentro = [e for entrada in raiz.iterfind("{*}entry") for e in entrada.iter("{*}*")]
    cuantas = len(raiz.findall("{*}entry"))
    for _ in range(datos.draw(st.integers(1, 12))):
        elemento = datos.draw(st.sampled_from(dentro))
        if len(elemento) == 0:
            elemento.text = datos.draw(st.sampled_from(RAROS))
    pagina_leida = procesar_pagina(etree.tostring(raiz), "prueba.atom")
    apartadas = [a for a in pagina_leida.cuarentenas if "<entry" in a.xml.decode()]
    assert len(pagina_leida.entradas) + len(apartadas) == cuantas
    assert "fallo_de_lectura" not in {a.codigo for a in pagina_leida.cuarentenas}


@pytest.mark.parametrize(
    "updated", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-01:00", "1582-10-15T00:00:00Z"]
)
def test_un_instante_imposible_aparta_la_entrada_y_las_demas_entran(caja: Caja, updated: str) -> None:
    recuento = caja.guardar(pagina(entrada(1, updated), entrada(2, T1)))[0]
    assert (recuento.versiones_nuevas, recuento.cuarentena) == (1, 1)
    assert [a.codigo for a in listar_cuarentena(caja.con)] == ["instante_ilegible"]


def test_documentos_sin_nombre_se_comparan_con_los_que_lo_tienen(caja: Caja) -> None:
    sin_nombre = documento("AAAA=", clase="Additional", nombre="")
    con_nombre = documento("BBBB=", clase="Additional", nombre="Anexo.pdf")
    caja.guardar(
        pagina(entrada(1, T0, sin_nombre, con_nombre)), pagina(entrada(1, T1, con_nombre, sin_nombre))
    )
    assert caja.derivado()["n_versiones"] == 2
    assert caja.cambios() == [[], []]


def test_lo_que_el_programa_no_sabe_leer_se_aparta_con_su_xml() -> None:
    class Ilegible:
        """An element of a kind that the reader does not expect."""

        def findtext(self, _: str) -> str:
            return "un-id"

    apartada = leer_entrada(Ilegible(), b"<entry/>", None)
    assert isinstance(apartada, EntradaApartada)
    assert (apartada.codigo, apartada.entrada_id, apartada.xml) == ("fallo_de_lectura", "un-id", b"<entry/>")
