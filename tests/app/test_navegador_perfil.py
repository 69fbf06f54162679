"""The company's profile in a real browser: fields, versions, what is missing, and two tabs that edit at once."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dominios.licitaciones.criba.fallos.servicio import fallos
from nucleo.bd import conectar_lectura
from nucleo.empresa import servicio
from nucleo.empresa.almacen import PerfilGuardado
from nucleo.empresa.yaml import importar
from tests.app.conftest import Visor, Web
from tests.app.hostil import TEXTOS, nada_extrano
from tests.criba.taller import EMPRESA
from tests.espera import esperar

pytestmark = pytest.mark.navegador

GUARDAR = "Guardar como versión nueva"


def vigente(web: Web) -> PerfilGuardado:
    with closing(conectar_lectura(web.datos / "nucleo.db")) as con:
        return servicio.vigente(con)


def cabecera(pagina: Page, version: int) -> None:
    expect(pagina.locator(".st-key-vista [data-testid=stCaptionContainer]").first).to_contain_text(
        f"Versión {version}, "
    )


def test_guardar_sin_tocar_nada_deja_el_mismo_perfil(visor: Visor, web: Web) -> None:
    pagina = visor.abrir("/?vista=perfil")
    antes = vigente(web)
    assert antes.empresa == importar(EMPRESA)
    pagina.get_by_role("button", name=GUARDAR).click()
    expect(pagina.get_by_text(f"Nada cambia: sigue la versión {antes.cabecera.version}.")).to_be_visible()
    assert vigente(web) == antes


def test_un_campo_cambia_y_queda_como_version_con_su_nota(visor: Visor, web: Web) -> None:
    pagina = visor.abrir("/?vista=perfil")
    antes = vigente(web).cabecera.version
    pagina.get_by_label("Qué hace además").fill("Formación\n" + TEXTOS[0])
    pagina.get_by_label("Nota del cambio").first.fill("Prueba " + TEXTOS[0])
    pagina.get_by_role("button", name=GUARDAR).click()
    cabecera(pagina, antes + 1)
    despues = vigente(web)
    assert despues.empresa.ademas == ("Formación", TEXTOS[0])
    assert (despues.cabecera.autor, despues.cabecera.nota) == ("encargada", "Prueba " + TEXTOS[0])
    pagina.get_by_role("tab", name=re.compile("^Versiones")).click()
    expect(pagina.get_by_role("row", name=re.compile("Prueba hostil"))).to_be_visible()
    nada_extrano(pagina)


def test_una_fila_se_escribe_con_el_teclado_y_se_guarda(visor: Visor, web: Web) -> None:
    pagina = visor.abrir("/?vista=perfil")
    antes = vigente(web)
    rivales = pagina.locator("[data-testid=stDataFrame]").last
    rivales.scroll_into_view_if_needed()
    casilla = pagina.locator(".gdg-input")

    def abierta() -> bool:  # a grid that is being drawn again lets a click go by
        rivales.locator(".dvn-scroller").click(position={"x": 100, "y": 52})
        pagina.keyboard.press("Enter")
        pagina.wait_for_timeout(500)
        return casilla.count() == 1

    esperar(abierta, 30, lambda: "la casilla no se abre")
    casilla.fill("Otro Rival Imaginario")
    casilla.press("Enter")
    expect(casilla).to_have_count(0)

    def guardado() -> bool:  # the grid tells the page a moment after the cell is closed
        pagina.get_by_role("button", name=GUARDAR).click()
        pagina.wait_for_timeout(200)
        return vigente(web).empresa.rivales[0].nombre == "Otro Rival Imaginario"

    esperar(guardado, 30, lambda: "la fila escrita no llega a guardarse")
    (rival,) = vigente(web).empresa.rivales
    assert rival.nif == antes.empresa.rivales[0].nif


def test_lo_que_no_vale_se_dice_por_su_nombre_y_no_se_guarda(visor: Visor, web: Web) -> None:
    pagina = visor.abrir("/?vista=perfil")
    antes = vigente(web)
    pagina.get_by_label("NIF", exact=True).fill("B00000000")
    pagina.get_by_label("Ramas de CPV").fill("72\n99")
    pagina.get_by_role("button", name=GUARDAR).click()
    aviso = pagina.get_by_role("alert").filter(has_text="No se ha guardado")
    expect(aviso).to_contain_text("NIF: «B00000000» no es un NIF")
    expect(aviso).to_contain_text("Ramas de CPV")
    assert vigente(web) == antes


def test_una_pestana_vieja_no_pisa_lo_nuevo(visor: Visor, web: Web) -> None:
    vieja = visor.abrir("/?vista=perfil")
    nueva = vieja.context.new_page()
    nueva.goto(vieja.url)
    nueva.get_by_label("Nombre comercial").fill("Desde la nueva")
    nueva.get_by_role("button", name=GUARDAR).click()
    version = vigente_tras(nueva, web, "Desde la nueva")
    vieja.get_by_label("Nombre comercial").fill("Desde la vieja")
    vieja.get_by_role("button", name=GUARDAR).click()
    expect(vieja.get_by_role("alert").filter(has_text="No se ha guardado")).to_contain_text(
        f"mientras tanto se ha dejado la {version}, de encargada"
    )
    # While Streamlit redraws, the field that goes and the one that comes stand side by side.
    expect(vieja.get_by_label("Nombre comercial").last).to_have_value("Desde la vieja")
    assert vigente(web).empresa.nombre_comercial == "Desde la nueva"
    vieja.get_by_role("button", name=f"Ver la versión {version}").click()
    expect(vieja.get_by_label("Nombre comercial").last).to_have_value("Desde la nueva")


def vigente_tras(pagina: Page, web: Web, comercial: str) -> int:
    expect(pagina.get_by_text("Guardada la versión")).to_be_visible()
    perfil = vigente(web)
    assert perfil.empresa.nombre_comercial == comercial
    return perfil.cabecera.version


def test_se_exporta_y_se_importa_en_yaml(visor: Visor, web: Web, tmp_path: Path) -> None:
    pagina = visor.abrir("/?vista=perfil")
    pagina.get_by_role("tab", name="YAML").click()
    with pagina.expect_download() as bajada:
        pagina.get_by_role("button", name="Descargar empresa.yaml").click()
    assert importar(Path(bajada.value.path()).read_text("utf-8")) == vigente(web).empresa
    version = vigente(web).cabecera.version
    _subir(pagina, tmp_path / "malo.yaml", "nombre: Empresa Ficticia, S.L.\nnif: nada\n")
    expect(pagina.get_by_role("alert").filter(has_text="línea 2")).to_be_visible()
    _subir(pagina, tmp_path / "bueno.yaml", "nombre: Empresa Ficticia, S.L.\nnif: B12345674\n")
    cabecera(pagina, version + 1)
    pagina.get_by_role("tab", name=re.compile("^Qué falta")).click()
    falta = pagina.get_by_role("tabpanel").filter(visible=True)
    expect(falta).to_contain_text("No dice qué hace la empresa.")
    expect(falta).to_contain_text("Solvencia económica (art. 87)")


def _subir(pagina: Page, fichero: Path, texto: str) -> None:
    fichero.write_text(texto, encoding="utf-8")
    pagina.locator("input[type=file]").set_input_files(fichero)
    expect(pagina.get_by_text(fichero.name)).to_be_visible()
    pagina.get_by_role("button", name="Importar como versión nueva").click()


def test_lo_que_se_escapo_propone_un_cambio_y_una_persona_lo_atiende(visor: Visor, web: Web) -> None:
    pagina = visor.abrir("/?vista=perfil")
    expect(pagina.locator(".st-key-vista [data-testid=stCaptionContainer]").first).to_contain_text(
        "se escaparon 2"
    )
    pagina.get_by_role("tab", name="Lo que se escapó").click()
    primera = pagina.locator(".st-key-escapadas [class*=st-key-escapada_]").first
    expect(primera).to_contain_text("la descartó el agente de la criba")
    expect(primera.get_by_role("listitem")).to_contain_text("ademas: añadir «hostil <img")
    nada_extrano(pagina)
    primera.get_by_role("button", name="Dar por atendida").click()
    expect(pagina.get_by_text("Atendida por encargada")).to_be_visible()
    expect(pagina.get_by_role("button", name="Dar por atendida")).to_have_count(1)
    with closing(conectar_lectura(web.datos / "licitaciones.db")) as con:
        assert sorted((f.persona or "") for f in fallos(con)) == ["", "encargada"]
