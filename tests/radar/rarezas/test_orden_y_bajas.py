"""Quirks of order: what counts is the greatest instant, whatever the state, the text or the order of arrival."""

from __future__ import annotations

import pytest

from tests.radar.caja import Caja
from tests.radar.constructor import (
    T0,
    T1,
    T2,
    anuncio,
    documento,
    entrada,
    lapida,
    pagina,
    proceso,
    resultado,
)


@pytest.mark.parametrize("al_reves", [False, True])
@pytest.mark.parametrize(
    ("antes", "despues"), [("RES", "ADJ"), ("RES", "RES"), ("PUB", "RES"), ("EV", "PUB")]
)
def test_rareza_04_gana_la_ultima_version_aunque_el_estado_retroceda(
    caja: Caja, antes: str, despues: str, al_reves: bool
) -> None:
    """Wrong: a rule that only lets the state go forward, or «last to arrive wins»."""
    paginas = [pagina(entrada(1, T0, estado=antes)), pagina(entrada(1, T1, estado=despues))]
    caja.guardar(*(reversed(paginas) if al_reves else paginas))
    derivado = caja.derivado()
    assert (derivado["ultimo_estado"], derivado["n_versiones"]) == (despues, 2)


def test_rareza_04_el_retroceso_queda_como_evento(caja: Caja) -> None:
    """Wrong: swallowing the regression: whoever follows the tender must hear of it."""
    caja.guardar(pagina(entrada(1, T0, estado="RES")), pagina(entrada(1, T1, estado="ADJ")))
    eventos = caja.filas("SELECT campos FROM evento WHERE licitacion_id = ?", caja.id())
    assert any("estado" in campos for (campos,) in eventos)
    assert caja.cambios()[0] == ["estado"]


def test_rareza_25_borrada_y_vuelta_a_publicar_esta_vigente(caja: Caja) -> None:
    """Wrong: a tombstone that kills for ever; and its standing before the newer entry of the same page."""
    caja.guardar(
        pagina(entrada(1, T0)),
        pagina(lapida(1, T1, "CERRADA"), entrada(1, T2, estado="EV")),
    )
    derivado = caja.derivado()
    assert (derivado["vigente"], derivado["ultimo_estado"]) == (True, "EV")
    caja.guardar(pagina(lapida(1, "2026-02-19T00:12:00.000+01:00", "ANULADA")))
    derivado = caja.derivado()
    assert (derivado["vigente"], derivado["tipo_baja"]) == (False, "ANULADA")
    assert derivado["baja"] == "2026-02-19T00:12:00.000+01:00"


@pytest.mark.parametrize(
    ("tipo", "desenlace"), [("CERRADA", "pendiente"), ("ANULADA", "anulada"), (None, "pendiente")]
)
def test_rareza_25_una_lapida_oculta_y_solo_anulada_anula(
    caja: Caja, tipo: str | None, desenlace: str
) -> None:
    """Wrong: ignoring tombstones (dead tenders on show), or reading «archived» as «cancelled»."""
    caja.guardar(pagina(entrada(1, T0, proceso())), pagina(lapida(1, T1, tipo)))
    derivado = caja.derivado()
    assert (derivado["vigente"], derivado["tipo_baja"], derivado["es_oportunidad_abierta"]) == (
        False,
        tipo,
        False,
    )
    assert derivado["desenlace"] == desenlace


def test_rareza_25_la_lapida_de_un_id_desconocido_espera_a_su_entrada(caja: Caja) -> None:
    """Wrong: dropping it, so that the older entry, arriving late, would come to life."""
    caja.guardar(pagina(lapida(1, T1, "CERRADA")), pagina(entrada(1, T0)))
    assert caja.derivado()["vigente"] is False


@pytest.mark.parametrize("al_reves", [False, True])
def test_empate_de_entrada_y_lapida_deja_visible_con_aviso_e_incidencia(caja: Caja, al_reves: bool) -> None:
    """Wrong: hiding a live tender, or choosing by order of arrival."""
    paginas = [pagina(entrada(1, T0)), pagina(lapida(1, T0, "CERRADA"))]
    caja.guardar(*(reversed(paginas) if al_reves else paginas))
    derivado = caja.derivado()
    assert derivado["vigente"] is True
    assert "lapida_en_el_mismo_instante" in derivado["avisos"]
    assert caja.filas("SELECT count(*) FROM incidencia WHERE clave LIKE ?", f"%{1}")[0][0] >= 1


