"""Tax numbers: quirk 12 and the control digits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nucleo.codigos.nif import es_enmascarado, es_nif_de_ute, es_persona_fisica, normalizar_nif

# Invented numbers with a right control digit.
VALIDOS = [
    "12345678Z",
    "X1234567L",
    "Y1234567X",
    "Z1234567R",
    "B12345674",
    "A00000018",
    "U12345674",
    "P1234567D",
]


@pytest.mark.parametrize("nif", VALIDOS)
def test_un_nif_valido_queda_como_esta(nif: str) -> None:
    assert normalizar_nif(nif) == nif


@pytest.mark.parametrize(
    ("crudo", "nif"),
    [
        ("b12345674", "B12345674"),
        ("B-12345674", "B12345674"),
        ("B 12345674", "B12345674"),
        ("B.12.345.674", "B12345674"),
        ("B012345674", "B12345674"),
        ("B12345674),", "B12345674"),
        ("ESB12345674", "B12345674"),
        ("NIF: B12345674", "B12345674"),
        ("12.345.678-z", "12345678Z"),
        ("012345678Z", "12345678Z"),
        ("1234567L", "01234567L"),
        ("X01234567L", "X1234567L"),
        ("\xa0U-12345674 ", "U12345674"),
    ],
)
def test_se_perdona_la_forma(crudo: str, nif: str) -> None:
    assert normalizar_nif(crudo) == nif


@pytest.mark.parametrize(
    "crudo",
    [
        "",
        "-",
        "0000",
        "PENDENT",
        "En constitución",
        "B12345675",
        "12345678A",
        "B1234567",
        "B123456745",
        "A00000000",
        "00000000T",
        "P12345674",
        "B1234567D",
        "FR12328340732",
        "IE9729353D",
        "ATU43296401",
        "UTE_1284683068459",
        "A12345674 y B12345674",
        "***1234**",
    ],
)
def test_lo_que_no_es_un_nif_es_nada(crudo: str) -> None:
    assert normalizar_nif(crudo) is None


@pytest.mark.parametrize("crudo", ["***1234**", "***1234*Z", "39*2**62T", "78088xxxx"])
def test_un_numero_enmascarado_se_reconoce(crudo: str) -> None:
    assert es_enmascarado(crudo)
    assert normalizar_nif(crudo) is None


@pytest.mark.parametrize("crudo", ["", "-", "0000", "XXXXX", "B12345674", "X1234567L", "*****"])
def test_lo_demas_no_esta_enmascarado(crudo: str) -> None:
    assert not es_enmascarado(crudo)


def test_la_u_es_de_ute_y_las_personas_se_distinguen() -> None:
    assert [n for n in VALIDOS if es_nif_de_ute(n)] == ["U12345674"]
    assert [n for n in VALIDOS if es_persona_fisica(n)] == VALIDOS[:4]


@given(st.integers(1, 99_999_999), st.sampled_from("TRWAGMYFPDXBNJZSQVHLCKE"))
def test_de_cada_dni_solo_vale_una_letra(numero: int, letra: str) -> None:
    correcta = "TRWAGMYFPDXBNJZSQVHLCKE"[numero % 23]
    assert normalizar_nif(f"{numero}{letra}") == (f"{numero:08}{letra}" if letra == correcta else None)


@given(st.sampled_from("ABEH"), st.integers(1, 9_999_999), st.integers(0, 9))
def test_cambiar_una_cifra_de_una_empresa_lo_invalida(letra: str, numero: int, posicion: int) -> None:
    validos = [n for n in (f"{letra}{numero:07}{c}" for c in range(10)) if normalizar_nif(n)]
    assert len(validos) == 1
    lugar = 1 + posicion % 8
    otra = str((int(validos[0][lugar]) + 1) % 10)
    assert normalizar_nif(validos[0][:lugar] + otra + validos[0][lugar + 1 :]) is None


@given(st.text())
def test_normalizar_es_estable_y_nunca_falla(crudo: str) -> None:
    nif = normalizar_nif(crudo)
    assert nif is None or normalizar_nif(nif) == nif
