"""Quirks of results: states that do not mean «won», several winners, joint ventures, noise in tax numbers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.radar.caja import Caja
from tests.radar.constructor import T0, entrada, ganador, lapida, pagina, resultado

B1, B2, U1 = "B00000018", "B00000026", "U00000018"


def _adjudicatarios(caja: Caja, *ganadores: str) -> list[dict[str, Any]]:
    resultados = [
        resultado("8", lote=str(i), sin_iva="100", ganadores=[g]) for i, g in enumerate(ganadores, 1)
    ]
    caja.guardar(pagina(entrada(1, T0, *resultados, estado="ADJ")))
    adjudicatarios: list[dict[str, Any]] = caja.derivado()["adjudicatarios"]
    return adjudicatarios


@pytest.mark.parametrize(
    ("codigos", "desenlace"),
    [
        (["3"], "desierta"),
        (["6"], "desierta"),
        (["7"], "desierta"),
        (["4"], "desistida"),
        (["5"], "renuncia"),
        (["9"], "formalizada"),
        (["9", "3"], "adjudicada_parcial"),
    ],
)
def test_rareza_05_resuelta_no_es_ganada(caja: Caja, codigos: list[str], desenlace: str) -> None:
    """Wrong: RES read as «awarded»; the outcome is in the result codes of the lots."""
    resultados = [
        resultado(c, lote=str(i), sin_iva="9" if c == "9" else None) for i, c in enumerate(codigos, 1)
    ]
    caja.guardar(pagina(entrada(1, T0, *resultados, estado="RES")))
    assert caja.derivado()["desenlace"] == desenlace


def test_rareza_05_anulada_por_estado_o_por_lapida(caja: Caja) -> None:
    """Wrong: seeing only one of the two ways a tender is annulled."""
    caja.guardar(
        pagina(
            entrada(1, T0, estado="ANUL"),
            lapida(2, "2026-02-20T10:00:00.000+01:00", "ANULADA"),
            entrada(2, T0),
        )
    )
    assert [caja.derivado(n)["desenlace"] for n in (1, 2)] == ["anulada", "anulada"]
    assert [caja.derivado(n)["vigente"] for n in (1, 2)] == [True, False]


def test_rareza_10_varios_ganadores_del_mismo_lote_se_conservan_todos(caja: Caja) -> None:
    """Wrong: the lot as the key of a result, which keeps one winner of three."""
    empresas = [("Uno Ficticia, S.L.", B1), ("Dos Ficticia, S.L.", B2), ("UTE Tres Ficticia", U1)]
    resultados = [
        resultado("8", lote="1", sin_iva="100", ofertas="4", ganadores=[ganador(nombre, ("NIF", nif))])
        for nombre, nif in empresas
    ]
    caja.guardar(pagina(entrada(1, T0, *resultados, estado="ADJ")))
    derivado = caja.derivado()
    assert [(a["lote"], a["nif"]) for a in derivado["adjudicatarios"]] == [("1", B1), ("1", B2), ("1", U1)]
    assert derivado["lotes_deducidos"] == ["1"]
    assert [r["ofertas"] for r in caja.entrada()["resultados"]] == ["4", "4", "4"]


@pytest.mark.parametrize(
    ("parte", "es_ute"),
    [
        (ganador("Puente Soñado", ("UTE", U1)), True),
        (ganador("Puente Soñado", ("NIF", U1)), True),
        (ganador("UTE Puente Soñado", ("NIF", B1)), True),
        (ganador("U.T.E. Puente Soñado", ("OTROS", "TEMP-1")), True),
        (ganador("U. T. E. Puente Soñado", ("OTROS", "TEMP-1")), True),
        (ganador("Unión Temporal de Empresas Puente Soñado", ("NIF", B1)), True),
        (ganador("Puente Soñado", ("NIF", B1), forma="1"), True),
        (ganador("Uno Ficticia, S.L.; Dos Ficticia, S.L.", ("OTROS", "En constitución")), True),
        (ganador("Informática Supuesta, S.A.", ("UTE", "A00000018")), False),
        (ganador("Lute Ficticio, S.L.", ("NIF", B1)), False),
        (ganador("Cuteros Ficticios, S.L.", ("NIF", B1)), False),
    ],
)
def test_rareza_11_ute_por_lo_que_es_y_no_por_como_se_declara(caja: Caja, parte: str, es_ute: bool) -> None:
    """Wrong: believing schemeName=UTE alone, missing the ones declared as NIF, or «ute» inside a word."""
    assert _adjudicatarios(caja, parte)[0]["es_ute"] is es_ute


def test_rareza_11_el_esquema_solo_deja_una_duda(caja: Caja) -> None:
    """Wrong: silence when the scheme says UTE and the number is that of one company."""
    _adjudicatarios(caja, ganador("Informática Supuesta, S.A.", ("UTE", "A00000018")))
    assert "ute_dudosa" in caja.derivado()["avisos"]


def test_rareza_11_los_miembros_de_una_ute_salen_del_nombre(caja: Caja) -> None:
    """Wrong: one company with a semicolon in its name."""
    ute = _adjudicatarios(caja, ganador("Uno Ficticia, S.L.; Dos Ficticia, S.L.", ("NIF", U1)))[0]
    assert ute["miembros"] == ["Uno Ficticia, S.L.", "Dos Ficticia, S.L."]


@pytest.mark.parametrize(
    ("publicado", "normal"),
    [
        ("b-00000018", B1),
        ("B 00000018", B1),
        ("B000000018", B1),
        ("ESB00000018", B1),
        ("B00000019", None),
        ("-", None),
        ("0000", None),
        ("PENDENT", None),
        ("IE0000000XX", None),
        ("***0001**", None),
    ],
)
def test_rareza_12_nif_normalizado_o_nulo_y_el_crudo_se_guarda(
    caja: Caja, publicado: str, normal: str | None
) -> None:
    """Wrong: keys made of noise, or a wrong number accepted because it looks like one."""
    adjudicatario = _adjudicatarios(caja, ganador("Empresa Ficticia, S.L.", ("NIF", publicado)))[0]
    assert adjudicatario["nif"] == normal
    assert caja.entrada()["resultados"][0]["adjudicatarios"][0]["ids"] == [["NIF", publicado]]


def test_rareza_12_un_nif_no_valido_se_avisa_y_uno_enmascarado_no(caja: Caja) -> None:
    """Wrong: the same flag for a mistake and for a person's number hidden on purpose."""
    mala, enmascarada = (
        entrada(
            n, T0, resultado("8", sin_iva="1", ganadores=[ganador("Ficticia", ("NIF", nif))]), estado="ADJ"
        )
        for n, nif in ((1, "B00000019"), (2, "***0001**"))
    )
    caja.guardar(pagina(mala, enmascarada))
    assert "nif_invalido" in caja.derivado(1)["avisos"]
    assert "nif_invalido" not in caja.derivado(2)["avisos"]


