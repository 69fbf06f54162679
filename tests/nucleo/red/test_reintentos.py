"""When and how long to wait."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from nucleo.red.reintentos import espera, merece_otro_intento

AHORA = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def test_las_esperas_son_2_5_y_10_segundos_y_despues_se_deja() -> None:
    assert [espera(i, None, AHORA) for i in range(4)] == [2.0, 5.0, 10.0, None]


@pytest.mark.parametrize(
    ("retry_after", "segundos"),
    [
        ("7", 7.0),
        ("1", 2.0),
        ("99999", 60.0),
        ("99999999999999999999999", 60.0),
        ("-5", 2.0),
        ("Mon, 02 Mar 2026 09:00:30 GMT", 30.0),
        ("Mon, 02 Mar 2026 08:00:00 GMT", 2.0),
        ("mañana", 2.0),
        ("²", 2.0),
        ("", 2.0),
    ],
)
def test_retry_after_alarga_la_espera_hasta_un_minuto(retry_after: str, segundos: float) -> None:
    assert espera(0, retry_after, AHORA) == segundos


@pytest.mark.parametrize(
    ("estado", "otra_vez"), [(429, True), (500, True), (503, True), (599, True), (404, False), (403, False)]
)
def test_solo_se_repite_lo_que_puede_cambiar(estado: int, otra_vez: bool) -> None:
    assert merece_otro_intento(estado) is otra_vez
