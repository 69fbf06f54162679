"""Random runs over the store, cut at any statement: each command is done once or not at all, as the engine says."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nucleo.recorridos.comandos import TipoComando
from tests.recorridos.almacen.mesa import Cuenta, Mesa


def _jugar(ejemplos: int, *, fijos: bool) -> Cuenta:
    cuenta = Cuenta()

    @settings(
        max_examples=ejemplos,
        derandomize=fijos,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(20, 60))
    def jugar(semilla: int, tamano: int, jugadas: int) -> None:
        with tempfile.TemporaryDirectory() as carpeta:
            mesa = Mesa(Path(carpeta), semilla, tamano, cuenta)
            mesa.jugar(jugadas)
            mesa.cerrar()

    jugar()
    return cuenta


def _exigir_cobertura(cuenta: Cuenta, aceptados: int, enteros: int) -> None:
    pocos = {t: n for t in TipoComando if (n := cuenta.desenlaces[str(t), "OK"]) < aceptados}
    assert not pocos, f"hardly ever accepted: {pocos}"
    pocos = {t: n for t in TipoComando if (n := cuenta.enteros[str(t)]) < enteros}
    assert not pocos, f"hardly ever cut at each statement: {pocos}"


def test_se_hace_una_vez_o_ninguna() -> None:
    _exigir_cobertura(_jugar(45, fijos=True), 2, 2)


@pytest.mark.nocturno
def test_se_hace_una_vez_o_ninguna_a_fondo() -> None:
    _exigir_cobertura(_jugar(800, fijos=False), 20, 10)
