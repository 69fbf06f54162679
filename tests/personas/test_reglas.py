"""The rules of passwords, waits and roles, whatever they are given."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nucleo.errores import ErrorEntrada
from nucleo.personas import claves, intentos
from nucleo.personas.claves import Coste
from nucleo.personas.modelo import Rol

AHORA = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
BARATO = Coste(4, 1, 1)
fallos = st.lists(st.timedeltas(timedelta(0), timedelta(hours=1)).map(lambda hace: AHORA - hace), max_size=40)


@given(fallos)
def test_la_espera_crece_con_los_fallos_y_nunca_pasa_del_maximo(previos: list[datetime]) -> None:
    espera = intentos.espera(previos, AHORA)
    assert timedelta(0) <= espera <= intentos.MAXIMA
    assert intentos.espera([*previos, AHORA], AHORA) >= espera
    recientes = [f for f in previos if f > AHORA - intentos.VENTANA]
    assert espera == timedelta(0) or len(recientes) >= intentos.GRATIS


@given(fallos)
def test_quien_deja_de_intentarlo_acaba_pudiendo(previos: list[datetime]) -> None:
    assert intentos.espera(previos, AHORA + intentos.VENTANA) == timedelta(0)


@given(fallos, st.integers(1, 30))
def test_con_mas_margen_no_se_espera_mas(previos: list[datetime], margen: int) -> None:
    assert intentos.espera(previos, AHORA, margen + 1) <= intentos.espera(previos, AHORA, margen)


@pytest.mark.parametrize(
    ("cuantos", "segundos"), [(4, 0), (5, 30), (6, 60), (7, 120), (9, 480), (10, 900), (30, 900)]
)
def test_la_espera_se_dobla(cuantos: int, segundos: int) -> None:
    assert intentos.espera([AHORA] * cuantos, AHORA).total_seconds() == segundos


@settings(max_examples=40)
@given(st.text(max_size=60), st.text(max_size=60))
def test_solo_vale_la_clave_que_se_guardo(una: str, otra: str) -> None:
    guardada = claves.guardar(una, BARATO)
    assert claves.vale(una, guardada)
    assert not claves.vale(una + "x", guardada)
    assert claves.guardar(una, BARATO) != guardada
    if claves.vale(otra, guardada):
        assert claves._normal(otra) == claves._normal(una)


@given(st.text(max_size=80))
def test_lo_guardado_que_esta_roto_no_vale_para_nadie(roto: str) -> None:
    assert not claves.vale("x", roto) and claves.es_floja(roto)


@pytest.mark.parametrize(
    "roto", ["$scrypt$ln=4,r=1,p=1$A$A", "$scrypt$ln=0,r=8,p=1$AAAA$AAAA", "$scrypt$ln=4,r=0,p=1$AAAA$AAAA"]
)
def test_lo_que_scrypt_no_admite_tampoco(roto: str) -> None:
    assert not claves.vale("x", roto)


def test_comprobar_la_de_nadie_cuesta_lo_mismo_y_no_es_ninguna() -> None:
    nadie, alguien = claves.de_nadie(BARATO), claves.guardar("x", BARATO)
    assert [len(parte) for parte in nadie.split("$")] == [len(parte) for parte in alguien.split("$")]
    assert nadie.split("$")[2] == alguien.split("$")[2]
    assert not claves.vale("x", nadie) and claves.de_nadie(BARATO) != nadie


@pytest.mark.parametrize(
    "clave", ["", "corta", "aaaaaaaaaaaa", "123456789012", "Contraseña123", "encargada1234", "x" * 300]
)
def test_las_claves_de_siempre_no_valen(clave: str) -> None:
    with pytest.raises(ErrorEntrada):
        claves.exigir_fuerte(clave, "encargada")


@pytest.mark.parametrize("clave", ["cuatro palabras no juntas", "Ñandú-y-otros-animales", "x9!kf03mfk20"])
def test_una_clave_larga_vale(clave: str) -> None:
    claves.exigir_fuerte(clave, "encargada")


def test_la_misma_clave_de_otro_teclado_es_la_misma() -> None:
    assert claves.vale("contrasen\u0303a larga", claves.guardar("contrase\u00f1a larga", BARATO))


def test_cada_rol_incluye_los_anteriores() -> None:
    for puesto, rol in enumerate(Rol):
        assert [rol.alcanza(minimo) for minimo in Rol] == [n <= puesto for n in range(len(Rol))]
