"""Quirks of codes, notice dates and documents: lists that move, absurd years, addresses that rotate."""

from __future__ import annotations

import pytest

from nucleo.codigos.listas import etiqueta
from tests.radar.caja import Caja
from tests.radar.constructor import (
    T0,
    T1,
    anuncio,
    documento,
    entrada,
    pagina,
    proceso,
    proyecto,
    resultado,
)

H1, H2 = "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "BBBBBBBBBBBBBBBBBBBBBBBBBBB="
URI = "https://contrataciondelestado.es/FileSystem/servlet/GetDocumentByIdServlet"


def test_rareza_20_un_codigo_desconocido_se_guarda_tal_cual(caja: Caja) -> None:
    """Wrong: quarantine, None or a default for a code that our lists do not have yet."""
    partes = (
        proyecto(cpv=("99999999", "72000000"), tipo="77", nuts="ES999"),
        resultado("88", lote="1"),
        proceso(procedimiento="66"),
        anuncio("DOC_NUEVO", "2026-02-16"),
    )
    recuento = caja.guardar(pagina(entrada(1, T0, *partes, estado="XYZ")))[0]
    literal = caja.entrada()
    assert recuento.cuarentena == 0
    assert (literal["tipo"], literal["procedimiento"], literal["estado"]) == ("77", "66", "XYZ")
    assert (literal["cpv"], literal["nuts"]) == (["99999999", "72000000"], ["ES999"])
    assert literal["resultados"][0]["resultado"] == "88"
    assert literal["anuncios"][0][0] == "DOC_NUEVO"
    assert "cpv_desconocido" in caja.derivado()["avisos"]


def test_rareza_20_un_cpv_conserva_su_cero_a_la_izquierda(caja: Caja) -> None:
    """Wrong: a CPV as a number: 09310000 (electricity) would become 9310000."""
    caja.guardar(pagina(entrada(1, T0, proyecto(cpv=("09310000",)))))
    assert caja.entrada()["cpv"] == ["09310000"]
    assert "cpv_desconocido" not in caja.derivado()["avisos"]


def test_rareza_20_la_version_de_la_lista_no_cambia_el_codigo_ni_es_material(caja: Caja) -> None:
    """Wrong: an alert because the platform moved from ContractCode 2.02 to 2.08 or renamed the CPV list."""
    vieja = proyecto(lista_tipo="2.02/ContractCode-2.02.gc", lista_cpv="1.04/CPV2007-1.04.gc")
    caja.guardar(pagina(entrada(1, T0, vieja)), pagina(entrada(1, T1, proyecto())))
    assert caja.derivado()["n_versiones"] == 2
    assert caja.cambios()[0] == []


@pytest.mark.parametrize(
    ("codigo", "palabra", "ajena"),
    [
        ("3", "sin", "con"),
        ("4", "con", "sin"),
        ("9", "simplificado", "innovaci"),
        ("10", "innovaci", "simplificado"),
    ],
)
def test_rareza_21_las_etiquetas_de_procedimiento_son_las_oficiales(
    codigo: str, palabra: str, ajena: str
) -> None:
    """Wrong: the swapped labels that circulate (3 = with notice, 9 = innovation partnership)."""
    texto = (etiqueta("SyndicationTenderingProcessCode", codigo) or "").lower()
    assert palabra in texto
    assert ajena not in texto


def test_rareza_22_un_anuncio_con_varias_fechas_y_varios_del_mismo_tipo(caja: Caja) -> None:
    """Wrong: a dictionary by type, which keeps the last notice; or the first date as if it were the earliest."""
    anuncios = (
        anuncio("DOC_CD", "2026-02-16", "2026-02-18"),
        anuncio("DOC_CD", "2026-02-17", medio="DOUE"),
        anuncio("DOC_CN", "2026-02-17", medio="DOUE"),
        anuncio("DOC_CN", "2026-02-16", "2026-02-15"),
    )
    caja.guardar(pagina(entrada(1, T0, *anuncios)))
    literal = caja.entrada()["anuncios"]
    assert [(t, f) for t, _, f in literal][:2] == [
        ("DOC_CD", ["2026-02-16", "2026-02-18"]),
        ("DOC_CD", ["2026-02-17"]),
    ]
    assert caja.derivado()["fecha_publicacion"] == "2026-02-15"


@pytest.mark.parametrize("absurda", ["0202-07-03", "9999-12-31", "2300-01-01", "31/12/2025", "2026-02-30"])
def test_rareza_22_una_fecha_absurda_no_cuenta_pero_se_guarda(caja: Caja, absurda: str) -> None:
    """Wrong: a call published in the year 202; an overflow; an entry lost for a date."""
    caja.guardar(pagina(entrada(1, T0, anuncio("DOC_CN", absurda, "2026-02-16+01:00"))))
    assert caja.entrada()["anuncios"][0][2] == [absurda, "2026-02-16+01:00"]
    assert caja.derivado()["fecha_publicacion"] == "2026-02-16"


def test_rareza_23_un_documento_es_el_mismo_aunque_su_direccion_rote(caja: Caja) -> None:
    """Wrong: identity by URL: an alert, and a new download, each time the token changes."""
    caja.guardar(
        pagina(entrada(1, T0, documento(H1, uri=f"{URI}?cifrado=a%3D&DocumentIdParam=b/c"))),
        pagina(entrada(1, T1, documento(H1, uri=f"{URI}?DocumentIdParam=d/e&cifrado=a%3D"))),
    )
    assert caja.cambios()[0] == []


def test_rareza_23_otra_huella_es_otro_documento_aunque_se_llame_igual(caja: Caja) -> None:
    """Wrong: identity by file name: the replaced pliego would go unnoticed."""
    caja.guardar(
        pagina(entrada(1, T0, documento(H1, uri=f"{URI}?a=1"))),
        pagina(entrada(1, T1, documento(H2, uri=f"{URI}?a=1"))),
    )
    assert caja.cambios()[0] == ["documentos"]


def test_rareza_23_la_misma_huella_en_otra_clase_es_otro_documento(caja: Caja) -> None:
    """Wrong: hash alone: an annex that becomes the technical specifications is news."""
    caja.guardar(
        pagina(entrada(1, T0, documento(H1, clase="Additional"))),
        pagina(entrada(1, T1, documento(H1, clase="Technical"))),
    )
    assert caja.cambios()[0] == ["documentos"]


def test_rareza_23_la_direccion_vigente_es_la_ultima_y_descodificada(caja: Caja) -> None:
    """Wrong: the first address seen (expired: 500), or «&amp;» left inside it (500 as well)."""
    caja.guardar(
        pagina(entrada(1, T0, documento(H1, uri=f"{URI}?cifrado=viejo&DocumentIdParam=1"))),
        pagina(entrada(1, T1, documento(H1, uri=f"{URI}?cifrado=nuevo&DocumentIdParam=1"))),
    )
    [unico] = caja.ver()["detalle"]["documentos"]
    assert (unico["huella"], unico["uri"]) == (H1, f"{URI}?cifrado=nuevo&DocumentIdParam=1")
