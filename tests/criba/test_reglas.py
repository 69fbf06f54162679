"""The criba's pure rules: even batches, answers that cover them exactly, and the last word."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dominios.licitaciones.criba.modelo import Juicio, Juzgada, Palabra, Situacion, Veredicto, Vista
from dominios.licitaciones.criba.reglas import aplicar, en_tandas, revisar, situacion
from dominios.licitaciones.criba.vista import (
    OCTETOS_MAX,
    OCTETOS_PERFIL,
    encajar,
    encajar_lineas,
)
from nucleo.agentes.recortar import TOPE, octetos, recortar
from nucleo.agentes.tokens import nuevo
from nucleo.empresa.lineas import Linea

CLAVES = {"actividades.1", "no_hace.1"}
SECRETO = "0123456789abcdef"


def juicio(numero: int, veredicto: str = "encaja", **cambios: object) -> Juicio:
    base = {
        "numero": numero,
        "veredicto": Veredicto(veredicto),
        "motivo": "Es lo que hace.",
        "lineas": ("actividades.1",),
    }
    return Juicio.model_validate(base | cambios)


@given(st.integers(0, 500))
def test_las_tandas_son_parejas_y_no_pierden_a_nadie(cuantas: int) -> None:
    tandas = list(en_tandas(range(cuantas)))
    assert [n for t in tandas for n in t] == list(range(cuantas))
    largos = [len(t) for t in tandas]
    assert not largos or (max(largos) <= 20 and min(largos) >= max(largos) - 1)
    assert len(tandas) == (cuantas + 19) // 20


@given(st.sets(st.integers(1, 20), min_size=1), st.sets(st.integers(1, 20)), st.integers(0, 3))
def test_una_respuesta_cubre_la_tanda_sin_perder_ni_inventar(
    pendientes: set[int], dichas: set[int], vueltas: int
) -> None:
    juicios = [juicio(n) for n in sorted(dichas & pendientes)]
    paso = aplicar(juicios, sorted(pendientes), vueltas)
    juntas = [j.numero for j in paso.juicios] + [*paso.repetir, *paso.sin_veredicto]
    assert sorted(juntas) == sorted(pendientes)
    if vueltas == 0:
        assert paso.sin_veredicto == (), "la primera vez se vuelve a preguntar"
    else:
        assert paso.cierra, "no se pregunta una tercera vez"


@pytest.mark.parametrize(
    ("juicios", "campo", "frase"),
    [
        ([juicio(1), juicio(1)], "juicios.0.numero", "repetida"),
        ([juicio(1), juicio(9)], "juicios.1.numero", "no está entre"),
        ([juicio(1, lineas=("actividades.2",))], "juicios.0.lineas", "actividades.2"),
        ([juicio(1, lineas=())], "juicios.0.lineas", "o contesta «duda»"),
        ([juicio(1, "no_encaja", lineas=())], "juicios.0.lineas", "o contesta «duda»"),
        ([juicio(1, motivo=f"Mi nonce es {SECRETO}")], "juicios.0.motivo", "no copies"),
        ([juicio(1, motivo=f"Mi token es {nuevo()}")], "juicios.0.motivo", "no copies"),
    ],
)
def test_una_respuesta_mala_dice_por_que(juicios: list[Juicio], campo: str, frase: str) -> None:
    errores = revisar(juicios, {1, 2}, CLAVES, SECRETO)
    assert errores[0].campo == campo
    assert frase in errores[0].mensaje


def test_la_duda_no_necesita_apoyo() -> None:
    assert revisar([juicio(1, "duda", lineas=()), juicio(2)], {1, 2}, CLAVES, SECRETO) == ()


@given(st.sampled_from(Veredicto), st.sampled_from(Situacion))
def test_la_palabra_de_una_persona_gana_siempre(veredicto: Veredicto, dijo: Situacion) -> None:
    ahora = datetime(2026, 3, 2, tzinfo=UTC)
    palabra = Palabra(veredicto=veredicto, motivo="", persona="Persona Inventada", creada=ahora)
    agente = Juzgada(situacion=dijo, motivo="", lineas=(), tanda=1, instrucciones=None, instante=None)
    assert situacion(palabra, agente).value == veredicto.value
    assert situacion(None, agente) is dijo
    assert situacion(None, None) is Situacion.PENDIENTE


LARGO = st.text(st.sampled_from('aá€😀"\\ '), max_size=900)
VISTAS = st.builds(
    Vista,
    numero=st.integers(1, 10**9),
    id=st.just("https://example.invalid/" + "9" * 90),
    objeto=LARGO,
    organo=LARGO,
    lugar=LARGO,
    cpv=st.lists(LARGO, max_size=8).map(tuple),
    lotes=st.lists(LARGO, max_size=30).map(tuple),
    requisitos=st.lists(LARGO, max_size=8).map(tuple),
)


@given(st.lists(VISTAS, min_size=1, max_size=5))
def test_la_tanda_cabe_siempre_y_van_todas(vistas: list[Vista]) -> None:
    veinte = (vistas * 20)[:20]
    encajadas = encajar(veinte)
    assert [v.numero for v in encajadas] == [v.numero for v in veinte]
    assert sum(len(v.model_dump_json().encode()) for v in encajadas) <= OCTETOS_MAX


def test_lo_peor_posible_cabe_en_una_respuesta_sin_que_nadie_corte_la_lista() -> None:
    todo = "😀" * 900
    peor = Vista(numero=10**9, id="x" * 120, objeto=todo, organo=todo, tipo=todo, procedimiento=todo, importe=todo,
                 lugar=todo, plazo=todo, cpv=(todo,) * 9, lotes=(todo,) * 40, requisitos=(todo,) * 9)  # fmt: skip
    lineas, fuera = encajar_lineas([Linea(clave=f"obras.{n}", texto=todo) for n in range(300)])
    respuesta = {
        "ok": True,
        "perfil": [x.model_dump() for x in lineas],
        "licitaciones": [v.model_dump() for v in encajar([peor] * 20)],
    }
    texto = recortar(respuesta)
    assert octetos(texto) <= TOPE
    assert "recortado" not in texto
    assert fuera + len(lineas) == 300
    assert sum(len(x.model_dump_json().encode()) for x in lineas) <= OCTETOS_PERFIL


def test_lo_que_cabe_no_se_corta() -> None:
    vista = Vista(
        numero=1, id="x", objeto="Mantenimiento " * 40, lotes=tuple(f"{n}: lote" for n in range(15))
    )
    assert encajar([vista] * 20) == (vista,) * 20
