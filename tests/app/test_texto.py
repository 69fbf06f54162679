"""Foreign text becomes Markdown that can only be read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.piezas.texto import neutralizar, plano

INVISIBLE = "\N{WORD JOINER}"


def leer(markdown: str) -> str:
    """What a reader sees: escapes resolved, joiners dropped."""
    return re.sub(r"\\(.)", r"\1", markdown).replace(INVISIBLE, "")


@given(st.text(max_size=200))
def test_lo_que_se_lee_es_lo_publicado_y_cada_signo_va_escapado(texto: str) -> None:
    markdown = neutralizar(texto)
    assert leer(markdown) == plano(texto)
    assert not re.search(r"(?<!\\)(?:\\\\)*[\[\]()<>*_`#|!$~:&]", re.sub(r"\\.", "", markdown))
    assert "\n" not in markdown


@pytest.mark.parametrize(
    "texto",
    ["https://x.invalid", "www.x.invalid", "a@x.invalid", ":smile:", ":material/home:", "->", "--", "<="],
)
def test_lo_que_se_reconoce_en_el_texto_ya_leido_queda_partido(texto: str) -> None:
    assert INVISIBLE in neutralizar(texto)


def test_las_marcas_que_cambian_el_sentido_de_la_escritura_desaparecen() -> None:
    assert plano("abc\u202edcb\u2066x\x00\x1b[31m") == "abcdcbx[31m"


def test_un_texto_largo_se_corta_y_se_nota() -> None:
    assert leer(neutralizar("palabra " * 50, 20)) == "palabra palabra pal…"[:20]
