"""A real server over the bundled sample with some hostile entries, and a browser that notes what goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page

from dominios.licitaciones import registro
from dominios.licitaciones.radar.almacen import guardar_pagina
from dominios.licitaciones.radar.muestra.servir import paginas
from dominios.licitaciones.radar.procesar import procesar_pagina
from nucleo.bd import conectar, transaccion
from nucleo.reloj import reloj_del_sistema
from tests.app.hostil import pagina_hostil
from tests.app.semilla import sembrar
from tests.app.servidor import Web, servida


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A server over the sample, what agents and people did with it, and the hostile entries."""
    datos = tmp_path_factory.mktemp("datos")
    ahora = reloj_del_sistema()
    with closing(conectar(registro.preparar(datos))) as con:
        for origen, cuerpo in [*paginas(ahora).items(), ("hostil.atom", pagina_hostil(ahora))]:
            with transaccion(con):
                guardar_pagina(con, procesar_pagina(cuerpo, origen), ahora)
    sembrar(datos, ahora)
    with servida(datos) as servidor:
        yield servidor


class Visor:
    """A browser page that notes every console error and every request to anywhere else."""

    def __init__(self, pagina: Page, base: str) -> None:
        self.pagina = pagina
        self.base = base
        self.errores: list[str] = []
        self.fuera: list[str] = []
        pagina.set_default_timeout(20_000)
        pagina.on("console", lambda m: self.errores.append(m.text) if m.type == "error" else None)
        pagina.on("pageerror", lambda e: self.errores.append(str(e)))
        pagina.on("request", lambda r: self._anotar(r.url))

    def _anotar(self, url: str) -> None:
        if not url.startswith((f"{self.base}/", "data:", "blob:")):
            self.fuera.append(url)

    def abrir(self, ruta: str) -> Page:
        """Go there and wait for the list, a tender or a message."""
        self.pagina.goto(self.base + ruta)
        self.pagina.locator(
            ".st-key-lista, .st-key-claves, .st-key-vista, [data-testid=stAlert]"
        ).first.wait_for()
        return self.pagina


@pytest.fixture
def visor(navegador: Browser, web: Web) -> Iterator[Visor]:
    """A clean browser; at the end nothing may have failed nor left this machine."""
    contexto = web.contexto(navegador, viewport={"width": 1280, "height": 900})
    mirada = Visor(contexto.new_page(), web.base)
    yield mirada
    contexto.close()
    assert mirada.errores == []
    assert mirada.fuera == []
