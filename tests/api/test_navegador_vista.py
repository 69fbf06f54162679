"""A hostile file seen in a real browser: it shows, and nothing in it runs, reaches out or gets out of its frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route

from app.api.pase import direccion_de_vista
from app.entrar.galletas import NOMBRE
from nucleo.personas.modelo import Rol
from nucleo.recorridos.api.cuerpo import a_modelo
from nucleo.recorridos.cliente import Cliente
from nucleo.recorridos.comandos import Comando
from nucleo.recorridos.peticiones import PeticionCrear
from nucleo.reloj import reloj_del_sistema
from tests.api.servida import Servida, servida
from tests.app.servidor import con_sesion
from tests.recorridos.casos import CREAR, EN_CURSO

pytestmark = pytest.mark.navegador
TITULO = "Página nuestra"
CARTEL = "Texto del fichero"
HTML = """<!doctype html><html><head><title>otro</title><meta http-equiv="refresh" content="0;url=/faro/refresco">
<link rel="stylesheet" href="/faro/estilo"><style>@import url(/faro/importado); p { color: rgb(1, 2, 3) }
b { background: url(/faro/fondo) }</style><base href="/faro/base/"></head>
<body onload="new Image().src='/faro/onload'"><p>Texto del fichero</p><b>b</b>
<script>parent.document.title = 'robado'; top.location = '/faro/arriba'; fetch('/faro/fetch')</script>
<script src="/faro/script"></script><img src="/faro/img"><img src=x onerror="location='/faro/onerror'">
<iframe src="/faro/marco"></iframe><iframe srcdoc="<script>top.document.title='robado'</script>"></iframe>
<object data="/faro/objeto"></object><embed src="/faro/embed"><video src="/faro/video" autoplay></video>
<form action="/faro/formulario"><button>Enviar</button></form>
<a id="arriba" target="_top" href="/faro/enlace">arriba</a><a id="fuera" target="_blank" href="/faro/otra">otra</a>
</body></html>"""
SVG = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="300" height="80"
 onload="parent.document.title='robado'"><script>fetch('/faro/svg'); top.location = '/faro/arriba'</script>
<image href="/faro/imagen" width="9" height="9"/><foreignObject width="200" height="40">
<iframe xmlns="http://www.w3.org/1999/xhtml" src="/faro/marco"></iframe></foreignObject>
<text x="5" y="60">Texto del fichero</text></svg>"""


@dataclass
class Puesto:
    """`oidos`: what the files got to ask for."""

    api: Servida
    rid: str
    oidos: list[str]

    def guardar(self, contenido: str, tipo: str) -> str:
        """The address of its view, as a page of ours embeds it."""
        consulta = {"recorrido": self.rid, "comando_id": uuid4().hex, "paso": "redactar", "intento": "1"}
        with self.api.http("guia") as http:
            respuesta = http.post(
                "/api/artefactos",
                params=consulta | {"nombre": "fichero"},
                content=contenido.encode(),
                headers={"Content-Type": tipo},
            )
        return direccion_de_vista(self.api.datos, respuesta.json()["artefacto"]["id"], reloj_del_sistema())


@pytest.fixture(scope="module")
def puesto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Puesto]:
    oidos: list[str] = []

    async def faro(peticion: Request) -> PlainTextResponse:
        oidos.append(peticion.url.path)
        return PlainTextResponse("")

    async def pagina(peticion: Request) -> HTMLResponse:
        marco = f'<iframe width="600" height="300" src="{peticion.query_params["de"]}"></iframe>'
        return HTMLResponse(f"<!doctype html><title>{TITULO}</title>{marco}")

    datos: Path = tmp_path_factory.mktemp("vista")
    rutas = (Route("/faro/{cual:path}", faro), Route("/pagina", pagina))
    with servida(datos, *rutas) as api:
        rid = ""
        for orden in EN_CURSO:
            with api.dentro(orden.quien) as cliente:
                rid = _hacer(cliente, rid, orden.tipo, {"comando_id": uuid4().hex, **orden.campos})
        yield Puesto(api, rid, oidos)


def _hacer(cliente: Cliente, rid: str, tipo: str, cuerpo: dict[str, Any]) -> str:
    if tipo == CREAR:
        return cliente.crear(a_modelo(PeticionCrear, cuerpo)).id
    return cliente.mandar(rid, a_modelo(Comando, cuerpo | {"tipo": tipo})).id


@pytest.fixture
def pagina(navegador: Browser, puesto: Puesto) -> Iterator[Page]:
    contexto = navegador.new_context()
    sesion = con_sesion(puesto.api.datos, "encargada", Rol.LECTOR)
    contexto.add_cookies([{"name": NOMBRE, "value": sesion, "url": puesto.api.url}])
    yield contexto.new_page()
    contexto.close()


def enmarcada(puesto: Puesto, direccion: str) -> str:
    """The address of a page of ours with the view in a frame."""
    return f"{puesto.api.url}/pagina?de={quote(direccion)}"


@pytest.mark.parametrize(
    ("contenido", "tipo"), [(HTML, "text/html"), (SVG, "image/svg+xml")], ids=["html", "svg"]
)
def test_se_ve_y_no_hace_nada(puesto: Puesto, pagina: Page, contenido: str, tipo: str) -> None:
    puesto.oidos.clear()
    direccion = puesto.guardar(contenido, tipo)
    pagina.goto(enmarcada(puesto, direccion), wait_until="networkidle")
    dentro = pagina.frame_locator("iframe").first
    expect(dentro.get_by_text(CARTEL)).to_be_visible()
    if tipo == "text/html":
        expect(dentro.get_by_text(CARTEL)).to_have_css("color", "rgb(1, 2, 3)")  # its own styles do hold
        for enlace in ("#arriba", "#fuera"):
            dentro.locator(enlace).click()
        dentro.get_by_role("button", name="Enviar").click()
    pagina.wait_for_load_state("networkidle")
    assert pagina.title() == TITULO and "/pagina" in pagina.url
    assert len(pagina.context.pages) == 1
    assert puesto.oidos == []


def test_tambien_se_abre_sola(puesto: Puesto, pagina: Page) -> None:
    puesto.oidos.clear()
    direccion = puesto.guardar(HTML, "text/html")
    pagina.goto(f"{puesto.api.url}{direccion}", wait_until="networkidle")
    expect(pagina.get_by_text(CARTEL)).to_be_visible()
    assert puesto.oidos == [] and direccion.partition("?")[0] in pagina.url


def test_otra_pagina_no_la_puede_enmarcar(puesto: Puesto, pagina: Page) -> None:
    direccion = f"{puesto.api.url}{puesto.guardar(HTML, 'text/html')}"
    pagina.set_content(f'<iframe src="{direccion}"></iframe>')
    pagina.wait_for_load_state("networkidle")
    assert CARTEL not in pagina.frames[-1].content()
