"""Bandeja and runs in a real browser, while others work on the same runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from dominios.licitaciones import registro
from dominios.licitaciones.radar.almacen import guardar_pagina
from dominios.licitaciones.radar.procesar import procesar_pagina
from nucleo.bd import conectar, transaccion
from nucleo.recorridos.comandos import EJECUTOR, TipoComando
from nucleo.recorridos.estado import EstadoRecorrido, Situacion
from nucleo.recorridos.plan import Plan
from nucleo.reloj import reloj_del_sistema
from tests.app.conftest import Visor
from tests.app.hostil import TEXTOS, nada_extrano, pagina_hostil
from tests.app.obrador import BEA, GUIA, Obrador
from tests.app.planes import de_todo, guia, hostil, paso
from tests.app.servidor import QUIEN, Web, servida
from tests.radar.constructor import ident

pytestmark = pytest.mark.navegador

YO = QUIEN


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A server with a few tenders and, at first, no runs."""
    datos, ahora = tmp_path_factory.mktemp("datos"), reloj_del_sistema()
    with closing(conectar(registro.preparar(datos))) as con, transaccion(con):
        guardar_pagina(con, procesar_pagina(pagina_hostil(ahora), "hostil.atom"), ahora)
    with servida(datos) as servidor:
        yield servidor


@pytest.fixture(autouse=True)
def sin_prisa() -> Iterator[None]:
    """Drawing a graph takes a busy machine some seconds."""
    expect.set_options(timeout=20_000)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture(scope="module")
def obrador(web: Web) -> Obrador:
    return Obrador(web.datos)


def fila(pagina: Page, texto: str) -> Locator:
    return pagina.locator("[class*=st-key-fila_bandeja_]", has_text=texto)


def en_el_panel(pagina: Page, rol: str, nombre: str) -> Locator:
    return pagina.locator(".st-key-panel").get_by_role(rol, name=nombre)  # type: ignore[arg-type]


def paso_de_la_lista(pagina: Page, titulo: str) -> Locator:
    return pagina.locator("[class*=st-key-paso_]", has_text=titulo)


def abrir(visor: Visor, rid: str, paso_: str | None = None) -> Page:
    pagina = visor.abrir(f"/?vista=recorrido&id={rid}" + (f"&paso={paso_}" if paso_ else ""))
    expect(pagina.get_by_role("tab", name="Decidir")).to_be_visible()
    return pagina


def test_sin_nada_se_dice_que_saldra_aqui(visor: Visor) -> None:
    pagina = visor.abrir("/?vista=bandeja")
    expect(pagina.get_by_role("status")).to_contain_text("Nada espera por ti")
    pagina = visor.abrir("/?vista=recorridos")
    expect(pagina.get_by_role("status")).to_contain_text("Aún no hay ningún recorrido")


def test_de_la_bandeja_se_contesta_y_la_respuesta_queda_firmada(visor: Visor, obrador: Obrador) -> None:
    rid = obrador.crear(guia("Guía contestada"))
    pagina = visor.abrir("/?vista=bandeja")
    expect(fila(pagina, "Guía contestada")).to_contain_text("sin plazo")
    fila(pagina, "Guía contestada").get_by_role("link", name="¿A quién va dirigida la guía?").click()
    expect(pagina.get_by_text("La guía de bienvenida se reparte el primer día.")).to_be_visible()
    assert f"id={rid}" in pagina.url and "paso=elegir" in pagina.url
    en_el_panel(pagina, "button", "Responder").click()
    expect(pagina.get_by_role("alert")).to_contain_text("Público: hace falta")
    pagina.get_by_text("visitas", exact=True).click()
    pagina.get_by_label("Tono").fill("Cercano")
    en_el_panel(pagina, "button", "Responder").dblclick()
    expect(pagina.locator(".st-key-panel")).to_contain_text(f"{YO} respondió")
    expect(paso_de_la_lista(pagina, "Escribir el borrador")).to_contain_text("Omitido")
    expect(paso_de_la_lista(pagina, "Escribir el borrador")).to_contain_text("no elegido")
    recorrido = obrador.recorrido(rid)
    assert recorrido.pasos["elegir"].salidas == {"publico": "visitas", "tono": "Cercano"}
    assert (recorrido.pasos["elegir"].decidido_por, recorrido.revision) == (YO, 2)
    pagina.get_by_role("link", name="Volver a la bandeja").click()
    expect(pagina.get_by_role("heading", name="Bandeja")).to_be_visible()
    expect(fila(pagina, "Guía contestada")).to_have_count(0)


