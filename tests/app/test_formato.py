"""Amounts, dates and ages as they are written in Spain."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from app.piezas import formato
from app.piezas.personas import nif_visible
from tests.conftest import AHORA


@pytest.mark.parametrize(
    ("valor", "texto"),
    [
        (Decimal("1234567.89"), "1.234.567,89 €"),
        (Decimal("1000"), "1.000,00 €"),
        (Decimal("0.005"), "0,005 €"),
        (Decimal("-3.5"), "-3,50 €"),
        (None, "no consta"),
    ],
)
def test_los_importes_van_con_punto_de_millar_y_coma_decimal(valor: Decimal | None, texto: str) -> None:
    assert formato.importe(valor).replace("\N{NO-BREAK SPACE}", " ") == texto


def test_los_instantes_se_ven_en_hora_de_madrid() -> None:
    assert formato.fecha_hora(datetime(2026, 7, 3, 22, 30, tzinfo=UTC)) == "sáb 4 jul 2026, 00:30"
    assert formato.fecha_hora(datetime(2026, 12, 18, 13, 0, tzinfo=UTC)) == "vie 18 dic 2026, 14:00"


def test_un_plazo_sin_hora_lo_dice() -> None:
    medianoche = datetime(2026, 12, 17, 23, 0, tzinfo=UTC)
    assert formato.plazo(medianoche, "2026-12-18") == "vie 18 dic 2026, sin hora"
    assert formato.plazo(medianoche, "2026-12-18T00:00:00") == "vie 18 dic 2026, 00:00"


@pytest.mark.parametrize(
    ("lapso", "texto"),
    [
        (timedelta(minutes=30), "hoy, en 30 min"),
        (timedelta(hours=5), "hoy, en 5 h"),
        (timedelta(hours=15), "mañana"),
        (timedelta(days=12), "quedan 12 días"),
        (timedelta(0), "cerró hoy"),
        (timedelta(hours=-11), "cerró ayer"),
        (timedelta(days=-1500), "cerró hace 1.500 días"),
    ],
)
def test_lo_que_falta_se_cuenta_por_dias_de_madrid(lapso: timedelta, texto: str) -> None:
    assert formato.faltan(AHORA + lapso, AHORA) == texto


@pytest.mark.parametrize(
    ("publicado", "visto"),
    [
        ("12345678Z", "***4567**"),
        ("12.345.678-z", "***4567**"),
        ("12345678A", "***4567**"),
        ("X1234567L", "***4567**"),
        ("***4567**", "***4567**"),
        ("B00000018", "B00000018"),
        ("b-00000018", "B00000018"),
        ("U00000012", "U00000012"),
        ("PENDENT", "PENDENT"),
    ],
)
def test_el_numero_de_una_persona_se_enmascara_y_el_de_una_empresa_no(publicado: str, visto: str) -> None:
    assert nif_visible(publicado).replace("\\", "") == visto
