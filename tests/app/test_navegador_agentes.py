"""The record of calls and the queue in a real browser: search, page, understand why a job waits, and act on it."""

from __future__ import annotations

import re
from contextlib import closing
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from app.paginas.agentes import leer_filtro
from nucleo.agentes.modelo import Desenlace
from nucleo.bd import conectar_lectura
from nucleo.cola import servicio
from nucleo.cola.modelo import EstadoTrabajo, Trabajo
from nucleo.reloj import reloj_del_sistema
from tests.app.conftest import Visor, Web
from tests.app.hostil import TEXTOS, nada_extrano

pytestmark = pytest.mark.navegador

LLAMADAS = ".st-key-llamadas tbody tr"
ESPERAN = ".st-key-lista_esperan [class*=st-key-fila_]"


def trabajo(web: Web, numero: int) -> Trabajo:
    with closing(conectar_lectura(web.datos / "nucleo.db")) as con:
        return servicio.trabajo(con, numero)


def test_el_registro_se_busca_se_pasa_de_pagina_y_cabe_en_un_enlace(visor: Visor) -> None:
    pagina = visor.abrir("/?vista=agentes")
    expect(pagina.locator(LLAMADAS)).to_have_count(50)
    nada_extrano(pagina)
    primera = pagina.locator(LLAMADAS).all_inner_texts()
    pagina.get_by_role("link", name="Más antiguas").click()
    expect(pagina.get_by_role("link", name="Las más nuevas")).to_be_visible()
    expect(pagina.locator(LLAMADAS)).to_have_count(13)
    assert not set(primera) & set(pagina.locator(LLAMADAS).all_inner_texts())
    pagina.get_by_label("Texto").fill("</B> 1")
    pagina.keyboard.press("Enter")
    expect(pagina.locator(LLAMADAS)).to_have_count(3)
    otra = pagina.context.new_page()
    otra.goto(pagina.url)
    expect(otra.locator(LLAMADAS)).to_have_count(3)
    expect(otra.get_by_label("Texto")).to_have_value("</B> 1")


@pytest.mark.parametrize(
    ("filtro", "cuantas"),
    [
        ("desenlace=rechazo", 1),
        ("herramienta=criba_proponer", 1),
        ("agente=licitaciones&herramienta=criba_lote", 2),
        ("herramienta=licitaciones_buscar&texto=Título", 12),
        ("desde={manana}", 0),
        ("hasta={ayer}", 0),
        ("desde={ayer}&hasta={manana}&herramienta=criba_lote", 2),
    ],
)
def test_cada_filtro_del_enlace_se_aplica(visor: Visor, filtro: str, cuantas: int) -> None:
    ahora = reloj_del_sistema()
    dias = {n: (ahora + timedelta(days=d)).date() for n, d in (("ayer", -1), ("manana", 1))}
    pagina = visor.abrir("/?vista=agentes&" + filtro.format(**dias))
    if cuantas:
        expect(pagina.locator(LLAMADAS)).to_have_count(cuantas)
    else:
        expect(pagina.get_by_text("Ninguna llamada cumple todo eso.")).to_be_visible()


def test_un_enlace_con_basura_se_dice_y_no_se_aplica() -> None:
    basura = {"desenlace": "<b>", "desde": "ayer", "hasta": "9999-12-31", "n": "-1", "agente": "licitaciones"}
    filtro, malos = leer_filtro(basura)
    assert (filtro.agente, filtro.desenlace, filtro.desde, filtro.hasta_id) == (
        "licitaciones",
        None,
        None,
        None,
    )
    assert set(malos) == {"desenlace", "desde", "hasta", "n"}
    assert leer_filtro({"desenlace": "fallo"})[0].desenlace is Desenlace.FALLO


def test_la_cola_dice_por_que_espera_y_como_configurar_hermes(visor: Visor) -> None:
    pagina = visor.abrir("/?vista=cola")
    expect(pagina.get_by_role("status")).to_contain_text("No hay ningún Hermes configurado")
    expect(pagina.locator(ESPERAN)).to_have_count(len(TEXTOS))
    expect(pagina.locator(ESPERAN).first).to_contain_text("No hay un Hermes configurado para el perfil")
    _solo_codigo_nuestro(pagina)
    expect(pagina.get_by_role("row", name=re.compile("criba"))).to_contain_text("0,0123")


