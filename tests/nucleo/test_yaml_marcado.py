"""A document that is too deep is refused with its line, however deep it is."""

from __future__ import annotations

import pytest

from nucleo.yaml_marcado import YamlNoValido, leer_yaml


@pytest.mark.parametrize("hondura", [12, 99, 500, 20_000])
@pytest.mark.parametrize("abre", ["[", "{a: ", "- ", "? "])
def test_lo_demasiado_hondo_se_rechaza_con_su_linea(abre: str, hondura: int) -> None:
    with pytest.raises(YamlNoValido) as fallo:
        leer_yaml("nombre: x\nlista:\n  " + abre * hondura)
    assert fallo.value.linea >= 1
    assert fallo.value.mensaje