def test_lo_que_tiene_plazo_va_antes_y_lleva_a_su_licitacion(visor: Visor, obrador: Obrador) -> None:
    obrador.crear(guia("Guía sin plazo"))
    rid = obrador.crear(guia("Guía con plazo"), dominio="licitaciones", objeto_id=ident(900))
    pagina = visor.abrir("/?vista=bandeja")
    primera = pagina.locator("[class*=st-key-fila_bandeja_]").first
    expect(primera).to_contain_text("Guía con plazo")
    expect(primera).to_contain_text(re.compile("quedan (19|20) días"))
    primera.get_by_role("link", name="¿A quién va dirigida la guía?").click()
    expect(pagina.get_by_text(re.compile("vence el .*, 14:00"))).to_be_visible()
    assert rid in pagina.url
    pagina.get_by_role("link", name="Ver la licitación").click()
    expect(pagina.locator(".st-key-claves")).to_be_visible()


def test_lo_que_hacen_otros_se_ve_al_momento_y_lo_escrito_no_se_pierde(
    visor: Visor, obrador: Obrador
) -> None:
    rid = obrador.crear(de_todo("De todo, vivo"))
    pagina = abrir(visor, rid, "pedir")
    titulo = pagina.get_by_label("Titulo")
    titulo.press_sequentially("A medio escr")
    obrador.mandar(rid, GUIA, TipoComando.INICIAR, paso="buscar")
    expect(paso_de_la_lista(pagina, "Buscar ejemplos")).to_contain_text("En curso")
    expect(titulo).to_have_value("A medio escr")
    expect(titulo).to_be_focused()
    titulo.press_sequentially("ibir")
    pagina.get_by_label("Precio total").fill("1.234,50")
    pagina.get_by_label("Unidades").fill("3")
    pagina.get_by_text("Sí, mucha").click()
    pagina.get_by_label("Nombres").fill("Uno\nDos\n")
    pagina.get_by_label("Extra").fill('{"a": [1, true]}')
    pagina.get_by_role("spinbutton", name=re.compile("^day, Dia")).press_sequentially("24122026")
    en_el_panel(pagina, "button", "Responder").click()
    expect(pagina.locator(".st-key-panel")).to_contain_text(f"{YO} respondió")
    assert obrador.recorrido(rid).pasos["pedir"].salidas == {
        "titulo": "A medio escribir",
        "importe": "1234.50",
        "unidades": 3,
        "urgente": True,
        "dia": "2026-12-24",
        "nombres": ["Uno", "Dos"],
        "extra": {"a": [1, True]},
    }
    pagina.get_by_role("tab", name="Datos").click()
    expect(pagina.get_by_role("tabpanel").filter(visible=True)).to_contain_text("1.234,50\N{NO-BREAK SPACE}€")


def test_si_otra_persona_contesta_antes_se_dice_quien_y_lo_escrito_sigue(
    visor: Visor, obrador: Obrador
) -> None:
    rid = obrador.crear(guia("Guía a dos"))
    pagina = abrir(visor, rid, "elegir")
    pagina.get_by_text("visitas", exact=True).click()
    pagina.get_by_label("Tono").fill("El tono que yo quería")
    obrador.mandar(
        rid,
        BEA,
        TipoComando.RESPONDER,
        paso="elegir",
        salidas={"publico": "plantilla"},
        mensaje="Lo hablé con ellos",
    )
    aviso = pagina.get_by_role("alert").filter(has_text="Mientras lo mirabas")
    expect(aviso).to_contain_text("Bea Ficticia respondió el ")
    expect(aviso).to_contain_text("«Lo hablé con ellos»")
    expect(pagina.get_by_label("Tono")).to_have_value("El tono que yo quería")
    en_el_panel(pagina, "button", "Responder").click()
    expect(pagina.get_by_role("alert").filter(has_text="No se ha hecho")).to_contain_text("Bea Ficticia")
    expect(pagina.get_by_label("Tono")).to_have_value("El tono que yo quería")
    assert obrador.recorrido(rid).pasos["elegir"].salidas == {"publico": "plantilla"}
    pagina.get_by_role("button", name="Ver cómo está ahora").click()
    expect(pagina.get_by_label("Tono")).to_have_count(0)
    expect(pagina.locator(".st-key-panel")).to_contain_text("Nada que decidir aquí: Bea Ficticia respondió")