def _solo_codigo_nuestro(pagina: Page) -> None:
    """The instructions have code of ours; the jobs' own words must make none, nor anything else."""
    expect(pagina.locator(f"{ESPERAN} :is(code, img, b, del, script, blockquote, h1)")).to_have_count(0)
    expect(pagina.locator("img[src*=invalid], .stMain a[href*='//fuera']")).to_have_count(0)


def test_una_persona_cambia_la_clase_cancela_y_reintenta(visor: Visor, web: Web) -> None:
    pagina = visor.abrir("/?vista=cola")
    pagina.locator(f"{ESPERAN} [data-testid=stPageLink-NavLink]").nth(1).click()
    expect(pagina.get_by_role("heading", name=re.compile("^Trabajo 3 · criba"))).to_be_visible()
    nada_extrano(pagina)
    pagina.get_by_label("Clase", exact=True).fill("5")
    pagina.keyboard.press("Enter")
    pagina.get_by_role("button", name="Cambiar la clase").click()
    expect(pagina.get_by_role("row", name=re.compile("la menor va antes"))).to_contain_text("5")
    assert trabajo(web, 3).clase == 5
    pagina.get_by_role("button", name="Cancelar el trabajo").click()
    expect(pagina.get_by_role("button", name="Reintentar")).to_be_visible()
    assert trabajo(web, 3).estado is EstadoTrabajo.CANCELADO
    pagina.get_by_role("button", name="Reintentar").click()
    expect(pagina.get_by_role("button", name="Cancelar el trabajo")).to_be_visible()
    assert trabajo(web, 3).estado is EstadoTrabajo.PENDIENTE
    pagina.get_by_role("link", name="Volver a la cola").click()
    expect(pagina.locator(ESPERAN).first).to_contain_text("3 · criba")


def test_se_pausa_toda_la_cola_y_se_reanuda(visor: Visor, web: Web) -> None:
    pagina = visor.abrir("/?vista=cola")
    pagina.get_by_role("button", name="Pausar toda la cola").click()
    expect(pagina.get_by_text("Una persona ha pausado la cola.")).to_be_visible()
    pagina.get_by_role("button", name="Reanudar").click()
    expect(pagina.get_by_role("button", name="Pausar toda la cola")).to_be_visible()


def test_un_trabajo_que_no_existe_se_dice(visor: Visor) -> None:
    pagina = visor.abrir("/?vista=cola&id=999")
    expect(pagina.get_by_role("alert").first).to_contain_text("No hay ningún trabajo 999")
    visor.abrir("/?vista=cola&id=![x](https://fuera.invalid/a.png)")
    expect(pagina.get_by_role("alert").first).to_contain_text("no es el número de un trabajo")


def test_de_una_vista_a_otra_con_los_enlaces_de_arriba_y_todas_caben_en_un_telefono(visor: Visor) -> None:
    pagina = visor.abrir("/?q=limpieza")
    expect(pagina.locator(".st-key-lista")).to_be_visible()
    for enlace, titulo in (
        ("Perfil", "Perfil de la empresa"),
        ("Agentes", "Agentes"),
        ("Cola de IA", "Cola de IA"),
    ):
        pagina.locator(".st-key-navegacion").get_by_role("link", name=enlace).click()
        expect(pagina.get_by_role("heading", name=titulo, exact=True)).to_be_visible()
    pagina.locator(".st-key-navegacion").get_by_role("link", name="Oportunidades").click()
    expect(pagina.get_by_label("Buscar")).to_have_value("limpieza")
    pagina.set_viewport_size({"width": 390, "height": 844})
    for ruta in ("/?vista=perfil", "/?vista=agentes", "/?vista=cola", "/?vista=cola&id=1"):
        visor.abrir(ruta)
        assert pagina.evaluate("document.documentElement.scrollWidth") <= 390, ruta


def test_cada_intento_dice_que_modelo_lo_hizo(visor: Visor) -> None:
    pagina = visor.abrir("/?vista=cola&id=1")
    expect(pagina.get_by_role("row", name=re.compile("hecho licitaciones"))).to_contain_text("modelo-a")
