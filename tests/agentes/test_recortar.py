"""An answer fits its size, stays JSON, and says what was cut."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from nucleo.agentes.recortar import octetos, recortar

VALOR = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=400),
    lambda dentro: st.lists(dentro, max_size=30) | st.dictionaries(st.text(max_size=12), dentro, max_size=6),
    max_leaves=60,
)
RESPUESTA = st.dictionaries(st.text(max_size=12), VALOR, max_size=8).map(lambda d: {"ok": True} | d)


@given(RESPUESTA, st.integers(300, 4000))
def test_siempre_cabe_y_solo_cambia_lo_que_no_cabia(respuesta: dict[str, object], tope: int) -> None:
    texto = recortar(respuesta, tope)
    assert octetos(texto) <= tope
    leida = json.loads(texto)
    assert "ok" in leida
    if "recortado" not in leida and leida["ok"]:
        assert leida == respuesta


def test_lo_que_se_corta_se_dice_con_su_sitio() -> None:
    leida = json.loads(recortar({"ok": True, "filas": [{"objeto": "á" * 9000} for _ in range(40)]}, 20_000))
    assert leida["ok"] is True
    assert leida["recortado"] == ["filas: 12 de 40 elementos", "filas[].objeto: 300 de 9000 caracteres"]
    assert len(leida["filas"]) == 12


def test_lo_que_no_hay_forma_de_recortar_se_niega_y_se_dice_que_hacer() -> None:
    leida = json.loads(recortar({"ok": True} | {f"clave{n}": n for n in range(20_000)}))
    assert (leida["ok"], leida["codigo"]) == (False, "demasiado_grande")


def test_un_texto_que_no_es_utf8_se_escribe_igual() -> None:
    assert json.loads(recortar({"ok": True, "x": "\ud800"})) == {"ok": True, "x": "\ud800"}
