"""Quirks of figures: zeros that mean unknown, commas, three amounts that others mix up, absurd quantities."""

from __future__ import annotations

import pytest

from tests.radar.caja import Caja
from tests.radar.constructor import T0, entrada, lote, pagina, proceso, proyecto, resultado


def test_rareza_06_importe_cero_es_desconocido_y_el_estimado_sirve_para_filtrar(caja: Caja) -> None:
    """Wrong: a tender of 0 €, out of every amount filter; and a raw value that was lost."""
    caja.guardar(pagina(entrada(1, T0, proyecto(sin_iva="0", con_iva="0", estimado="60000"))))
    derivado = caja.derivado()
    assert caja.entrada()["presupuesto_sin_iva"] == "0"
    assert (derivado["presupuesto_efectivo"], derivado["importe_para_filtro"]) == (None, "60000")
    assert caja.fila(1, "importe") == (6_000_000,)


def test_rareza_06_todo_a_cero_no_tiene_importe(caja: Caja) -> None:
    """Wrong: 0 as the amount to filter by."""
    caja.guardar(pagina(entrada(1, T0, proyecto(sin_iva="0", con_iva="0", estimado="0.00"))))
    assert caja.derivado()["importe_para_filtro"] is None
    assert caja.fila(1, "importe") == (None,)


def test_rareza_06_adjudicaciones_de_cero_no_suman_cero(caja: Caja) -> None:
    """Wrong: «awarded for 0 €» in a framework agreement."""
    caja.guardar(pagina(entrada(1, T0, resultado("8", lote="1", sin_iva="0"), estado="ADJ")))
    assert caja.derivado()["adjudicado_sin_iva_total"] is None


@pytest.mark.parametrize(
    ("publicado", "centimos"),
    [
        ("5989390,79", 598_939_079),
        ("1.234,56", 123_456),
        ("1,234.56", 123_456),
        ("1.234.567,8", 123_456_780),
        ("1500", 150_000),
        ("1500.5", 150_050),
        ("1500.05", 150_005),
    ],
)
def test_rareza_07_comas_puntos_y_decimales(caja: Caja, publicado: str, centimos: int) -> None:
    """Wrong: float(), which dies with a comma, or dropping the separator (a hundred times the amount)."""
    caja.guardar(pagina(entrada(1, T0, proyecto(sin_iva=publicado))))
    assert caja.entrada()["presupuesto_sin_iva"] == publicado
    assert caja.fila(1, "importe") == (centimos,)


@pytest.mark.parametrize("publicado", ["1.2.3,4", "a consultar", "12,34,56", "1e5", "NaN"])
def test_rareza_07_lo_que_no_se_entiende_queda_como_texto_y_con_aviso(caja: Caja, publicado: str) -> None:
    """Wrong: guessing a number, or losing the whole entry for one amount."""
    recuento = caja.guardar(pagina(entrada(1, T0, proyecto(sin_iva=publicado, estimado=None))))[0]
    assert recuento.cuarentena == 0
    assert caja.entrada()["presupuesto_sin_iva"] == publicado
    derivado = caja.derivado()
    assert (derivado["presupuesto_efectivo"], derivado["importe_para_filtro"]) == (None, None)
    assert "importe_ilegible" in derivado["avisos"]


def test_rareza_08_los_tres_importes_no_se_mezclan(caja: Caja) -> None:
    """Wrong: the estimated value (with extensions) shown as the budget, or the budget with tax as without."""
    caja.guardar(pagina(entrada(1, T0, proyecto(estimado="40000", sin_iva="10000", con_iva="12100"))))
    literal, derivado = caja.entrada(), caja.derivado()
    assert literal["valor_estimado"] == "40000"
    assert literal["presupuesto_sin_iva"] == "10000"
    assert literal["presupuesto_con_iva"] == "12100"
    assert derivado["presupuesto_efectivo"] == derivado["importe_para_filtro"] == "10000"


def test_rareza_08_un_estimado_con_impuestos_se_avisa(caja: Caja) -> None:
    """Wrong: correcting it silently, or not seeing it (menores publish the estimated value with tax)."""
    caja.guardar(
        pagina(
            entrada(1, T0, proyecto(estimado="12100", sin_iva="10000", con_iva="12100")),
            entrada(2, T0, proyecto(estimado="20000", sin_iva="10000", con_iva="12100")),
        )
    )
    assert "valor_estimado_con_impuestos" in caja.derivado(1)["avisos"]
    assert "valor_estimado_con_impuestos" not in caja.derivado(2)["avisos"]


def test_rareza_08_un_estimado_menor_que_el_presupuesto_se_avisa(caja: Caja) -> None:
    """Wrong: taking the greater or the smaller of the two on our own."""
    caja.guardar(pagina(entrada(1, T0, proyecto(estimado="9000", sin_iva="10000"))))
    derivado = caja.derivado()
    assert derivado["importe_para_filtro"] == "10000"
    assert "valor_estimado_menor" in derivado["avisos"]


def test_rareza_09_los_lotes_que_solo_salen_en_los_resultados_se_deducen_sin_presupuesto(caja: Caja) -> None:
    """Wrong: a tender without lots, or lots with a budget made by dividing that of the procedure."""
    resultados = [resultado("9", lote=n, sin_iva="2000") for n in ("1", "2")]
    caja.guardar(pagina(entrada(1, T0, *resultados, resultado("3", lote="3"), estado="RES")))
    derivado = caja.derivado()
    assert caja.entrada()["lotes"] == []
    assert derivado["lotes_deducidos"] == ["1", "2", "3"]
    assert derivado["presupuesto_efectivo"] == "10000"
    assert caja.fila(1, "n_lotes") == (3,)


def test_rareza_09_los_lotes_declarados_no_se_dan_por_deducidos(caja: Caja) -> None:
    """Wrong: counting a declared lot twice."""
    caja.guardar(
        pagina(entrada(1, T0, lote("1"), lote("2"), resultado("8", lote="2", sin_iva="1"), estado="ADJ"))
    )
    assert caja.derivado()["lotes_deducidos"] == []
    assert caja.fila(1, "n_lotes") == (2,)


def test_rareza_30_una_cantidad_absurda_no_tira_la_entrada(caja: Caja) -> None:
    """Wrong: an overflow that loses the entry, or the figure believed."""
    recuento = caja.guardar(
        pagina(entrada(1, T0, resultado("8", sin_iva="9000", ofertas="10000000000000001"), estado="ADJ"))
    )[0]
    assert (recuento.cuarentena, recuento.versiones_nuevas) == (0, 1)
    assert caja.entrada()["resultados"][0]["ofertas"] == "10000000000000001"
    assert "cantidad_absurda" in caja.derivado()["avisos"]


def test_rareza_30_una_entrada_mala_va_a_cuarentena_y_el_resto_entra(caja: Caja) -> None:
    """Wrong: one bad entry that takes its page with it, or that disappears without trace."""
    mala = entrada(2, "ayer por la tarde", proceso())
    recuento = caja.guardar(pagina(entrada(1, T0), mala, entrada(3, T0)))[0]
    assert (recuento.versiones_nuevas, recuento.cuarentena) == (2, 1)
    nivel, motivo, crudo = caja.filas("SELECT nivel, motivo, xml FROM cuarentena")[0]
    assert nivel == "entrada"
    assert motivo
    assert crudo
