"""The table of benchmarks: rows, marks and discovery (never the figures)."""

from __future__ import annotations

import pytest

from bench.tabla import FIN, INICIO, Fila, al_menos, como_mucho, en_markdown, insertar, numero


def test_una_fila_dice_si_cumple_su_objetivo() -> None:
    assert como_mucho("a", 3.0, 3.0, "×").cumple is True
    assert como_mucho("a", 3.01, 3.0, "×").cumple is False
    assert al_menos("a", 3999, 4000, "entradas/s") == Fila(
        "a", "3 999 entradas/s", "≥ 4 000 entradas/s", False
    )
    assert numero(0.123456, "s") == "0.123 s"


def test_la_tabla_tiene_una_linea_por_fila() -> None:
    tabla = en_markdown([Fila("a", "1"), como_mucho("b", 2, 1, "×")])
    assert tabla.splitlines()[2:] == ["| a | 1 | — | — |  |", "| b | 2 × | ≤ 1 × | **no** |  |"]


def test_se_guarda_entre_las_marcas_y_nada_mas() -> None:
    documento = f"antes\n{INICIO}\nviejo\n{FIN}\ndespués\n"
    assert insertar(documento, "nuevo") == f"antes\n{INICIO}\nnuevo\n{FIN}\ndespués\n"
    with pytest.raises(ValueError, match="marcas"):
        insertar("sin marcas", "nuevo")
