"""The names of the ZIPs of the past."""

from __future__ import annotations

from datetime import date

import pytest

from dominios.licitaciones.radar.historico.plan import de_los_meses, del_anyo, puede_cambiar, recientes
from nucleo.errores import ErrorEntrada

CABECERA = "https://contrataciondelsectorpublico.gob.es/sindicacion/sindicacion_643/perfiles.atom"
HOY = date(2026, 3, 2)


def test_el_zip_anual_esta_junto_a_la_cabecera() -> None:
    fichero = del_anyo("643", CABECERA, 2024, HOY)
    assert fichero.url.endswith("/sindicacion_643/perfiles_2024.zip")
    assert fichero.nombre == "643_2024.zip"


@pytest.mark.parametrize("anyo", [2011, 2027])
def test_un_anyo_que_no_puede_existir_se_rechaza(anyo: int) -> None:
    with pytest.raises(ErrorEntrada, match=str(anyo)):
        del_anyo("643", CABECERA, anyo, HOY)


def test_los_meses_llegan_hasta_el_actual_y_los_conjuntos_anuales_no_tienen() -> None:
    assert [z.periodo for z in de_los_meses("643", CABECERA, 2026, HOY)] == ["202601", "202602", "202603"]
    assert len(de_los_meses("643", CABECERA, 2025, HOY)) == 12
    assert de_los_meses("1383", CABECERA, 2025, HOY) == ()


def test_lo_reciente_es_este_mes_y_el_anterior_tambien_en_enero() -> None:
    assert [z.periodo for z in recientes("643", CABECERA, HOY)] == ["202602", "202603"]
    assert [z.periodo for z in recientes("643", CABECERA, date(2026, 1, 9))] == ["202512", "202601"]
    assert [z.periodo for z in recientes("1403", CABECERA, HOY)] == ["2026"]
    assert [z.periodo for z in recientes("1403", CABECERA, date(2026, 1, 9))] == ["2025", "2026"]


def test_solo_el_periodo_en_curso_puede_cambiar() -> None:
    assert puede_cambiar(del_anyo("643", CABECERA, 2026, HOY), HOY)
    assert not puede_cambiar(del_anyo("643", CABECERA, 2025, HOY), HOY)
    assert [puede_cambiar(z, HOY) for z in de_los_meses("643", CABECERA, 2026, HOY)] == [False, False, True]
