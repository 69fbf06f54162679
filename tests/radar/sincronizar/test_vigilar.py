"""The watch: when it starts a pass and when it gives up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dominios.licitaciones.radar.sincronizar.vigilar import (
    CIEGAS_MAXIMAS,
    Decision,
    Mirada,
    Vigilancia,
    mirar,
)

IGUAL = Mirada(estado=304, huella=None)


def _ver(*miradas: Mirada) -> list[Decision]:
    vigilancia, decisiones = Vigilancia(), []
    for mirada in miradas:
        vigilancia, decision = mirar(vigilancia, mirada)
        decisiones.append(decision)
    return decisiones


def _entera(contenido: bytes) -> Mirada:
    return Mirada(estado=200, huella=contenido)


def test_una_pasada_por_cada_cambio_y_ninguna_si_no_cambia() -> None:
    assert _ver(_entera(b"a"), IGUAL, IGUAL, _entera(b"b"), IGUAL) == [
        Decision.PASAR,
        Decision.ESPERAR,
        Decision.ESPERAR,
        Decision.PASAR,
        Decision.ESPERAR,
    ]


def test_se_apaga_donde_el_servidor_no_atiende_condiciones() -> None:
    decisiones = _ver(*[_entera(b"a")] * (CIEGAS_MAXIMAS + 2))
    assert decisiones == [
        Decision.PASAR,
        Decision.ESPERAR,
        Decision.ESPERAR,
        Decision.APAGAR,
        Decision.APAGAR,
    ]


def test_un_304_entre_medias_vuelve_a_empezar_la_cuenta() -> None:
    decisiones = _ver(*[_entera(b"a")] * 3, IGUAL, *[_entera(b"a")] * 2)
    assert Decision.APAGAR not in decisiones


@given(st.lists(st.sampled_from([IGUAL, _entera(b"a"), _entera(b"b")]), max_size=40))
def test_mientras_mira_no_se_le_escapa_ningun_cambio(miradas: list[Mirada]) -> None:
    ultima: bytes | None = None
    for mirada, decision in zip(miradas, _ver(*miradas), strict=True):
        if decision is Decision.APAGAR:
            return
        cambia = mirada.huella is not None and mirada.huella != ultima
        assert (decision is Decision.PASAR) is cambia
        ultima = mirada.huella or ultima
