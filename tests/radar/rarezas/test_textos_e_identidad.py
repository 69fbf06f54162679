"""Quirks of text and identity: escaped HTML, titles that are not the object, free summaries, ids that lie."""

from __future__ import annotations

import pytest

from nucleo.texto import plegar
from tests.radar.caja import Caja
from tests.radar.constructor import T0, T1, comprador, entrada, ident, pagina, proyecto


@pytest.mark.parametrize(
    ("publicado", "visible"),
    [
        ("Obras &amp;lt;br /&amp;gt;menores&amp;amp;#160;urgentes", "Obras menores urgentes"),
        ("Servicio de &amp;#34;Oficina técnica&amp;#34;", 'Servicio de "Oficina técnica"'),
        ("Obras&#xD;\nmenores", "Obras menores"),
        ("A &amp;lt; B &amp;amp; C", "A < B & C"),
        ("Suministro ¿ gasóleo", "Suministro ¿ gasóleo"),
    ],
)
def test_rareza_14_html_escapado_varias_veces_se_lee_y_el_crudo_se_guarda(
    caja: Caja, publicado: str, visible: str
) -> None:
    """Wrong: «&lt;br /&gt;» on the screen; or eating «A < B» as if it were a tag; or repairing the raw text."""
    caja.guardar(pagina(entrada(1, T0, proyecto(publicado))))
    assert caja.fila(1, "objeto") == (visible,)
    if "&amp;" in publicado:
        assert "&" in caja.entrada()["objeto"]


def test_rareza_14_se_busca_sin_las_etiquetas(caja: Caja) -> None:
    """Wrong: «br» as a word of the index, and «menores» glued to it."""
    caja.guardar(pagina(entrada(1, T0, proyecto("Obras&amp;lt;br /&amp;gt;menores"), titulo="Obras menores")))
    indexado = caja.filas("SELECT objeto FROM licitacion_texto")[0][0]
    assert "br" not in indexado.split()
    assert len(indexado.split()) == 2


def test_rareza_15_el_objeto_es_el_del_proyecto_y_el_titulo_su_suplente(caja: Caja) -> None:
    """Wrong: the title, which carries prefixes and line breaks; or nothing when the project has no name."""
    caja.guardar(
        pagina(
            entrada(1, T0, proyecto("Limpieza de calles"), titulo="EXP-1  Limpieza\nde calles"),
            entrada(2, T0, proyecto(None), titulo="Limpieza  de\nplayas"),
        )
    )
    assert caja.entrada(1)["titulo"] == "EXP-1 Limpieza de calles"
    assert [caja.fila(n, "objeto")[0] for n in (1, 2)] == ["Limpieza de calles", "Limpieza de playas"]


def test_rareza_16_el_resumen_no_se_interpreta(caja: Caja) -> None:
    """Wrong: state, amount or file number taken from the free text of the summary."""
    resumen = "Id licitación: OTRO/9; Órgano de Contratación: Otro; Importe: 999999 EUR; Estado: RESUELTA"
    caja.guardar(pagina(entrada(1, T0, resumen=resumen)))
    literal = caja.entrada()
    assert (literal["expediente"], literal["estado"]) == ("EXP-1", "PUB")
    assert caja.fila(1, "importe", "organo") == (1_000_000, "Ayuntamiento de Villaejemplo")


def test_rareza_16_sin_estado_publicado_no_se_saca_del_resumen(caja: Caja) -> None:
    """Wrong: «ABIERTO» of the summary as a state; or the entry lost."""
    recuento = caja.guardar(pagina(entrada(1, T0, estado=None, resumen="Estado: ABIERTO")))[0]
    assert recuento.cuarentena == 0
    assert caja.entrada()["estado"] is None


def test_rareza_17_sin_expediente_o_con_otro_sigue_siendo_la_misma(caja: Caja) -> None:
    """Wrong: the file number as identity: it may be missing, change, or be the same for two buyers."""
    caja.guardar(
        pagina(
            entrada(1, T1, expediente="2026/1-SER", estado="PUB"),
            entrada(1, T0, expediente=None, estado="PRE"),
            entrada(2, T0, expediente="2026/1-SER", organo=comprador("Diputación Provincial de Ejemploria")),
        )
    )
    assert caja.id(1) != caja.id(2)
    assert caja.derivado(1)["n_versiones"] == 2
    assert caja.filas("SELECT count(*) FROM licitacion") == [(2,)]


def test_rareza_17_la_misma_cola_en_dos_conjuntos_son_dos_licitaciones(caja: Caja) -> None:
    """Wrong: the numeric tail as the key."""
    caja.guardar(pagina(entrada(7, T0)), pagina(entrada(7, T0, fuente="1044"), fuente="1044"))
    assert caja.id(7) != caja.id(7, "1044")


def test_rareza_18_dos_ids_del_mismo_procedimiento_no_se_funden(caja: Caja) -> None:
    """Wrong: an automatic merge, which would hide one of two tenders that only look alike."""
    caja.guardar(
        pagina(entrada(1, T0, organo=comprador(dir3="EA9999999"))),
        pagina(entrada(2, T0, organo=comprador(dir3="EA9999999"))),
    )
    assert [caja.derivado(n)["vigente"] for n in (1, 2)] == [True, True]
    assert caja.entrada(1)["organo"]["ids"]["DIR3"] == "EA9999999"
    assert caja.entrada(2)["id"] == ident(2)


def test_rareza_18_un_organo_provisional_se_guarda_y_se_avisa(caja: Caja) -> None:
    """Wrong: believing that all who publish EA9999999 are one body."""
    caja.guardar(
        pagina(entrada(1, T0, organo=comprador(dir3="A9999999"))),
        pagina(entrada(2, T0, organo=comprador(dir3="L01990017"))),
    )
    assert "organo_provisional" in caja.derivado(1)["avisos"]
    assert "organo_provisional" not in caja.derivado(2)["avisos"]


def test_rareza_15_un_objeto_larguisimo_entra_entero(caja: Caja) -> None:
    """Wrong: cutting at 255."""
    objeto = "Servicio número " + " ".join(str(n) for n in range(450))
    caja.guardar(pagina(entrada(1, T0, proyecto(objeto))))
    assert plegar(caja.entrada()["objeto"]) == plegar(objeto)
