"""Files written by somebody else, looked at in a real browser: they can do nothing to the page nor reach anything."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from nucleo.recorridos.comandos import TipoComando
from tests.app.conftest import Visor
from tests.app.obrador import BEA, GUIA, Obrador
from tests.app.planes import guia
from tests.app.servidor import Web, servida
from tests.espera import esperar

pytestmark = pytest.mark.navegador

GUION = """
  const decir = (que) => { try { fetch(`%(fuera)s/${que}`, {mode: 'no-cors'}) } catch (e) {} };
  try { window.parent.document.title = 'TOMADA' } catch (e) {}
  try { window.top.document.body.innerHTML = 'TOMADA' } catch (e) {}
  decir('guion');
  new Image().src = '%(fuera)s/imagen-de-guion';
  try { alert('TOMADA') } catch (e) {}
  try { window.open('%(fuera)s/ventana') } catch (e) {}
  setTimeout(() => { try { window.top.location = '%(fuera)s/arriba' } catch (e) {} }, 50);
"""
HTML = (
    """<!doctype html><html><head><title>Malo</title>
<base href="%(fuera)s/">
<meta http-equiv="refresh" content="0; url=%(fuera)s/refresco">
<link rel="stylesheet" href="%(fuera)s/hoja"><link rel="prefetch" href="%(fuera)s/antes">
<style>@import url('%(fuera)s/importada'); body { background: url('%(fuera)s/fondo') }</style>
</head><body onload="decir('onload')">
<h1>Contenido del fichero</h1>
<img src="%(fuera)s/imagen" onerror="decir('onerror')">
<iframe src="%(fuera)s/marco"></iframe><object data="%(fuera)s/objeto"></object><embed src="%(fuera)s/embebido">
<video src="%(fuera)s/video" autoplay></video>
<a id="enlace" target="_top" href="%(fuera)s/enlace">Un enlace</a>
<a id="guion" href="javascript:decir('javascript')">Otro</a>
<form target="_top" action="%(fuera)s/formulario"><button id="boton">Enviar</button></form>
<script>"""
    + GUION
    + """</script></body></html>"""
)
SVG = (
    """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="300" height="120"
 onload="parent.document.title='TOMADA'">
<text x="10" y="40">Contenido del fichero</text>
<image href="%(fuera)s/imagen-svg" width="10" height="10"/>
<use xlink:href="%(fuera)s/uso#x"/>
<a xlink:href="%(fuera)s/enlace" target="_top"><text id="enlace" x="10" y="80">Un enlace</text></a>
<foreignObject width="200" height="40"><iframe xmlns="http://www.w3.org/1999/xhtml" src="%(fuera)s/marco"/>
</foreignObject>
<script><![CDATA["""
    + GUION
    + """]]></script></svg>"""
)


class Fuera(ThreadingHTTPServer):
    """A server of somebody else, on this machine: it notes what it is asked, and serves the hostile file as it is."""

    pedidas: list[str]
    servida: tuple[str, str]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Anota(BaseHTTPRequestHandler):
    server: Fuera

    def do_GET(self) -> None:
        self.server.pedidas.append(self.path)
        tipo, cuerpo = self.server.servida if self.path == "/malo" else ("text/plain", "")
        self.send_response(200)
        self.send_header("Content-Type", tipo)
        self.end_headers()
        self.wfile.write(cuerpo.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its parent's name
        """Quiet."""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A server without tenders: only runs."""
    with servida(tmp_path_factory.mktemp("datos")) as servidor:
        yield servidor


@pytest.fixture
def fuera() -> Iterator[Fuera]:
    servidor = Fuera(("127.0.0.1", 0), _Anota)
    servidor.pedidas = []
    hilo = Thread(target=servidor.serve_forever, daemon=True)
    hilo.start()
    yield servidor
    servidor.shutdown()
    servidor.server_close()
    hilo.join(10)


class Malo(NamedTuple):
    """A hostile file; `activo`: what of it a person may press."""

    nombre: str
    tipo: str
    texto: str
    activo: str


