"""The table of states: closed, without dead ends, and the only way from one state to another."""

from __future__ import annotations

import itertools

import pytest

from nucleo.cola.modelo import EstadoIntento, EstadoTrabajo
from nucleo.cola.transiciones import ABIERTOS, TABLA, TERMINALES, Suceso, TransicionImposible, mover

VIVOS = {(p.trabajo, p.intento) for p in TABLA}
LLEGADAS = {(p.a_trabajo, p.a_intento if p.a_intento in ABIERTOS else None) for p in TABLA}
SE_SIGUE = {Suceso.ARRANCAR, Suceso.PERDER_PISTA, Suceso.CERRAR, Suceso.ACABAR, Suceso.DEVOLVER}


def test_cada_estado_y_suceso_lleva_a_un_solo_sitio() -> None:
    claves = [(p.trabajo, p.intento, p.suceso) for p in TABLA]
    assert len(claves) == len(set(claves))


def test_a_todo_estado_se_llega_y_de_todo_estado_que_no_es_final_se_sale() -> None:
    inicio = {(EstadoTrabajo.PENDIENTE, None)}
    assert VIVOS - inicio <= LLEGADAS
    assert {par for par in LLEGADAS if par[0] not in TERMINALES} <= VIVOS
    assert {t for t, _ in VIVOS | LLEGADAS} == set(EstadoTrabajo)
    assert {p.a_intento for p in TABLA} - {None} == set(EstadoIntento)


def test_hay_intento_abierto_si_y_solo_si_el_trabajo_esta_en_marcha() -> None:
    en_marcha = {EstadoTrabajo.EN_CURSO, EstadoTrabajo.CANCELANDO}
    for trabajo, intento in VIVOS | LLEGADAS:
        assert (trabajo in en_marcha) == (intento in ABIERTOS), (trabajo, intento)


def test_desde_cualquier_intento_abierto_se_llega_al_final_sin_que_nadie_intervenga() -> None:
    for inicio in VIVOS:
        if inicio[1] is None:
            continue
        vistos, frente = {inicio}, [inicio]
        while frente:
            estado = frente.pop()
            for paso in TABLA:
                if (paso.trabajo, paso.intento) == estado and paso.suceso in SE_SIGUE:
                    siguiente = (paso.a_trabajo, paso.a_intento if paso.a_intento in ABIERTOS else None)
                    if siguiente not in vistos:
                        vistos.add(siguiente)
                        frente.append(siguiente)
        assert any(t in TERMINALES for t, _ in vistos), inicio


def test_solo_se_cierra_un_intento_desde_cerrando_o_antes_de_lanzar() -> None:
    for paso in TABLA:
        if paso.intento in ABIERTOS and paso.a_intento not in ABIERTOS:
            assert paso.intento is EstadoIntento.CERRANDO or paso.suceso is Suceso.DEVOLVER, paso


def test_lo_cancelado_por_una_persona_no_vuelve_a_la_cola_solo() -> None:
    for paso in TABLA:
        if paso.trabajo is EstadoTrabajo.CANCELANDO:
            assert paso.a_trabajo in (EstadoTrabajo.CANCELANDO, EstadoTrabajo.CANCELADO)


def test_lo_que_no_esta_en_la_tabla_no_ocurre() -> None:
    claves = {(p.trabajo, p.intento, p.suceso) for p in TABLA}
    for trio in itertools.product(EstadoTrabajo, [*EstadoIntento, None], Suceso):
        if trio in claves:
            assert mover(*trio).trabajo is trio[0]
        else:
            with pytest.raises(TransicionImposible):
                mover(*trio)
