"""Types are exact and comparisons without surprises."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, ValidationError

from nucleo.recorridos.comandos import Comando, TipoComando
from nucleo.recorridos.llano import es_llano
from nucleo.recorridos.plan import Literal_, Operador, Plan, Puerto, Tipo
from nucleo.recorridos.valores import canonico, compara, huella, igual, mismo, problema_de
from tests.recorridos.planes import BUENOS, FICHAS, FICHAS_MALAS, MALOS, Ficha

TIPOS = list(Tipo)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-5, 5) | st.text(max_size=3),
    lambda dentro: st.lists(dentro, max_size=3) | st.dictionaries(st.text(max_size=2), dentro, max_size=3),
    max_leaves=8,
)


def _puerto(tipo: Tipo, esquema: str | None = None) -> Puerto:
    opciones = ("a", "b", "1") if tipo is Tipo.OPCION else ()
    return Puerto(nombre="x", tipo=tipo, opciones=opciones, esquema=esquema)


@pytest.mark.parametrize("tipo", TIPOS)
def test_cada_tipo_admite_lo_suyo(tipo: Tipo) -> None:
    assert [problema_de(_puerto(tipo), v, {}) for v in BUENOS[tipo]] == [None] * len(BUENOS[tipo])


@pytest.mark.parametrize("tipo", TIPOS)
def test_cada_tipo_rechaza_lo_demas(tipo: Tipo) -> None:
    assert all("«x»" in (problema_de(_puerto(tipo), v, {}) or "") for v in MALOS[tipo])


@pytest.mark.parametrize("tipo", [Tipo.OBJETO, Tipo.LISTA])
def test_un_esquema_mira_dentro(tipo: Tipo) -> None:
    puerto = _puerto(tipo, "ficha")
    envuelve = (lambda v: v) if tipo is Tipo.OBJETO else (lambda v: [FICHAS[0], v])
    assert all(problema_de(puerto, envuelve(v), {"ficha": Ficha}) is None for v in FICHAS)
    assert all(problema_de(puerto, envuelve(v), {"ficha": Ficha}) for v in FICHAS_MALAS)
    assert "no está en esta instalación" in (problema_de(puerto, envuelve(FICHAS[0]), {}) or "")


@pytest.mark.parametrize(
    ("uno", "otro"),
    [(True, 1), (False, 0), ("1", 1), (None, False), ([True], [1]), ({"a": True}, {"a": 1}), ([], {})],
)
def test_parecerse_no_es_ser_igual(uno: JsonValue, otro: JsonValue) -> None:
    assert not igual(uno, otro)
    assert not igual(otro, uno)
    assert not mismo(Literal_(valor=uno), Literal_(valor=otro))


def test_un_numero_es_el_mismo_con_decimales_o_sin_ellos() -> None:
    assert igual([1, {"a": 2.0}], [1.0, {"a": 2}])


@given(JSON)
def test_todo_es_igual_a_si_mismo_leido_otra_vez(valor: JsonValue) -> None:
    assert igual(valor, json.loads(canonico(valor)))
    assert es_llano(valor)


@given(st.dictionaries(st.text(max_size=3), st.integers(), min_size=2, max_size=5))
def test_el_orden_de_las_claves_no_cuenta(valores: dict[str, int]) -> None:
    assert huella(dict(reversed(valores.items()))) == huella(valores)


def test_la_huella_de_un_valor_no_cambia_de_una_version_a_otra() -> None:
    assert canonico({"b": [1, 1.0, True, None], "a": "ñ"}) == '{"a":"ñ","b":[1,1.0,true,null]}'
    assert huella("a") == "ac8d8342bbb2362d13f0a559a3621bb407011368895164b628a54f7fc33fc43c"


@pytest.mark.parametrize(
    ("tipo", "op", "valor", "con", "cierto"),
    [
        (Tipo.IMPORTE, Operador.IGUAL, "1.0", "1.00", True),
        (Tipo.IMPORTE, Operador.DISTINTO, "1.0", "1.00", False),
        (Tipo.IMPORTE, Operador.MAYOR, "10", "9", True),
        (Tipo.IMPORTE, Operador.EN, "1.0", ["2", "1"], True),
        (Tipo.FECHA, Operador.MENOR, "2026-01-31", "2026-02-01", True),
        (Tipo.NUMERO, Operador.MAYOR, 1, 1.0, False),
        (Tipo.NUMERO, Operador.MENOR, 1, 1.0, False),
        (Tipo.NUMERO, Operador.IGUAL, 1, 1.0, True),
        (Tipo.ENTERO, Operador.MAYOR, 10, 9, True),
        (Tipo.OPCION, Operador.EN, "a", ["b"], False),
        (Tipo.BOOLEANO, Operador.IGUAL, False, False, True),
        (Tipo.TEXTO, Operador.EXISTE, "", None, True),
    ],
)
def test_comparaciones(tipo: Tipo, op: Operador, valor: JsonValue, con: JsonValue, cierto: bool) -> None:
    assert compara(tipo, op, valor, con) is cierto


HONDO: JsonValue = []
for _ in range(40):
    HONDO = [HONDO]


@pytest.mark.parametrize(
    "valor",
    [float("nan"), float("inf"), 2**53, -(2**60), "\ud800", {"\udfff": 1}, [{"a": float("nan")}], HONDO],
    ids=["nan", "infinito", "enorme", "muy-negativo", "medio-caracter", "clave-rota", "dentro", "hondo"],
)
def test_lo_que_no_se_puede_guardar_no_entra(valor: JsonValue) -> None:
    with pytest.raises(ValidationError):
        Comando(comando_id="a", tipo=TipoComando.COMPLETAR, paso="x", salidas={"x": valor})
    with pytest.raises(ValidationError):
        Literal_(valor=valor)
    with pytest.raises(ValidationError):
        Plan.model_validate({"titulo": "x", "contexto": {"a": valor}, "pasos": ()})


def test_tampoco_escrito() -> None:
    texto = '{"comando_id":"a","tipo":"completar","paso":"x","salidas":{"x":NaN}}'
    with pytest.raises(ValidationError):
        Comando.model_validate_json(texto)
