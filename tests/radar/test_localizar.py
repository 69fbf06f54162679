"""A tender is found by its full id or by its tail, as people have them at hand."""

from __future__ import annotations

import pytest

from dominios.licitaciones.radar.consulta import localizar
from nucleo.errores import ErrorEntrada, NoEncontrado
from tests.radar.caja import Caja
from tests.radar.constructor import T0, entrada, ident, pagina


def test_por_su_id_entero_o_por_el_final(caja: Caja) -> None:
    caja.guardar(pagina(entrada(1), entrada(2)))
    assert localizar(caja.con, f" {ident(1)} ") == localizar(caja.con, "1") != localizar(caja.con, "2")


def test_un_id_copiado_de_una_pagina_trae_caracteres_invisibles(caja: Caja) -> None:
    caja.guardar(pagina(entrada(1)))
    copiado = ident(1).replace("://", ":\N{WORD JOINER}//") + "\N{ZERO WIDTH SPACE}"
    assert localizar(caja.con, copiado) == caja.id(1)


def test_un_final_de_dos_conjuntos_es_ambiguo_y_uno_de_ninguno_no_existe(caja: Caja) -> None:
    caja.guardar(pagina(entrada(1, T0)), pagina(entrada(1, T0, fuente="1044"), fuente="1044"))
    with pytest.raises(ErrorEntrada, match="ambiguo"):
        localizar(caja.con, "1")
    with pytest.raises(NoEncontrado):
        localizar(caja.con, "7")
