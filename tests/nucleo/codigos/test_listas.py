"""Code lists: equal to the official files, and quiet about what they do not know."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from nucleo.codigos.listas import codigos_de, etiqueta, etiqueta_por_uri


def _filas_oficiales(fichero: Path) -> list[tuple[str, str]]:
    """Code and Spanish label of a genericode file, decoded as its XML declaration says."""
    filas = []
    for fila in etree.parse(fichero).getroot().iter("{*}Row"):
        valores = {v.get("ColumnRef"): v[0].text or "" for v in fila.iter("{*}Value")}
        filas.append((valores["code"], " ".join(valores["nombre"].split())))
    return filas


def test_las_listas_son_las_oficiales(datos_reales: Path) -> None:
    ficheros = sorted((datos_reales / "placsp" / "codelists").glob("*.gc"))
    assert ficheros
    for fichero in ficheros:
        lista, _, version = fichero.stem.rpartition("-")
        filas = _filas_oficiales(fichero)
        assert filas
        for codigo, oficial in filas:
            assert etiqueta(lista, codigo, version) == oficial


@pytest.mark.parametrize(
    ("lista", "codigo", "esperada"),
    [
        ("SyndicationTenderingProcessCode", "3", "Negociado sin publicidad"),
        ("SyndicationTenderingProcessCode", "4", "Negociado con publicidad"),
        ("SyndicationTenderingProcessCode", "9", "Abierto simplificado"),
        ("SyndicationContractFolderStatusCode", "EV", "Pendiente de adjudicación"),
        ("ContractCode", "2", "Servicios"),
        ("DiligenceTypeCode", "2", "Urgente"),
        ("AwardingCriteriaCode", "SUBJ", "Criterio de juicio de valor"),
        ("GuaranteeTypeCode", "2", "Definitiva"),
        ("TenderingNoticeTypeCode", "DOC_CN", "Anuncio de Licitación"),
    ],
)
def test_un_codigo_conocido_dice_su_etiqueta(lista: str, codigo: str, esperada: str) -> None:
    assert etiqueta(lista, codigo) == esperada


def test_un_codigo_o_una_lista_desconocidos_no_tienen_etiqueta() -> None:
    assert etiqueta("ContractCode", "77") is None
    assert etiqueta("NoExiste", "1") is None
    assert codigos_de("NoExiste") == {}


def test_sin_version_gana_la_mas_nueva_y_con_ella_la_suya() -> None:
    assert etiqueta("ContractingAuthorityCode", "1") == "Autoridad estatal"
    assert etiqueta("ContractingAuthorityCode", "1", "1.04") == "Administración General del Estado"
    assert etiqueta("TenderResultCode", "11", "2.02") == "Encargo Formalizado"


def test_por_la_direccion_de_la_lista() -> None:
    uri = "http://contrataciondelestado.es/codice/cl/1.04/ContractingAuthorityCode-1.04.gc"
    assert etiqueta_por_uri(uri, "3") == "Administración Local"
    assert etiqueta_por_uri("urn:rara", "3") is None
    assert etiqueta_por_uri("", "3") is None


def test_todos_los_codigos_de_una_lista() -> None:
    assert codigos_de("GuaranteeTypeCode") == {"1": "Provisional", "2": "Definitiva", "3": "Especial"}