def test_dos_navegadores_a_la_vez(visor: Visor, obrador: Obrador) -> None:
    rid = obrador.crear(guia("Guía en dos navegadores"))
    una, otra = abrir(visor, rid, "elegir"), visor.pagina.context.new_page()
    otra.goto(una.url)
    for pagina, publico in ((otra, "plantilla"), (una, "visitas")):
        pagina.get_by_text(publico, exact=True).click()
    en_el_panel(otra, "button", "Responder").click()
    en_el_panel(una, "button", "Responder").click()
    expect(una.get_by_role("alert").filter(has_text=f"{YO} respondió")).to_be_visible()
    assert obrador.recorrido(rid).pasos["elegir"].salidas == {"publico": "plantilla"}


def test_se_rechaza_con_motivo_se_rehace_y_se_aprueba(visor: Visor, obrador: Obrador) -> None:
    rid = obrador.crear(guia("Guía que se rehace"))
    obrador.mandar(rid, BEA, TipoComando.RESPONDER, paso="elegir", salidas={"publico": "plantilla"})
    obrador.hacer(rid, "borrador", texto="Primer borrador")
    pagina = abrir(visor, rid)
    expect(pagina.get_by_role("heading", name="Revisar el borrador")).to_be_visible()
    expect(pagina.get_by_role("row", name="Primer borrador")).to_be_visible()
    en_el_panel(pagina, "button", "Rechazar").click()
    expect(pagina.get_by_role("alert")).to_contain_text("Di por qué se rechaza")
    pagina.get_by_label("Motivo (hace falta para rechazar)").fill("Falta el horario")
    en_el_panel(pagina, "button", "Rechazar").click()
    expect(paso_de_la_lista(pagina, "Escribir el borrador")).to_contain_text("Listo, sin empezar")
    assert obrador.recorrido(rid).pasos["revisar"].rehechos == 1
    obrador.hacer(rid, "borrador", texto="Segundo borrador")
    expect(pagina.get_by_role("row", name="Segundo borrador")).to_be_visible()
    expect(pagina.get_by_label("Motivo (hace falta para rechazar)")).to_have_value("")
    en_el_panel(pagina, "button", "Aprobar").click()
    expect(pagina.get_by_text("nadie tiene nada que hacer")).to_be_visible()
    assert obrador.recorrido(rid).estado is EstadoRecorrido.COMPLETADO
    pagina.get_by_text("Historia del recorrido").click()
    expect(pagina.get_by_role("row", name=re.compile("rechazó .* Falta el horario"))).to_be_visible()
    with pagina.expect_download() as bajada:
        pagina.get_by_role("button", name="Evidencia (JSON)").click()
    assert "Falta el horario" in bajada.value.path().read_text("utf-8")


def con_despedida() -> Plan:
    plan = json.loads(guia("Guía con plan nuevo").model_dump_json())
    for uno in plan["pasos"]:
        if uno["id"] == "avisar":
            uno["titulo"] = "Avisar también a seguridad"
        if uno["id"] == "fin":
            uno["dependencias"] = ["despedir"]
    plan["pasos"].insert(-1, paso("despedir", "manual", "juntar", titulo="Despedirse"))
    return Plan.model_validate_json(json.dumps(plan))


def test_un_plan_propuesto_se_compara_y_se_acepta(visor: Visor, obrador: Obrador) -> None:
    rid = obrador.crear(guia("Guía con plan nuevo"))
    pagina = abrir(visor, rid, "elegir")
    pagina.get_by_label("Tono").fill("A medias")
    obrador.mandar(
        rid,
        GUIA,
        TipoComando.PROPONER_PLAN,
        revision=1,
        mensaje="Falta despedirse",
        plan=con_despedida(),
    )
    propuesta = pagina.locator(".st-key-propuesta")
    expect(propuesta).to_contain_text("«Falta despedirse»")
    expect(propuesta.get_by_role("row", name=re.compile("Nuevo.*Despedirse"))).to_be_visible()
    cambio = propuesta.get_by_role("row", name=re.compile("Cambia.*título"))
    expect(cambio).to_contain_text("Avisar a recepción")
    expect(cambio).to_contain_text("Avisar también a seguridad")
    expect(pagina.get_by_label("Tono")).to_have_value("A medias")
    propuesta.get_by_role("button", name="Aceptar el plan").click()
    expect(paso_de_la_lista(pagina, "Despedirse")).to_be_visible()
    recorrido = obrador.recorrido(rid)
    assert (recorrido.plan_version, recorrido.estado) == (2, EstadoRecorrido.ACTIVO)