def test_rareza_12_nombre_y_nif_cambiados_de_sitio(caja: Caja) -> None:
    """Wrong: a winner called «B00000018» whose number is a name."""
    adjudicatario = _adjudicatarios(caja, ganador(B1, ("NIF", "Empresa Ficticia, S.L.")))[0]
    assert adjudicatario["nif"] == B1
    assert "nombre_y_nif_cambiados" in caja.derivado()["avisos"]


def test_rareza_13_la_marca_de_pyme_es_de_cada_resultado(caja: Caja) -> None:
    """Wrong: one flag per company, when the same entry says both of the same NIF."""
    resultados = [
        resultado("8", lote=str(i), sin_iva="1", pyme=pyme) for i, pyme in enumerate(("true", "false"))
    ]
    caja.guardar(pagina(entrada(1, T0, *resultados, estado="ADJ")))
    assert [r["pyme"] for r in caja.entrada()["resultados"]] == ["true", "false"]
    assert "pyme_contradictoria" in caja.derivado()["avisos"]


def test_rareza_13_dos_empresas_distintas_no_se_contradicen(caja: Caja) -> None:
    """Wrong: a flag whenever a file has winners of both kinds."""
    resultados = [
        resultado("8", lote=nif, sin_iva="1", pyme=pyme, ganadores=[ganador("Ficticia", ("NIF", nif))])
        for nif, pyme in ((B1, "true"), (B2, "false"))
    ]
    caja.guardar(pagina(entrada(1, T0, *resultados, estado="ADJ")))
    assert "pyme_contradictoria" not in caja.derivado()["avisos"]
