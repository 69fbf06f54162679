"""The criba in a real browser: what the agent said on each row, and a person who decides."""

from __future__ import annotations

import re
from contextlib import closing

import pytest
from playwright.sync_api import Page, expect

from dominios.licitaciones.criba import almacen
from nucleo.bd import conectar_lectura
from tests.app.conftest import Visor, Web
from tests.app.hostil import nada_extrano

pytestmark = pytest.mark.navegador

FILAS = "[class*=st-key-fila_]"


def test_cada_fila_dice_su_veredicto_y_el_filtro_no_borra_nada(visor: Visor) -> None:
    pagina = visor.abrir("/?solo_abiertas=1")
    resumen = pagina.locator(".st-key-resumen p").first
    todas = resumen.inner_text()
    assert not pagina.url.endswith("criba")
    visor.abrir("/?criba=duda")
    expect(pagina.locator(FILAS).first).to_contain_text("Duda Motivo hostil")
    expect(pagina.locator(FILAS).filter(has_text="No encaja Motivo")).to_have_count(0)
    nada_extrano(pagina)
    dudas = pagina.locator(FILAS).count()
    pagina.get_by_role("combobox", name="Criba").click()
    pagina.get_by_role("option", name="No encaja").click()
    expect(pagina.locator(FILAS).filter(has_text="No encaja Motivo").first).to_be_visible()
    assert pagina.locator(FILAS).count() > dudas
    pagina.keyboard.press("Escape")
    visor.abrir("/?solo_abiertas=1")
    expect(resumen).to_have_text(todas)
    expect(pagina.locator(FILAS).filter(has_text="No encaja Motivo").first).to_be_visible()


def _abrir_una(visor: Visor, consulta: str) -> Page:
    pagina = visor.abrir(consulta)
    pagina.locator(f"{FILAS} [data-testid=stPageLink-NavLink]").first.click()
    expect(pagina.locator(".st-key-claves")).to_be_visible()
    pagina.get_by_role("tab", name="Criba").click()
    return pagina


def test_la_ficha_dice_en_que_se_apoya_y_una_persona_decide(visor: Visor, web: Web) -> None:
    pagina = _abrir_una(visor, "/?criba=no_encaja")
    panel = pagina.get_by_role("tabpanel").filter(visible=True)
    for dato in ("No encaja según el agente", "licitaciones", "modelo-a", "actividades.1", "Motivo hostil"):
        expect(panel).to_contain_text(dato)
    expect(panel).to_contain_text("encargada")
    nada_extrano(pagina)
    panel.get_by_role("button", name="Guardar la decisión").click()
    expect(panel.get_by_role("alert")).to_contain_text("Elige antes")
    panel.get_by_text("Duda", exact=True).click()
    panel.get_by_label("Motivo", exact=True).fill(
        "Habría que <b>preguntar</b> ![x](https://fuera.invalid/z.png)"
    )
    panel.get_by_role("button", name="Guardar la decisión").click()
    expect(panel).to_contain_text("Duda según una persona")
    expect(panel.get_by_role("row", name=re.compile("encargada"))).to_contain_text("<b>preguntar</b>")
    nada_extrano(pagina)
    with closing(conectar_lectura(web.datos / "licitaciones.db")) as con:
        dichas = [p for i in almacen.tratadas(con) for p in almacen.palabras(con, i)]
    assert [(p.veredicto.value, p.persona) for p in dichas] == [("duda", "encargada")]
    visor.abrir("/?decididas=1")
    expect(pagina.locator(FILAS)).to_have_count(1)
    expect(pagina.locator(FILAS)).to_contain_text("decidido por encargada: Habría que <b>preguntar")


def test_tambien_se_decide_lo_que_nadie_ha_juzgado(visor: Visor) -> None:
    pagina = _abrir_una(visor, "/?cpv=45")
    panel = pagina.get_by_role("tabpanel").filter(visible=True)
    expect(panel).to_contain_text("Nadie ha juzgado esta licitación")
    panel.get_by_text("No encaja", exact=True).click()
    panel.get_by_role("button", name="Guardar la decisión").click()
    expect(panel).to_contain_text("No encaja según una persona")
    expect(panel).to_contain_text("Ningún agente la ha juzgado")
