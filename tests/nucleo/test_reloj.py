"""The clock and the exact passage between instants and microseconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nucleo.reloj import EPOCA, MADRID, a_micros, desde_micros, reloj_del_sistema, reloj_fijo

desplazamientos = st.integers(min_value=-14 * 60, max_value=14 * 60).map(
    lambda m: timezone(timedelta(minutes=m))
)
instantes = st.datetimes(
    min_value=datetime(1, 1, 2),  # noqa: DTZ001 - hypothesis adds the zone
    max_value=datetime(9999, 12, 30),  # noqa: DTZ001 - hypothesis adds the zone
    timezones=st.one_of(st.just(UTC), st.just(MADRID), desplazamientos),
)


@given(instantes)
def test_de_instante_a_micros_y_vuelta_no_se_pierde_nada(instante: datetime) -> None:
    # In UTC: an instant of the hour that October repeats equals none of another zone (PEP 495).
    assert desde_micros(a_micros(instante)) == instante.astimezone(UTC)


@given(st.integers(min_value=-62_135_596_800_000_000, max_value=253_402_300_799_999_999))
def test_de_micros_a_instante_y_vuelta_no_se_pierde_nada(micros: int) -> None:
    assert a_micros(desde_micros(micros)) == micros


@given(instantes, instantes)
def test_los_micros_ordenan_como_los_instantes(uno: datetime, otro: datetime) -> None:
    assert (a_micros(uno) < a_micros(otro)) == (uno.astimezone(UTC) < otro.astimezone(UTC))


def test_la_hora_repetida_de_octubre_son_dos_instantes() -> None:
    primera = datetime(2026, 10, 25, 2, 30, tzinfo=MADRID)
    assert a_micros(primera.replace(fold=1)) - a_micros(primera) == 3_600_000_000


def test_un_instante_sin_zona_no_se_admite() -> None:
    ingenuo = datetime(2026, 1, 1)  # noqa: DTZ001 - what is refused
    with pytest.raises(TypeError):
        a_micros(ingenuo)
    with pytest.raises(ValueError, match="zona horaria"):
        reloj_fijo(ingenuo)


def test_los_relojes_dan_utc() -> None:
    fijo = reloj_fijo(datetime(2026, 7, 1, 12, tzinfo=MADRID))
    assert (fijo(), fijo().tzinfo) == (datetime(2026, 7, 1, 10, tzinfo=UTC), UTC)
    assert reloj_del_sistema().tzinfo is UTC
    assert desde_micros(0) == EPOCA