@pytest.mark.parametrize("al_reves", [False, True])
def test_rareza_26_el_mas_nuevo_gana_en_cualquier_orden_de_lectura(caja: Caja, al_reves: bool) -> None:
    """Wrong: «keep last» over pages that come newest first, which keeps the oldest."""
    piezas = [entrada(1, T2, estado="ADJ"), entrada(1, T1, estado="EV"), entrada(1, T0, estado="PUB")]
    caja.guardar(pagina(*(reversed(piezas) if al_reves else piezas)))
    assert caja.derivado()["ultimo_estado"] == "ADJ"


@pytest.mark.parametrize("al_reves", [False, True])
def test_rareza_26_una_pagina_generada_mas_tarde_no_rejuvenece_lo_viejo(caja: Caja, al_reves: bool) -> None:
    """Wrong: the page that came out last wins; a monthly ZIP, made later, repeats old versions."""
    pronto = pagina(entrada(1, T1, estado="EV"), updated="2026-02-18T09:00:00.000+01:00")
    tarde = pagina(entrada(1, T0, estado="PUB"), updated="2026-03-01T09:00:00.000+01:00")
    caja.guardar(*((tarde, pronto) if al_reves else (pronto, tarde)))
    assert caja.derivado()["ultimo_estado"] == "EV"


def test_rareza_26_se_comparan_instantes_y_no_textos(caja: Caja) -> None:
    """Wrong: comparing strings; on the night the clock goes back, 02:10+01:00 comes after 02:40+02:00."""
    caja.guardar(
        pagina(
            entrada(1, "2025-10-26T02:10:00.000+01:00", estado="EV"),
            entrada(1, "2025-10-26T02:40:00.000+02:00", estado="PUB"),
        )
    )
    assert caja.derivado()["ultimo_estado"] == "EV"


def test_rareza_19_una_version_que_solo_cambia_anuncios_no_es_material(caja: Caja) -> None:
    """Wrong: alerting people at 09:00:00.000 because a notice came back from the DOUE."""
    caja.guardar(
        pagina(entrada(1, T0, proceso(), anuncio("DOC_CN", "2026-02-16"))),
        pagina(
            entrada(
                1,
                "2026-02-17T09:00:00.000+01:00",
                proceso(),
                anuncio("DOC_CN", "2026-02-17", medio="DOUE"),
                anuncio("DOC_CN", "2026-02-16"),
            )
        ),
    )
    assert caja.derivado()["n_versiones"] == 2
    assert caja.cambios()[0] == []
    tipos = {
        t
        for (t,) in caja.filas(
            "SELECT tipo FROM evento WHERE campos <> '[]' AND licitacion_id = ?", caja.id()
        )
    }
    assert "cambio" not in tipos


@pytest.mark.parametrize(
    ("antes", "despues"),
    [
        (proceso("2026-03-20"), proceso("2026-03-27")),
        (documento("AAAAAAAAAAAAAAAAAAAAAAAAAAA="), documento("BBBBBBBBBBBBBBBBBBBBBBBBBBB=")),
        ("", resultado("8", sin_iva="9000")),
    ],
    ids=["plazo", "documento", "resultado"],
)
def test_rareza_19_lo_material_si_se_cuenta(caja: Caja, antes: str, despues: str) -> None:
    """Wrong: throwing away every change of a 09:00:00.000 update because it usually changes nothing."""
    caja.guardar(
        pagina(entrada(1, T0, antes)),
        pagina(entrada(1, "2026-02-17T09:00:00.000+01:00", despues)),
    )
    assert len(caja.cambios()[0]) >= 1


@pytest.mark.parametrize("al_reves", [False, True])
def test_correccion_silenciosa_con_el_mismo_updated_gana_la_pagina_mas_nueva(
    caja: Caja, al_reves: bool
) -> None:
    """Wrong: (id, updated) as the key, which would drop the correction or keep the first to arrive."""
    vieja = pagina(entrada(1, T0, proceso("2026-03-20")), updated="2026-02-20T09:00:00.000+01:00")
    nueva = pagina(entrada(1, T0, proceso("2026-03-27")), updated="2026-02-21T09:00:00.000+01:00")
    caja.guardar(*((nueva, vieja) if al_reves else (vieja, nueva)))
    assert caja.entrada()["plazo_ofertas_local"] == "2026-03-27T14:00:00"
    assert caja.derivado()["n_versiones"] == 2
