"""A form asks for every type of a contract, and what it reads is what the contract takes, or it says why not."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import JsonValue

from app.piezas.formulario import Control, Escrito, campos, leer
from nucleo.recorridos.plan import Formulario, Puerto, Tipo
from nucleo.recorridos.valores import problema_de

CONTROLES = {
    Tipo.TEXTO: Control.TEXTO,
    Tipo.NUMERO: Control.LINEA,
    Tipo.ENTERO: Control.ENTERO,
    Tipo.BOOLEANO: Control.SI_NO,
    Tipo.OBJETO: Control.JSON,
    Tipo.LISTA: Control.LISTA,
    Tipo.OPCION: Control.RADIO,
    Tipo.FECHA: Control.FECHA,
    Tipo.IMPORTE: Control.LINEA,
    Tipo.ARTEFACTO: Control.ARTEFACTO,
}


def puerto(tipo: Tipo, *, requerido: bool = False, opciones: tuple[str, ...] = ()) -> Puerto:
    return Puerto(nombre="dato", tipo=tipo, requerido=requerido, opciones=opciones)


def leido(tipo: Tipo, escrito: Escrito, opciones: tuple[str, ...] = ()) -> JsonValue:
    """The value, or the problem as a tuple of one."""
    lectura = leer((puerto(tipo, opciones=opciones),), {"dato": escrito}, {})
    return lectura.salidas["dato"] if not lectura.problemas else list(lectura.problemas.values())


@pytest.mark.parametrize("tipo", list(Tipo))
def test_cada_tipo_tiene_su_control(tipo: Tipo) -> None:
    opciones = ("a", "b") if tipo is Tipo.OPCION else ()
    (campo,) = campos((puerto(tipo, opciones=opciones),))
    assert campo.control is CONTROLES[tipo]
    assert (campo.rotulo, campo.opciones) == ("Dato", opciones)


def test_los_rotulos_son_los_del_contrato_y_muchas_opciones_se_despliegan() -> None:
    formulario = Formulario(etiqueta="¿Vale?", ayuda="Piénsalo", si="Vale", no="No vale")
    vale = Puerto(nombre="vale", tipo=Tipo.BOOLEANO, requerido=True, formulario=formulario)
    muchas = puerto(Tipo.OPCION, opciones=tuple("abcdefg"))
    uno, otro = campos((vale, muchas))
    assert (uno.rotulo, uno.ayuda, uno.si, uno.no, uno.requerido) == (
        *("¿Vale?", "Piénsalo", "Vale", "No vale"),
        True,
    )
    assert otro.control is Control.DESPLEGABLE


@pytest.mark.parametrize(
    ("tipo", "escrito", "valor"),
    [
        (Tipo.TEXTO, "  dos  palabras ", "dos  palabras"),
        (Tipo.IMPORTE, "1234,50", "1234.50"),
        (Tipo.IMPORTE, "1.234.567,8 €", "1234567.8"),
        (Tipo.IMPORTE, "1234.50", "1234.50"),
        (Tipo.IMPORTE, "-007", "-7"),
        (Tipo.IMPORTE, "1.234.567", "1234567"),
        (Tipo.NUMERO, "12,5", 12.5),
        (Tipo.NUMERO, "3", 3),
        (Tipo.ENTERO, 0, 0),
        (Tipo.BOOLEANO, False, False),
        (Tipo.FECHA, date(2026, 2, 28), "2026-02-28"),
        (Tipo.LISTA, "uno\n\n dos \n", ["uno", "dos"]),
        (Tipo.OBJETO, '{"a": null}', {"a": None}),
    ],
    ids=lambda v: str(v).replace("\n", "/"),
)
def test_lo_escrito_se_lee(tipo: Tipo, escrito: Escrito, valor: JsonValue) -> None:
    assert leido(tipo, escrito) == valor


@pytest.mark.parametrize(
    ("tipo", "escrito", "dicho"),
    [
        (Tipo.IMPORTE, "1.234", "de dos maneras: escribe 1234 o 1234,00"),
        (Tipo.IMPORTE, "12,34,5", "coma decimal"),
        (Tipo.IMPORTE, "mil", "coma decimal"),
        (Tipo.IMPORTE, "1,1234567", "un importe"),
        (Tipo.NUMERO, "1e400", "coma decimal"),
        (Tipo.NUMERO, "٣", "coma decimal"),
        (Tipo.OBJETO, "[1]", "un objeto"),
        (Tipo.OBJETO, '{"a": NaN}', "«NaN» no es un número"),
        (Tipo.OBJETO, '{\n"a"', "no es JSON bien escrito, en la línea 2"),
        (Tipo.OBJETO, "[" * 5000, "no es JSON bien escrito"),
        (Tipo.OPCION, "c", "una de: a, b"),
        (Tipo.ARTEFACTO, "otra cosa", "identificador de un artefacto"),
    ],
    ids=lambda v: str(v)[:20],
)
def test_lo_que_no_vale_dice_por_que(tipo: Tipo, escrito: Escrito, dicho: str) -> None:
    (problema,) = leido(tipo, escrito, ("a", "b") if tipo is Tipo.OPCION else ())  # type: ignore[misc]
    assert dicho in str(problema)


@pytest.mark.parametrize("tipo", list(Tipo))
@pytest.mark.parametrize("vacio", [None, "", " \n"], ids=["nada", "vacio", "blancos"])
def test_lo_que_no_se_contesta_no_se_manda_y_si_hace_falta_se_dice(tipo: Tipo, vacio: Escrito) -> None:
    opciones = ("a",) if tipo is Tipo.OPCION else ()
    opcional = leer((puerto(tipo, opciones=opciones),), {"dato": vacio}, {})
    assert (opcional.salidas, opcional.problemas) == ({}, {})
    requerida = leer((puerto(tipo, requerido=True, opciones=opciones),), {"dato": vacio}, {})
    assert requerida.problemas == {"dato": "hace falta"}


ESCRITO = st.none() | st.booleans() | st.integers() | st.dates() | st.text(max_size=30)
NUMEROS = st.text("0123456789.,-€ ", max_size=14)


@given(tipo=st.sampled_from(Tipo), escrito=ESCRITO | NUMEROS)
@example(Tipo.NUMERO, 2**53)
def test_lo_que_se_manda_lo_toma_siempre_el_contrato(tipo: Tipo, escrito: Escrito) -> None:
    uno = puerto(tipo, opciones=("a", "b") if tipo is Tipo.OPCION else ())
    lectura = leer((uno,), {"dato": escrito}, {})
    assert not (lectura.salidas and lectura.problemas)
    for valor in lectura.salidas.values():
        assert problema_de(uno, valor, {}) is None


@given(st.decimals(-(10**9), 10**9, places=2))
def test_un_importe_escrito_a_la_espanola_vuelve_igual(importe: Decimal) -> None:
    escrito = f"{importe:,.2f}".translate(str.maketrans(",.", ".,"))
    assert Decimal(str(leido(Tipo.IMPORTE, escrito))) == importe
