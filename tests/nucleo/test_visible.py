"""Foreign text in one line, without what acts on a terminal."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from nucleo.visible import visible


def test_quita_lo_que_actua_y_deja_lo_que_se_lee() -> None:
    assert (
        visible("\x1b[2JEl pliego\r\nno\u202e dice «más»\x9b31m 🙂.") == "[2JEl pliego no dice «más» 31m 🙂."
    )


@given(st.text())
def test_no_queda_ninguno_y_repetirlo_no_cambia_nada(texto: str) -> None:
    limpio = visible(texto)
    assert all(unicodedata.category(c) != "Cc" for c in limpio)
    assert not set(limpio) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
    assert visible(limpio) == limpio
