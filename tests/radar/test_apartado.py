"""Incidents: open once, closed when their cause goes, open again when it comes back."""

from __future__ import annotations

from datetime import UTC, datetime

from dominios.licitaciones.radar.apartado.almacen import (
    abrir_incidencia,
    listar_incidencias,
    resolver_incidencia,
)
from tests.radar.caja import Caja
from tests.radar.constructor import T1, T2, entrada, lapida, pagina

LUNES = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
MARTES = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)


def test_una_incidencia_abierta_no_se_dobla_y_una_cerrada_puede_volver(caja: Caja) -> None:
    abrir_incidencia(caja.con, "prueba", "a", "primera vez", LUNES)
    abrir_incidencia(caja.con, "prueba", "a", "otra vez", MARTES)
    assert [(i.detalle, i.alta) for i in listar_incidencias(caja.con)] == [("primera vez", LUNES.isoformat())]
    resolver_incidencia(caja.con, "prueba", "a", MARTES)
    assert listar_incidencias(caja.con) == ()
    abrir_incidencia(caja.con, "prueba", "a", "ha vuelto", MARTES)
    assert [(i.detalle, i.alta) for i in listar_incidencias(caja.con)] == [("ha vuelto", MARTES.isoformat())]


def test_el_empate_se_cierra_cuando_llega_una_version_posterior(caja: Caja) -> None:
    caja.guardar(pagina(entrada(1, T1), lapida(1, T1)))
    assert [i.tipo for i in listar_incidencias(caja.con)] == ["lapida_en_el_mismo_instante"]
    assert caja.derivado(1)["vigente"] is True
    caja.guardar(pagina(entrada(1, T2)))
    assert listar_incidencias(caja.con) == ()
    assert "lapida_en_el_mismo_instante" not in caja.derivado(1)["avisos"]
