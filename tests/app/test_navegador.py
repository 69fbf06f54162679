"""A bid manager's first minutes in a real browser: find, filter, page, open, come back; nothing leaves here."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from playwright.sync_api import Page, expect

from nucleo.bd import conectar
from tests.app.conftest import Visor, Web
from tests.app.hostil import PERSONA, TEXTOS, nada_extrano
from tests.espera import esperar
from tests.radar.constructor import ident

pytestmark = pytest.mark.navegador

FILAS = "[class*=st-key-fila_]"
ENLACE = f"{FILAS} [data-testid=stPageLink-NavLink]"


def consulta(pagina: Page) -> dict[str, str]:
    return {k: v[0] for k, v in parse_qs(urlsplit(pagina.url).query).items()}


def esperar_consulta(pagina: Page, debida: dict[str, str]) -> None:
    """Until the link carries at least those parameters; {} means none at all."""

    def ya() -> bool:
        pagina.wait_for_timeout(20)  # lets the browser's events in; the deadline is esperar's
        puesta = consulta(pagina)
        return debida.items() <= puesta.items() if debida else not puesta

    esperar(ya, 15, lambda: f"{pagina.url} en vez de {debida}")


def buscar(pagina: Page, texto: str) -> None:
    pagina.get_by_label("Buscar").fill(texto)
    pagina.keyboard.press("Enter")


def test_se_encuentra_una_licitacion_por_una_palabra_sin_su_acento_y_se_abre(visor: Visor) -> None:
    pagina = visor.abrir("/")
    expect(pagina.get_by_role("heading", name="Oportunidades")).to_be_visible()
    expect(pagina.locator(FILAS)).to_have_count(50)
    buscar(pagina, "informatico villaejemplo")
    esperar_consulta(pagina, {"q": "informatico villaejemplo"})
    enlace = pagina.locator(ENLACE).filter(has_text="mantenimiento informático y soporte a usuarios")
    expect(enlace).to_have_count(1)
    enlace.click()
    expect(pagina.locator(".st-key-claves")).to_contain_text("PBL sin IVA")
    expect(pagina.get_by_role("heading", name=re.compile("mantenimiento informático"))).to_be_visible()
    esperar_consulta(pagina, {"vista": "licitacion", "id": ident(99000001)})
    pagina.get_by_role("link", name="Volver a la lista").click()
    esperar_consulta(pagina, {"q": "informatico villaejemplo"})
    expect(pagina.get_by_label("Buscar")).to_have_value("informatico villaejemplo")
    expect(pagina.locator(ENLACE).first).to_be_visible()


def test_atras_y_adelante_del_navegador_vuelven_a_lo_que_se_veia(visor: Visor) -> None:
    pagina = visor.abrir("/")
    buscar(pagina, "limpieza")
    esperar_consulta(pagina, {"q": "limpieza"})
    pagina.locator(ENLACE).filter(has_text=re.compile("limpieza", re.IGNORECASE)).first.click()
    esperar_consulta(pagina, {"vista": "licitacion"})
    expect(pagina.locator(".st-key-claves")).to_be_visible()
    pagina.go_back()
    expect(pagina.get_by_label("Buscar")).to_have_value("limpieza")
    pagina.go_back()
    expect(pagina.get_by_label("Buscar")).to_have_value("")
    expect(pagina.locator(FILAS)).to_have_count(50)
    pagina.go_forward()
    expect(pagina.get_by_label("Buscar")).to_have_value("limpieza")


def test_un_filtro_cambia_el_enlace_y_el_enlace_pone_los_filtros(visor: Visor) -> None:
    pagina = visor.abrir("/")
    resumen = pagina.locator(".st-key-resumen p").first
    expect(resumen).to_contain_text(re.compile(r"^\d+ licitaciones"))
    todas = resumen.inner_text()
    pagina.get_by_text("Solo en plazo").click()
    esperar_consulta(pagina, {"solo_abiertas": "1"})
    expect(resumen).not_to_have_text(todas)
    en_plazo = resumen.inner_text()
    pagina.get_by_label("Desde (€)").fill("100000")
    pagina.keyboard.press("Enter")
    esperar_consulta(pagina, {"solo_abiertas": "1", "importe_min": "100000"})
    expect(resumen).not_to_have_text(en_plazo)
    cuantas = resumen.inner_text()
    otra = pagina.context.new_page()
    otra.goto(pagina.url)
    expect(otra.locator(".st-key-resumen p").first).to_have_text(cuantas)
    expect(otra.get_by_label("Desde (€)")).to_have_value(re.compile("100000"))
    expect(otra.get_by_role("switch", name="Solo en plazo")).to_be_checked()
    pagina.get_by_role("button", name="Quitar filtros").click()
    esperar_consulta(pagina, {})
    expect(pagina.get_by_label("Desde (€)")).to_have_value("")


def test_una_rama_de_cpv_escrita_a_mano_filtra(visor: Visor) -> None:
    pagina = visor.abrir("/")
    pagina.get_by_role("combobox", name="CPV").click()
    pagina.keyboard.type("72260000")
    pagina.keyboard.press("Enter")
    esperar_consulta(pagina, {"cpv": "7226"})
    expect(pagina.locator(FILAS).first).to_contain_text("CPV 7226")


def test_se_pasa_pagina_hacia_delante_y_hacia_atras_sin_repetir(visor: Visor) -> None:
    pagina = visor.abrir("/?orden=actualizacion")
    expect(pagina.locator(ENLACE)).to_have_count(50)
    primeras = pagina.locator(ENLACE).evaluate_all("enlaces => enlaces.map(e => e.href)")
    pagina.locator(".st-key-paginador_arriba").get_by_text("Siguiente").click()
    expect(pagina.locator(".st-key-resumen")).to_contain_text("página 2")
    esperar_consulta(pagina, {"orden": "actualizacion", "pag": "2"})
    segundas = pagina.locator(ENLACE).evaluate_all("enlaces => enlaces.map(e => e.href)")
    assert segundas
    assert not set(primeras) & set(segundas)
    pagina.locator(".st-key-paginador_abajo").get_by_text("Anterior").click()
    expect(pagina.locator(".st-key-resumen")).to_contain_text("página 1")
    expect(pagina.locator(ENLACE)).to_have_count(50)
    assert pagina.locator(ENLACE).evaluate_all("enlaces => enlaces.map(e => e.href)") == primeras


def test_el_enlace_a_una_licitacion_la_abre_con_todas_sus_secciones(visor: Visor) -> None:
    pagina = visor.abrir(f"/?vista=licitacion&id={ident(99000001)}")
    for seccion in (
        "Lotes",
        "Criterios",
        "Documentos",
        "Resultado",
        "Versiones y cambios",
        "Avisos",
        "Procedencia",
    ):
        pagina.get_by_role("tab", name=re.compile(f"^{seccion}")).click()
        panel = pagina.get_by_role("tabpanel").filter(visible=True)
        expect(panel).to_contain_text("Fuente: Perfiles PLACSP (643)")
        expect(panel.get_by_role("link", name="Ver en la plataforma")).to_have_attribute(
            "href", re.compile(r"^https://contrataciondelestado\.es/")
        )
    pagina.get_by_role("tab", name=re.compile("^Versiones")).click()
    expect(pagina.get_by_role("tabpanel").filter(visible=True)).to_contain_text("Versión 1")


def test_lo_retirado_se_ve_con_su_aviso_y_lo_que_no_existe_se_dice(visor: Visor) -> None:
    pagina = visor.abrir("/?vista=licitacion&id=" + ident(99000011))
    expect(pagina.get_by_text("Retirada de la plataforma")).to_be_visible()
    visor.abrir("/?vista=licitacion&id=![no](https://fuera.invalid/x.png)")
    expect(pagina.locator("[data-testid=stAlert]")).to_contain_text(
        "No hay ninguna licitación «![no](https:\N{WORD JOINER}//fuera."
    )
    visor.abrir("/?desde=basura&cpv=xx")
    expect(pagina.locator(FILAS).first).to_be_visible()
    expect(pagina.locator("[data-testid=stAlert]").first).to_be_visible()


def test_el_texto_hostil_se_lee_entero_y_no_crea_nada(visor: Visor) -> None:
    pagina = visor.abrir("/?q=hostil")
    expect(pagina.locator(FILAS)).to_have_count(len(TEXTOS))
    nada_extrano(pagina)
    for n in range(len(TEXTOS)):
        visor.abrir("/?vista=licitacion&id=" + ident(900 + n))
        expect(pagina.get_by_role("heading", level=2).first).to_contain_text("hostil")
        for pestana in pagina.get_by_role("tab").all():
            pestana.click()
            nada_extrano(pagina)
        assert PERSONA not in pagina.content()


def test_en_un_telefono_nada_se_sale_por_los_lados(visor: Visor) -> None:
    visor.pagina.set_viewport_size({"width": 390, "height": 844})
    for ruta in ("/", f"/?vista=licitacion&id={ident(99000001)}"):
        pagina = visor.abrir(ruta)
        assert pagina.evaluate("document.documentElement.scrollWidth") <= 390
    expect(pagina.locator(".st-key-claves")).to_be_visible()


def test_la_salud_es_publica_y_escueta(web: Web) -> None:
    respuesta = httpx.get(f"{web.base}/api/salud")
    assert (respuesta.status_code, respuesta.json()) == (200, {"estado": "bien"})
    ajena = httpx.get(f"{web.base}/api/salud", headers={"host": "fuera.invalid"})
    assert ajena.status_code == 403


def test_el_registro_de_la_web_no_guarda_errores(visor: Visor, web: Web) -> None:
    visor.abrir("/?q=hostil")
    registro = (Path(web.datos) / "web.log").read_text("utf-8")
    assert "Traceback" not in registro


def test_lo_que_se_pide_para_concurrir_se_lee_en_la_ficha(visor: Visor) -> None:
    pagina = visor.abrir(f"/?vista=licitacion&id={ident(99000005)}")
    datos = pagina.get_by_role("tabpanel").filter(visible=True)
    expect(datos).to_contain_text("Provisional 7.700,00\N{NO-BREAK SPACE}€, Definitiva 5 %")
    expect(datos).to_contain_text("5 meses")
    pagina.get_by_role("tab", name="Criterios").click()
    expect(pagina.get_by_role("row", name=re.compile("Clasificación G4-3"))).to_be_visible()


def test_un_fallo_del_programa_se_dice_en_espanol_y_queda_anotado(visor: Visor, web: Web) -> None:
    """Last of the file: it leaves a traceback in the log, which no other test may do."""
    with closing(conectar(web.datos / "licitaciones.db")) as con:
        con.execute("UPDATE licitacion SET avisos = 'no es JSON' WHERE entrada_id = ?", (ident(99000005),))
    pagina = visor.abrir(f"/?vista=licitacion&id={ident(99000005)}")
    expect(pagina.get_by_role("alert")).to_contain_text("es un fallo del programa")
    expect(pagina.get_by_role("link", name="Volver a la lista")).to_be_visible()
    assert "JSONDecodeError" in (web.datos / "web.log").read_text("utf-8")