def test_un_paso_dudoso_se_repite_solo_diciendo_que_se_comprobo(visor: Visor, obrador: Obrador) -> None:
    rid = obrador.crear(de_todo("De todo, con dudas"))
    obrador.dejar_en_duda(rid, "buscar")
    pagina = visor.abrir("/?vista=bandeja")
    duda = fila(pagina, "De todo, con dudas").filter(has_text="Paso dudoso")
    duda.get_by_role("link").click()
    expect(pagina.get_by_text("puede haber empezado, o incluso terminado")).to_be_visible()
    expect(pagina.locator(".st-key-panel")).to_contain_text("comprueba qué hizo «guia»")
    repetir = pagina.get_by_role("button", name="He comprobado que no se hizo: repetirlo")
    repetir.click()
    expect(pagina.get_by_role("alert").filter(has_text="Di qué has comprobado")).to_be_visible()
    pagina.get_by_label("Qué has comprobado").fill("Pregunté y no había empezado")
    repetir.click()
    expect(paso_de_la_lista(pagina, "Buscar ejemplos")).to_contain_text("Listo, sin empezar")
    assert obrador.recorrido(rid).pasos["buscar"].estado is Situacion.LISTO
    pagina.get_by_role("tab", name="Intentos").click()
    expect(pagina.get_by_role("tabpanel").filter(visible=True)).to_contain_text("Abandonado")


def test_un_aviso_incierto_se_reconcilia(visor: Visor, obrador: Obrador) -> None:
    rid = obrador.crear(de_todo("De todo, con aviso"), EJECUTOR)
    obrador.entrega_incierta(rid)
    pagina = visor.abrir("/?vista=bandeja")
    fila(pagina, "De todo, con aviso").filter(has_text="Aviso incierto").get_by_role("link").click()
    expect(pagina.get_by_text("puede haber llegado")).to_be_visible()
    pagina.get_by_label("Qué has comprobado").fill("Prefect no lo tiene")
    pagina.get_by_role("button", name="No llegó: que se envíe otra vez").click()
    expect(pagina.get_by_text("puede haber llegado")).to_have_count(0)


def test_se_dispensa_se_pausa_se_reanuda_y_se_cancela(visor: Visor, obrador: Obrador) -> None:
    rid = obrador.crear(de_todo("De todo, mandado"))
    hijo = obrador.crear(guia("Hija de todo"), padre=rid, motivo="Sale de aquí")
    pagina = abrir(visor, rid, "buscar")
    pagina.get_by_text("Dispensar este paso").click()
    pagina.get_by_label("Por qué se puede seguir sin él").fill("Ya los tenemos")
    en_el_panel(pagina, "button", "Dispensar").click()
    expect(pagina.locator(".st-key-panel")).to_contain_text(f"{YO} dispensó el paso")
    expect(paso_de_la_lista(pagina, "Buscar ejemplos")).to_contain_text("Dispensado")
    pagina.get_by_role("button", name="Pausar").click()
    pagina.get_by_role("button", name="Reanudar").click()
    expect(pagina.get_by_role("button", name="Pausar")).to_be_visible()
    pagina.get_by_role("button", name="Cancelar el recorrido").click()
    pagina.get_by_label("Por qué", exact=True).fill("Ya no hace falta")
    pagina.get_by_role("button", name="Cancelar para siempre").click()
    expect(pagina.get_by_role("button", name="Archivar")).to_be_visible()
    assert obrador.recorrido(rid).estado is EstadoRecorrido.CANCELADO
    pagina.get_by_role("link", name="De aquí salió: Hija de todo").click()
    expect(pagina.get_by_role("heading", name="Hija de todo")).to_be_visible()
    assert hijo in pagina.url
    expect(pagina.get_by_role("link", name="Viene de: De todo, mandado")).to_be_visible()