@pytest.mark.parametrize(
    "malo",
    [
        Malo("malo.html", "text/html", HTML, "#enlace, #boton"),
        Malo("malo.svg", "image/svg+xml", SVG, "#enlace"),
    ],
    ids=["html", "svg"],
)
def test_un_fichero_hostil_se_mira_y_no_hace_nada(
    web: Web, navegador: Browser, fuera: Fuera, malo: Malo
) -> None:
    texto = malo.texto % {"fuera": fuera.url}
    obrador = Obrador(web.datos)
    rid = obrador.crear(guia("Guía con fichero"))
    obrador.mandar(rid, BEA, TipoComando.RESPONDER, paso="elegir", salidas={"publico": "plantilla"})
    obrador.mandar(rid, GUIA, TipoComando.INICIAR, paso="borrador")
    obrador.fichero(rid, "borrador", malo.nombre, malo.tipo, texto)
    contexto = web.contexto(navegador, viewport={"width": 1280, "height": 900})
    pagina = contexto.new_page()
    pagina.set_default_timeout(20_000)
    sorpresas: list[str] = []
    pagina.on("dialog", lambda d: (sorpresas.append(d.message), d.dismiss()))
    contexto.on("page", lambda p: sorpresas.append(p.url))
    pagina.goto(f"{web.base}/?vista=recorrido&id={rid}&paso=borrador")
    pagina.get_by_role("tab", name="Artefactos").click()
    marco = pagina.locator("iframe")
    dentro = marco.content_frame
    expect(dentro.get_by_text("Contenido del fichero")).to_be_visible(timeout=20_000)
    assert "allow-top-navigation" not in (marco.get_attribute("sandbox") or "allow-top-navigation")
    titulo, direccion = pagina.title(), pagina.url
    for numero in range(dentro.locator(malo.activo).count()):
        dentro.locator(malo.activo).nth(numero).click()
    pagina.wait_for_timeout(500)  # what it delays (50 ms) would have happened
    expect(dentro.get_by_text("Contenido del fichero")).to_be_visible()
    assert (pagina.title(), pagina.url) == (titulo, direccion)
    expect(pagina.locator("body")).not_to_have_text("TOMADA")
    assert fuera.pedidas == [] and sorpresas == []
    pagina.get_by_role("tab", name="Código").click()
    expect(pagina.get_by_text("Contenido del fichero").first).to_be_visible()
    assert fuera.pedidas == [] and sorpresas == []
    contexto.close()
    _sin_nuestra_politica_si_haria(navegador, fuera, (malo.tipo, texto))


def _sin_nuestra_politica_si_haria(navegador: Browser, fuera: Fuera, servida: tuple[str, str]) -> None:
    """The same file, served by anyone else, does try: or this test would prove nothing."""
    fuera.servida = servida
    contexto = navegador.new_context()
    pagina = contexto.new_page()
    pagina.on("dialog", lambda d: d.dismiss())
    pagina.goto(f"{fuera.url}/malo", wait_until="commit")
    esperar(lambda: "/guion" in fuera.pedidas, 20, lambda: str(fuera.pedidas))
    contexto.close()


def test_una_direccion_de_vista_ajena_o_caducada_no_ensena_nada(visor: Visor, web: Web) -> None:
    obrador = Obrador(web.datos)
    rid = obrador.crear(guia("Guía con otro fichero"))
    obrador.mandar(rid, BEA, TipoComando.RESPONDER, paso="elegir", salidas={"publico": "plantilla"})
    obrador.mandar(rid, GUIA, TipoComando.INICIAR, paso="borrador")
    uno = obrador.fichero(rid, "borrador", "uno.txt", "text/plain", "Uno")
    otro = obrador.fichero(rid, "borrador", "otro.txt", "text/plain", "Otro")
    pagina = visor.abrir(f"/?vista=recorrido&id={rid}&paso=borrador")
    pagina.get_by_role("tab", name="Artefactos").click()
    marco = pagina.locator("iframe")
    expect(marco).to_be_visible()
    direccion = marco.get_attribute("src") or ""
    mio, ajeno = (uno, otro) if uno in direccion else (otro, uno)
    assert _estado(pagina, direccion) == 200
    assert _estado(pagina, direccion.replace(mio, ajeno)) == 401
    visor.pagina.context.clear_cookies()
    assert _estado(pagina, direccion) == 200  # the pass is worth by itself, and for nothing else
    assert _estado(pagina, direccion.partition("?")[0]) == 401
    visor.errores.clear()  # the two refusals are told in the console


def _estado(pagina: Page, direccion: str) -> int:
    estado = pagina.evaluate("async (d) => (await fetch(d)).status", direccion)
    assert isinstance(estado, int)
    return estado
