"""The evidence of a run as a page and as JSON: whole, readable, and unable to do anything."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Request

from nucleo.errores import ErrorEntrada
from nucleo.recorridos.exportar import Evidencia, de_json, en_html, en_json
from nucleo.recorridos.exportar.marcado import escapar
from nucleo.recorridos.exportar.modelo import huella_de
from tests.recorridos.exportar.hostil import ATAQUE, CORTO, MARCA, SHA, evidencia_hostil

ETIQUETAS = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "nav", "section"),
    *(
        "h1",
        "h2",
        "h3",
        "p",
        "a",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    ),
    *("code", "pre", "strong"),
}
ATRIBUTOS = {"class", "id", "href", "scope", "lang", "charset", "http-equiv", "content", "name"}


@dataclass
class Leida(HTMLParser):
    """What a browser would make of the page."""

    etiquetas: set[str] = field(default_factory=set)
    atributos: list[tuple[str, str | None]] = field(default_factory=list)
    textos: list[str] = field(default_factory=list)
    abiertas: list[str] = field(default_factory=list)
    comentarios: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.etiquetas.add(tag)
        self.atributos += attrs
        if tag != "meta":
            self.abiertas.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.abiertas.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.abiertas and self.abiertas[-1] != "style":
            self.textos.append(data)

    def handle_comment(self, data: str) -> None:
        self.comentarios.append(data)


@pytest.fixture(scope="module")
def evidencia() -> Evidencia:
    """A run full of attacks."""
    return evidencia_hostil()


@pytest.fixture(scope="module")
def pagina(evidencia: Evidencia) -> str:
    """Its page."""
    return en_html(evidencia)


@pytest.fixture(scope="module")
def leida(pagina: str) -> Leida:
    """Its page, read."""
    leida = Leida()
    leida.feed(pagina)
    leida.close()
    return leida


def test_solo_tiene_las_marcas_que_pone_el_programa(leida: Leida) -> None:
    assert leida.etiquetas <= ETIQUETAS
    assert {nombre for nombre, _ in leida.atributos} <= ATRIBUTOS
    assert (leida.abiertas, leida.comentarios) == ([], [])


def test_no_apunta_fuera_de_si_misma(leida: Leida, pagina: str) -> None:
    anclas = [valor for nombre, valor in leida.atributos if nombre == "href"]
    ids = {valor for nombre, valor in leida.atributos if nombre == "id"}
    assert {str(a).removeprefix("#") for a in anclas} == ids
    estilo = pagina.partition("<style>")[2].partition("</style>")[0]
    assert not re.search(r"url\(|@import|expression|\\", estilo)


def test_su_politica_no_deja_cargar_ni_ejecutar_nada(pagina: str) -> None:
    cabeza = pagina.partition("<title>")[0]
    politica = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', cabeza)
    assert politica is not None
    assert "default-src 'none'" in politica[1]
    assert "script-src" not in politica[1]


def test_los_textos_ajenos_estan_enteros_y_son_solo_texto(leida: Leida) -> None:
    texto = "\n".join(leida.textos)
    visible = ATAQUE.replace("\u202e", "⟨U+202E⟩")
    # Said by the agent twice (note and report), the person, the proposals, the plan, the notice, the refusal…
    assert texto.count(visible) > 25
    assert "\u202e" not in texto
    for dicho in (f"agente {CORTO}", f"persona {CORTO}", f"informe ' & {MARCA}.html", SHA):
        assert dicho in texto


def test_dice_quien_decidio_que_y_con_que_delante(pagina: str) -> None:
    decisiones = pagina.partition('id="decisiones"')[2].partition("</section>")[0]
    filas = re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td>", decisiones, re.DOTALL)
    assert [f[2].split(":")[0] for f in filas] == [
        "descartó el plan propuesto",
        "aceptó el plan propuesto",
        "rechazó",
        "aprobó",
    ]
    assert filas[0][0] == "2026-03-02 10:02:00+01:00"
    assert all("persona, admin" in f[1] for f in filas)
    # What was rejected is still told, though it was written again: both times the person had the text in front.
    assert decisiones.count('<p class="pregunta">') == 2


def test_cuenta_las_versiones_y_lo_que_no_se_acepto(pagina: str) -> None:
    planes = pagina.partition('id="planes"')[2].partition("</section>")[0]
    assert re.findall(r"<h3>(.*?)</h3>", planes) == ["Versión 1", "Versión 2", "Propuesta descartada"]
    assert planes.count("El plan: descripcion") == 2


def test_lleva_la_huella_de_su_json(evidencia: Evidencia, pagina: str) -> None:
    assert huella_de(evidencia) in pagina


def test_el_json_se_vuelve_a_leer_igual(evidencia: Evidencia) -> None:
    otra = de_json(en_json(evidencia))
    assert otra == evidencia
    assert en_json(otra) == en_json(evidencia)
    assert en_html(otra) == en_html(evidencia)


@pytest.mark.parametrize("texto", ["", "{}", "[]", "no", '{"formato":"sobre-abierto/recorrido/2"}'])
def test_lo_que_no_es_una_evidencia_se_dice(texto: str) -> None:
    with pytest.raises(ErrorEntrada, match="evidencia"):
        de_json(texto)


@pytest.mark.parametrize(
    ("texto", "escapado"),
    [
        ("<&>\"'", "&lt;&amp;&gt;&quot;&#x27;"),
        ("a\x00b\u200bc\u202ed", "a⟨U+0000⟩b⟨U+200B⟩c⟨U+202E⟩d"),
        ("dos\nlíneas\t✓ ñ", "dos\nlíneas\t✓ ñ"),
    ],
    ids=["marcas", "invisibles", "normales"],
)
def test_escapar(texto: str, escapado: str) -> None:
    assert escapar(texto) == escapado


@pytest.mark.navegador
def test_en_un_navegador_ni_ejecuta_ni_pide_nada(navegador: Browser, pagina: str, tmp_path: Path) -> None:
    fichero = tmp_path / "evidencia.html"
    fichero.write_text(pagina, "utf-8")
    pedidos: list[str] = []
    hoja = navegador.new_page()
    hoja.on("request", lambda peticion: pedidos.append(_url(peticion)))
    hoja.goto(fichero.as_uri())
    assert hoja.title().endswith(": evidencia")
    assert hoja.locator("img, script, b, [onclick], [onerror]").count() == 0
    assert hoja.locator("table").count() > 5
    assert pedidos == [fichero.as_uri()]
    assert hoja.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert len(hoja.pdf()) > 10_000
    hoja.close()


def _url(peticion: Request) -> str:
    return peticion.url
