"""Entries whose texts try everything that a page could mistake for its own markup."""

from __future__ import annotations

from datetime import datetime, timedelta
from xml.sax.saxutils import escape

from playwright.sync_api import Page, expect

from nucleo.reloj import MADRID
from tests.radar.constructor import (
    comprador,
    documento,
    entrada,
    ganador,
    lote,
    pagina,
    proceso,
    proyecto,
    resultado,
)

PERSONA = "12345678Z"
"""A made-up DNI with the right control letter."""

TEXTOS = (
    "hostil ![imagen](https://fuera.invalid/a.png) [pulsa aquí](https://fuera.invalid/b)",
    "hostil <img src=https://fuera.invalid/c.png onerror=alert(1)> <script>alert(2)</script> <b>negrita</b>",
    "hostil :red[rojo] :material/warning: :smile: $x^2$ `codigo` **fuerte** ~~tachado~~ -> <- --",
    "hostil https://fuera.invalid/d www.fuera.invalid correo@fuera.invalid | celda | otra",
    "hostil # título\n\n- punto\n> cita\n\n[enlace]: https://fuera.invalid/e 'x'\n![ref][enlace]",
)


def pagina_hostil(ahora: datetime) -> bytes:
    """One open tender per text, with it in every field that a page shows."""
    fecha = f"{ahora.astimezone(MADRID) + timedelta(days=20):%Y-%m-%d}"
    instante = (ahora.astimezone(MADRID) - timedelta(hours=1)).isoformat(timespec="milliseconds")
    piezas = [_entrada(900 + n, escape(texto), fecha, instante) for n, texto in enumerate(TEXTOS)]
    return pagina(*piezas, updated=instante)


def _entrada(n: int, texto: str, fecha: str, instante: str) -> str:
    return entrada(
        n,
        instante,
        proyecto(texto, cpv=("72000000",)),
        lote("1", texto),
        proceso(fecha=fecha, hora="14:00:00"),
        documento("aGFzaA==", nombre=texto, uri="https://fuera.invalid/pliego.pdf?a=1)[x](y"),
        documento("b3Ry", nombre="normal.pdf", uri="javascript:alert(1)"),
        resultado("8", lote="1", sin_iva="1000", ganadores=(ganador("Persona Ficticia", ("NIF", PERSONA)),)),
        organo=comprador(texto),
        expediente=texto[:50].replace("&", "y").replace("<", ""),
        titulo=texto,
    )


def nada_extrano(pagina: Page) -> None:
    """No element of the foreign text: images, scripts, styles of a directive, links to elsewhere."""
    ajeno = "img[src*=invalid], a[href*='//fuera'], a[href^=javascript], a[href^=mailto]"
    expect(pagina.locator(ajeno)).to_have_count(0)
    creado = "script, b, del, code, h1, blockquote, .katex, [data-testid=stIconMaterial]"
    propio = f".stMain [data-testid=stMarkdownContainer] :is({creado})"
    expect(pagina.locator(propio).filter(visible=True)).to_have_count(0)
    expect(pagina.locator(".stMain .stMarkdownColoredText", has_text="rojo")).to_have_count(0)
