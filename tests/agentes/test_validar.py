"""Loose arguments become a strict model or a list of errors, whatever they are."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nucleo.agentes.herramientas import ErrorCampo
from nucleo.agentes.validar import ERRORES_MAX, validar
from nucleo.modelo import Modelo


class Color(StrEnum):
    ROJO = "rojo"
    VERDE = "verde"


class Fila(Modelo):
    n: int


class Todo(Modelo):
    nombre: str
    veces: int = 1
    importe: Decimal | None = None
    cuando: datetime | None = None
    color: Color = Color.ROJO
    filas: tuple[Fila, ...] = ()


BUENO = {
    "nombre": "a",
    "veces": 2,
    "importe": "10.50",
    "cuando": "2026-03-02T10:00:00+01:00",
    "color": "verde",
    "filas": [{"n": 1}, {"n": 2}],
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda dentro: st.lists(dentro, max_size=4) | st.dictionaries(st.text(max_size=8), dentro, max_size=4),
    max_leaves=12,
)


def test_lo_bueno_pasa_envuelto_o_no() -> None:
    suelto = validar(Todo, BUENO)
    assert isinstance(suelto, Todo)
    assert (suelto.importe, suelto.color, len(suelto.filas)) == (Decimal("10.50"), Color.VERDE, 2)
    assert validar(Todo, {"payload": BUENO}) == suelto


@pytest.mark.parametrize(
    ("argumentos", "campo", "mensaje"),
    [
        ({}, "nombre", "falta"),
        (None, "nombre", "falta"),
        ({"nombre": 3}, "nombre", "tiene que ser un texto"),
        ({"nombre": "a", "veces": "2"}, "veces", "tiene que ser un número entero"),
        ({"nombre": "a", "veces": True}, "veces", "tiene que ser un número entero"),
        ({"nombre": "a", "color": "azul"}, "color", "tiene que ser uno de: 'rojo' o 'verde'"),
        ({"nombre": "a", "filas": [{"n": 1}, {"n": "x"}]}, "filas.1.n", "tiene que ser un número entero"),
        ({"nombre": "a", "filas": {"n": 1}}, "filas", "tiene que ser una lista"),
        ({"nombre": "a", "cuando": "ayer"}, "cuando", "tiene que ser fecha y hora ISO con zona"),
        ({"nombre": "a", "sobra": 1}, "sobra", "este campo no existe"),
        ([1, 2], "", "tiene que ser un objeto"),
        ("texto", "", "tiene que ser un objeto"),
    ],
)
def test_cada_error_dice_su_campo_y_que_hacer(argumentos: object, campo: str, mensaje: str) -> None:
    assert validar(Todo, argumentos) == (ErrorCampo(campo=campo, mensaje=mensaje),)


def test_los_errores_no_repiten_lo_que_llego_ni_son_infinitos() -> None:
    errores = validar(
        Todo, {"nombre": "clave-secreta", "veces": "clave-secreta"} | {f"c{n}" * 60: n for n in range(99)}
    )
    assert isinstance(errores, tuple)
    assert len(errores) == ERRORES_MAX
    assert "clave-secreta" not in str(errores)
    assert max(len(e.campo) for e in errores) <= 80


def test_si_casi_todo_esta_mal_se_dice_de_una_vez() -> None:
    filas = [{"n": "x"}] * 5000
    assert validar(Todo, {"nombre": "a", "filas": filas}) == (
        ErrorCampo(campo="", mensaje="hay 5000 errores: manda menos elementos"),
    )


def test_lo_anidado_sin_fin_no_tumba_nada() -> None:
    hondo: object = 1
    for _ in range(100_000):
        hondo = [hondo]
    assert isinstance(validar(Todo, {"nombre": hondo}), tuple)


@given(JSON)
def test_llegue_lo_que_llegue_hay_modelo_o_errores_que_se_pueden_escribir(argumentos: object) -> None:
    validado = validar(Todo, argumentos)
    if isinstance(validado, tuple):
        assert validado
        assert all(e.mensaje.encode() and e.campo.encode() is not None for e in validado)
    else:
        assert isinstance(validado, Todo)
