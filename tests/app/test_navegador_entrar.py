"""Logging in, what each role sees, and that a screen never outlives the session of who was looking at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from app.entrar.galletas import NOMBRE
from nucleo import registro
from nucleo.bd import conectar
from nucleo.personas import administrar
from nucleo.personas.modelo import Rol
from nucleo.reloj import reloj_del_sistema
from tests.app.servidor import CLAVE, Web, con_sesion

pytestmark = pytest.mark.navegador
PRIMERA = "[class*=st-key-fila_]"
ESPERA_MS = 20_000


@pytest.fixture
def ventana(navegador: Browser, web: Web) -> Iterator[BrowserContext]:
    """A browser where nobody has logged in."""
    con_sesion(web.datos, "mirona", Rol.LECTOR)
    contexto = navegador.new_context(viewport={"width": 1280, "height": 900}, locale="es-ES")
    contexto.set_default_timeout(ESPERA_MS)
    yield contexto
    contexto.close()


def entrar(pagina: Page, usuario: str, clave: str = CLAVE) -> None:
    """Fill in the form that is on the screen."""
    pagina.get_by_label("Usuario").fill(usuario)
    pagina.get_by_label("Contraseña").fill(clave)
    pagina.get_by_role("button", name="Entrar").click()


def test_se_entra_se_mira_y_se_sale(ventana: BrowserContext, web: Web) -> None:
    pagina, errores = ventana.new_page(), list[str]()
    pagina.on("console", lambda m: errores.append(m.text) if m.type == "error" else None)
    pagina.goto(f"{web.base}/?vista=cola")
    entrar(pagina, "mirona", "no-es-su-clave-de-verdad")
    expect(pagina.get_by_role("alert")).to_be_visible()
    entrar(pagina, "mirona")
    expect(pagina.get_by_role("heading", name="Cola de IA")).to_be_visible()  # where the link was going
    barra = pagina.locator(".st-key-navegacion")
    expect(barra).to_contain_text("Persona mirona · lector")
    for vedado in ("Usuarios", "Agentes"):
        expect(barra.get_by_role("link", name=vedado)).to_have_count(0)
    assert [
        e for e in errores if "401" not in e
    ] == []  # the answer to the wrong password, which browsers log
    pagina.get_by_role("button", name="Salir").click()
    pagina.wait_for_url(f"{web.base}/entrar")
    pagina.goto(web.base)
    expect(pagina.get_by_label("Usuario")).to_be_visible()
    assert NOMBRE not in {c["name"] for c in ventana.cookies()}


def test_quien_lee_no_cambia_nada_ni_ve_lo_de_administrar(web: Web, navegador: Browser) -> None:
    contexto = web.contexto(navegador, con_sesion(web.datos, "mirona", Rol.LECTOR))
    pagina = contexto.new_page()
    for vista in ("usuarios", "agentes"):
        pagina.goto(f"{web.base}/?vista={vista}")
        expect(pagina.get_by_text("hace falta ser")).to_be_visible(timeout=ESPERA_MS)
        expect(pagina.get_by_text("sistema", exact=True)).to_have_count(0)
    pagina.goto(f"{web.base}/?vista=cola")
    pagina.get_by_role("button", name="Pausar toda la cola").click(timeout=ESPERA_MS)
    expect(pagina.get_by_text("Tu cuenta es de lector")).to_be_visible(timeout=ESPERA_MS)
    contexto.close()


def test_lo_que_hay_en_pantalla_se_borra_al_cerrar_la_sesion_desde_fuera(
    web: Web, navegador: Browser
) -> None:
    sesion = con_sesion(web.datos, "otra", Rol.EDITOR)
    contexto = web.contexto(navegador, sesion)
    pagina = contexto.new_page()
    pagina.goto(web.base)
    expect(pagina.locator(PRIMERA).first).to_be_visible(timeout=ESPERA_MS)
    with closing(conectar(web.datos / registro.FICHERO)) as con:
        administrar.revocar_todas(con, "otra", "pruebas", reloj_del_sistema())
    expect(pagina.get_by_text("Sesión cerrada")).to_be_visible(timeout=ESPERA_MS)
    expect(pagina.locator(PRIMERA)).to_have_count(0)
    contexto.close()


def test_salir_en_una_pestana_borra_las_demas(web: Web, navegador: Browser) -> None:
    contexto = web.contexto(navegador, con_sesion(web.datos, "otra", Rol.EDITOR))
    una, otra = contexto.new_page(), contexto.new_page()
    for pagina in (una, otra):
        pagina.goto(web.base)
        expect(pagina.locator(PRIMERA).first).to_be_visible(timeout=ESPERA_MS)
    una.get_by_role("button", name="Salir").click()
    expect(otra.get_by_text("Sesión cerrada")).to_be_visible(timeout=ESPERA_MS)
    expect(otra.locator(PRIMERA)).to_have_count(0)
    contexto.close()


def test_quien_llega_despues_a_la_misma_pestana_no_ve_nada_de_quien_se_fue(
    web: Web, navegador: Browser
) -> None:
    """Streamlit takes a tab that reconnects for the same visitor, whoever's cookie it brings."""
    contexto = web.contexto(navegador, con_sesion(web.datos, "otra", Rol.EDITOR))
    pagina = contexto.new_page()
    pagina.goto(web.base)
    buscador = pagina.get_by_label("Buscar")
    buscador.fill("secreto de otra persona")
    buscador.press("Enter")
    expect(pagina.get_by_text("Persona otra · editor")).to_be_visible(timeout=ESPERA_MS)
    contexto.add_cookies(
        [{"name": NOMBRE, "value": con_sesion(web.datos, "mirona", Rol.LECTOR), "url": web.base}]
    )
    with closing(conectar(web.datos / registro.FICHERO)) as con:
        administrar.revocar_todas(con, "otra", "pruebas", reloj_del_sistema())
    expect(pagina.get_by_text("Persona mirona · lector")).to_be_visible(timeout=ESPERA_MS)
    expect(pagina.get_by_text("Persona otra")).to_have_count(0)
    contexto.close()
