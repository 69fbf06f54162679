"""Quirks of deadlines and states: local times without zone, missing times, a state that lags behind the clock."""

from __future__ import annotations

import pytest

from tests.radar.caja import Caja, madrid
from tests.radar.constructor import T0, T1, entrada, pagina, proceso, proyecto


@pytest.mark.parametrize(
    ("hora", "ultimo_abierto", "primero_cerrado"),
    [
        ("23:59:00", "2026-03-20T23:58:59", "2026-03-20T23:59:01"),
        ("23:59:59", "2026-03-20T23:59:58", "2026-03-21T00:00:00"),
        ("14:00:00", "2026-03-20T13:59:59", "2026-03-20T14:00:01"),
    ],
)
def test_rareza_01_el_plazo_es_hora_local_de_madrid(
    caja: Caja, hora: str, ultimo_abierto: str, primero_cerrado: str
) -> None:
    """Wrong: reading it as UTC (one hour too long), or as the midnight of the day."""
    caja.guardar(pagina(entrada(1, T0, proceso("2026-03-20", hora))))
    assert caja.entrada()["plazo_ofertas_local"] == f"2026-03-20T{hora}"
    assert caja.derivado(ahora=madrid(ultimo_abierto))["es_oportunidad_abierta"] is True
    assert caja.derivado(ahora=madrid(primero_cerrado))["es_oportunidad_abierta"] is False


def test_rareza_01_en_verano_cuenta_el_horario_de_verano(caja: Caja) -> None:
    """Wrong: a fixed +01:00, which would leave the tender open until 15:00."""
    caja.guardar(pagina(entrada(1, T0, proceso("2026-07-20", "14:00:00"))))
    assert caja.derivado(ahora=madrid("2026-07-20T13:59:00"))["es_oportunidad_abierta"] is True
    assert caja.derivado(ahora=madrid("2026-07-20T14:01:00"))["es_oportunidad_abierta"] is False


def test_rareza_01_las_cero_horas_son_el_comienzo_del_dia_y_se_avisa(caja: Caja) -> None:
    """Wrong: taking 00:00:00 for the end of that day; the safe reading is its start."""
    caja.guardar(pagina(entrada(1, T0, proceso("2026-03-20", "00:00:00"))))
    assert caja.derivado(ahora=madrid("2026-03-19T23:59:00"))["es_oportunidad_abierta"] is True
    derivado = caja.derivado(ahora=madrid("2026-03-20T00:01:00"))
    assert derivado["es_oportunidad_abierta"] is False
    assert "plazo_a_medianoche" in derivado["avisos"]


def test_rareza_01_en_canarias_se_avisa_de_que_la_hora_puede_ser_otra(caja: Caja) -> None:
    """Wrong: saying nothing, or moving the deadline an hour later without being told."""
    caja.guardar(
        pagina(
            entrada(1, T0, proyecto(nuts="ES705"), proceso("2026-03-20", "14:00:00")),
            entrada(2, T0, proyecto(nuts="ES300"), proceso("2026-03-20", "14:00:00")),
        )
    )
    canaria = caja.derivado(1, ahora=madrid("2026-03-20T14:01:00"))
    assert canaria["es_oportunidad_abierta"] is False
    assert "plazo_hora_canaria" in canaria["avisos"]
    assert "plazo_hora_canaria" not in caja.derivado(2)["avisos"]


def test_rareza_02_sin_fecha_no_hay_plazo_ni_se_inventa(caja: Caja) -> None:
    """Wrong: now(), the date of the notice or midnight in place of a deadline that nobody published."""
    caja.guardar(
        pagina(
            entrada(1, T0, proceso(None, None)),
            entrada(2, T0),  # without TenderingProcess at all
        )
    )
    for n in (1, 2):
        assert caja.entrada(n)["plazo_ofertas_local"] is None
        assert caja.fila(n, "plazo_local", "plazo") == (None, None)
    assert caja.entrada(2)["procedimiento"] is None


def test_rareza_02_sin_hora_vale_el_dia_entero_y_se_avisa(caja: Caja) -> None:
    """Wrong: losing the date because the time is missing."""
    caja.guardar(pagina(entrada(1, T0, proceso("2026-03-20", None))))
    assert caja.entrada()["plazo_ofertas_local"] == "2026-03-20"
    derivado = caja.derivado(ahora=madrid("2026-03-19T23:00:00"))
    assert derivado["es_oportunidad_abierta"] is True
    assert "plazo_sin_hora" in derivado["avisos"]
    assert caja.derivado(ahora=madrid("2026-03-20T18:00:00"))["es_oportunidad_abierta"] is True
    assert caja.derivado(ahora=madrid("2026-03-21T00:01:00"))["es_oportunidad_abierta"] is False


def test_rareza_03_el_estado_no_cambia_al_vencer_el_plazo(caja: Caja) -> None:
    """Wrong: trusting PUB after the deadline; the state only changes with the next publication."""
    caja.guardar(pagina(entrada(1, T0, proceso("2026-02-27", "15:00:00"), estado="PUB")))
    derivado = caja.derivado(ahora=madrid("2026-02-27T15:12:00"))
    assert derivado["ultimo_estado"] == "PUB"
    assert derivado["es_oportunidad_abierta"] is False
    assert derivado["desenlace"] == "pendiente"
    antes = caja.derivado(ahora=madrid("2026-02-27T14:59:00"))
    assert (antes["es_oportunidad_abierta"], antes["desenlace"]) == (True, "abierta")


def test_rareza_03_en_evaluacion_con_plazo_por_delante_no_es_una_oportunidad_perdida_en_silencio(
    caja: Caja,
) -> None:
    """Wrong: deciding by only one of the two; the contradiction must be flagged."""
    caja.guardar(pagina(entrada(1, T0, proceso("2026-03-20", "15:00:00"), estado="EV")))
    derivado = caja.derivado()
    assert derivado["ultimo_estado"] == "EV"
    assert "estado_contradice_plazo" in derivado["avisos"]


def test_rareza_03_la_version_siguiente_trae_el_estado(caja: Caja) -> None:
    """Wrong: keeping PUB because the deadline or anything else did not change."""
    caja.guardar(
        pagina(
            entrada(1, T1, proceso("2026-02-16", "15:00:00"), estado="EV"),
            entrada(1, T0, proceso("2026-02-16", "15:00:00"), estado="PUB"),
        )
    )
    assert caja.derivado()["ultimo_estado"] == "EV"
    assert "estado" in caja.cambios()[0]


@pytest.mark.parametrize("de_ofertas", [None, "2026-04-20"])
def test_plazo_de_solicitudes_es_el_que_cuenta_en_un_restringido(caja: Caja, de_ofertas: str | None) -> None:
    """Wrong: «no deadline» because there is none for offers yet, or the one for those already invited."""
    hora = "14:00:00" if de_ofertas else None
    partes = proceso(de_ofertas, hora, procedimiento="2", solicitudes=("2026-03-20", "14:00:00"))
    caja.guardar(pagina(entrada(1, T0, partes)))
    assert caja.derivado(ahora=madrid("2026-03-20T13:59:00"))["es_oportunidad_abierta"] is True
    assert caja.derivado(ahora=madrid("2026-03-20T14:01:00"))["es_oportunidad_abierta"] is False