def test_una_persona_trae_un_fichero_con_su_respuesta(visor: Visor, obrador: Obrador, tmp_path: Path) -> None:
    rid = obrador.crear(de_todo("De todo, con fichero"))
    fichero = tmp_path / "prueba.txt"
    fichero.write_text("Contenido de prueba", encoding="utf-8")
    pagina = abrir(visor, rid, "pedir")
    pagina.get_by_label("Titulo").fill("Con fichero")
    pagina.get_by_label("Precio total").fill("1.234")
    pagina.get_by_label("Unidades").fill("3")
    pagina.get_by_text("No, ninguna").click()
    pagina.locator("input[type=file]").set_input_files(fichero)
    expect(pagina.get_by_text("prueba.txt")).to_be_visible()
    en_el_panel(pagina, "button", "Responder").click()
    expect(pagina.get_by_role("alert")).to_contain_text("se puede leer de dos maneras")
    assert obrador.recorrido(rid).revision == 1
    pagina.get_by_label("Precio total").fill("1234")
    en_el_panel(pagina, "button", "Responder").click()
    expect(pagina.locator(".st-key-panel")).to_contain_text(f"{YO} respondió")
    salidas = obrador.recorrido(rid).pasos["pedir"].salidas or {}
    assert obrador.abrir(str(salidas["prueba"])) == b"Contenido de prueba"
    pagina.get_by_role("tab", name="Artefactos").click()
    pagina.get_by_role("tab", name="Código").click()
    expect(pagina.get_by_text("Contenido de prueba")).to_be_visible()
    with pagina.expect_download() as bajada:
        pagina.get_by_role("button", name="Descargar").click()
    assert bajada.value.path().read_bytes() == b"Contenido de prueba"


def test_los_textos_de_un_plan_no_son_mas_que_texto(visor: Visor, obrador: Obrador) -> None:
    rid = obrador.crear(hostil(TEXTOS))
    pagina = abrir(visor, rid)
    expect(pagina.locator(".st-key-grafo img")).to_be_visible()
    assert "hostil" in (pagina.locator(".st-key-grafo img").get_attribute("alt") or "")
    nada_extrano(pagina)
    for pestana in ("Datos", "Actividad", "Intentos", "Artefactos"):
        pagina.get_by_role("tab", name=pestana).click()
        nada_extrano(pagina)
    visor.abrir("/?vista=bandeja")
    expect(fila(pagina, "hostil")).to_be_visible()
    nada_extrano(pagina)
    visor.abrir("/?vista=recorridos&texto=hostil")
    expect(pagina.locator("[class*=st-key-fila_rec]")).to_have_count(1)
    nada_extrano(pagina)


def test_un_enlace_a_lo_que_no_hay_se_dice(visor: Visor, obrador: Obrador) -> None:
    rid = obrador.crear(guia("Guía enlazada"))
    pagina = visor.abrir("/?vista=recorrido&id=rec_no_hay")
    expect(pagina.get_by_role("alert").first).to_contain_text("rec_no_hay")
    visor.abrir(f"/?vista=recorrido&id={rid}&paso=no_hay")
    expect(pagina.get_by_role("alert").first).to_contain_text("No hay ningún paso «no_hay»")
    visor.abrir("/?vista=recorridos&estado=cancelado,activo&texto=enlazada")
    expect(pagina.locator("[class*=st-key-fila_rec]")).to_have_count(1)
    expect(pagina.get_by_label("Título")).to_have_value("enlazada")


def test_todo_cabe_en_un_telefono(visor: Visor, obrador: Obrador) -> None:
    rid = obrador.crear(de_todo("De todo, en un teléfono"))
    obrador.dejar_en_duda(rid, "buscar")
    visor.pagina.set_viewport_size({"width": 390, "height": 844})
    for ruta in ("/?vista=bandeja", "/?vista=recorridos"):
        pagina = visor.abrir(ruta)
        expect(pagina.get_by_text("De todo, en un teléfono").first).to_be_visible()
        assert pagina.evaluate("document.documentElement.scrollWidth") <= 390, ruta
    for cual in ("pedir", "buscar"):
        pagina = abrir(visor, rid, cual)
        expect(pagina.locator(".st-key-grafo img")).to_be_visible()
        for pestana in ("Datos", "Actividad", "Intentos", "Artefactos", "Decidir"):
            pagina.get_by_role("tab", name=pestana).click()
            assert pagina.evaluate("document.documentElement.scrollWidth") <= 390, (cual, pestana)
