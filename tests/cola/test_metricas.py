"""What an attempt used: what is not known is said, and only where nothing can have been spent it is nothing."""

from __future__ import annotations

from decimal import Decimal

import pytest

from nucleo.cola.metricas import NO_GASTAN, medir
from nucleo.cola.modelo import Causa
from nucleo.hermes.modelo import MetricasSesion
from nucleo.hermes.precios import Precio

PRECIOS = (Precio(proveedor="p", modelo="m", entrada=Decimal("1"), salida=Decimal("5")),)
LLENA = MetricasSesion(sesion_id="s", modelo="m", entrada=1_000_000, salida=200_000, llamadas=3)
VACIA = MetricasSesion(sesion_id="s")


def test_con_tokens_y_precio_se_sabe_todo() -> None:
    metricas = medir(LLENA, Causa.TERMINADO, "p", PRECIOS)
    assert (metricas.coste, metricas.incompletas, metricas.llamadas) == (Decimal("2"), False, 3)


def test_sin_precio_no_hay_coste_pero_los_tokens_estan_enteros() -> None:
    metricas = medir(LLENA, Causa.TERMINADO, "otro", PRECIOS)
    assert (metricas.coste, metricas.incompletas, metricas.entrada) == (None, False, 1_000_000)


@pytest.mark.parametrize("causa", list(Causa))
def test_sin_sesion_solo_se_sabe_si_no_llego_a_lanzarse(causa: Causa) -> None:
    metricas = medir(None, causa, "p", PRECIOS)
    assert metricas.incompletas is (causa is not Causa.NO_LANZADO)
    assert metricas.coste is None


@pytest.mark.parametrize("causa", list(Causa))
def test_una_sesion_sin_tokens_es_verdad_solo_si_el_proveedor_no_trabajo(causa: Causa) -> None:
    metricas = medir(VACIA, causa, "p", PRECIOS)
    assert metricas.incompletas is (causa not in NO_GASTAN)


@pytest.mark.parametrize("causa", list(Causa))
def test_una_sesion_partida_esta_siempre_incompleta_y_sin_coste(causa: Causa) -> None:
    metricas = medir(LLENA.model_copy(update={"partida": True}), causa, "p", PRECIOS)
    assert (metricas.coste, metricas.incompletas) == (None, True)
