"""The browser of the tests starts, paints and reaches nothing outside."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Error

pytestmark = pytest.mark.navegador


def test_el_navegador_pinta_una_pagina(navegador: Browser) -> None:
    pagina = navegador.new_page()
    pagina.set_content("<p id=a>licitación</p>")
    assert pagina.inner_text("#a") == "licitación"
    pagina.close()


def test_el_navegador_no_resuelve_nombres_de_fuera(navegador: Browser) -> None:
    pagina = navegador.new_page()
    with pytest.raises(Error, match="ERR_NAME_NOT_RESOLVED"):
        pagina.goto("http://ejemplo.test/")
    pagina.close()
