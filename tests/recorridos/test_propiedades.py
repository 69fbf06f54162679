"""Random plans and random commands: whatever happens, the rules of a run hold."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from nucleo.recorridos import motor
from nucleo.recorridos.comandos import TipoComando
from nucleo.recorridos.errores import PlanInvalido
from nucleo.recorridos.plan import Paso, Plan
from nucleo.recorridos.validar import validar
from tests.recorridos.corrupciones import corrupcion_al_azar
from tests.recorridos.partida import INICIO, Partida
from tests.recorridos.planes import CASA, plan_al_azar, valores_de
from tests.recorridos.secuencias import FINALES, Jugador

EJEMPLOS = int(os.environ.get("SOBRE_EJEMPLOS", "180"))
"""Runs played in the normal test; the mutants ask for fewer."""
FASES = (Phase.generate,) if "SOBRE_EJEMPLOS" in os.environ else tuple(Phase)
"""A mutant only has to be caught, not explained by the smallest case."""
MINIMO = 20
SEMILLAS = st.integers(0, 2**64 - 1)
"""Everything comes from it: with more numbers to draw, Hypothesis repeats the seeds and tries the sizes instead."""
TAMANO_MAXIMO = 12


def _ajustes(ejemplos: int, *, fijos: bool) -> settings:
    return settings(
        max_examples=ejemplos,
        phases=FASES,
        derandomize=fijos,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def _plan(azar: Random) -> Plan:
    return plan_al_azar(azar, azar.randint(1, TAMANO_MAXIMO))


def _jugar(ejemplos: int, *, fijos: bool) -> Counter[tuple[str, str]]:
    cuenta: Counter[tuple[str, str]] = Counter()

    @_ajustes(ejemplos, fijos=fijos)
    @given(SEMILLAS)
    def jugar(semilla: int) -> None:
        azar = Random(semilla)
        una = Partida(azar, _plan(azar), cuenta)
        una.jugar(azar.randint(20, 70))
        una.terminar()
        una.reproducir()

    jugar()
    return cuenta


def _exigir_cobertura(cuenta: Counter[tuple[str, str]], minimo: int) -> None:
    pocas = {str(t): cuenta[str(t), "OK"] for t in TipoComando if cuenta[str(t), "OK"] < minimo}
    assert not pocas, f"commands that were hardly ever accepted: {pocas}"


def test_un_recorrido_cumple_siempre_sus_reglas() -> None:
    """All the rules, on runs with people, agents and intruders; each command is accepted twenty times or more."""
    cuenta = _jugar(EJEMPLOS, fijos=True)
    _exigir_cobertura(cuenta, MINIMO * EJEMPLOS // 180)


@pytest.mark.nocturno
def test_un_recorrido_cumple_siempre_sus_reglas_a_fondo() -> None:
    """Ten times more, and never the same."""
    _exigir_cobertura(_jugar(10 * EJEMPLOS, fijos=False), 10 * MINIMO)


class Formal(Jugador):
    """Answers each step always the same, whenever it is asked."""

    def salidas(self, paso: Paso) -> dict[str, JsonValue]:
        """By the step and nothing else."""
        azar = Random(paso.id)
        return {
            p.nombre: azar.choice(valores_de(p)) for p in paso.salidas if p.requerido or azar.random() < 0.5
        }


def _acabado(plan: Plan, semilla: int, quien: type[Jugador]) -> dict[str, object]:
    una = Partida(Random(7), plan, Counter())
    jugador = quien(Random(semilla), INICIO, sano=True)
    for _ in range(20 * len(plan.pasos) + 60):
        if str(una.foto.estado) in FINALES:
            break
        una.mandar(jugador.jugada(una.plan.plan, una.foto))
    assert str(una.foto.estado) == "completado"
    return {i: (p.estado, p.ramas, p.entradas, p.salidas) for i, p in una.foto.pasos.items()}


@_ajustes(max(5, EJEMPLOS // 4), fijos=True)
@given(SEMILLAS)
def test_el_orden_de_las_respuestas_no_cambia_donde_se_llega(semilla: int) -> None:
    """I35."""
    plan = _plan(Random(semilla))
    un_orden, otro = _acabado(plan, 1, Formal), _acabado(plan, 2, Formal)
    assert un_orden == otro


@_ajustes(max(20, EJEMPLOS // 2), fijos=True)
@given(SEMILLAS)
def test_un_plan_tejido_vale_y_se_lee_igual(semilla: int) -> None:
    plan = _plan(Random(semilla))
    valido = validar(plan, CASA)
    assert Plan.model_validate_json(plan.model_dump_json()) == plan
    assert list(valido.orden) != [] and set(valido.orden) == {p.id for p in plan.pasos}
    puestos = {i: n for n, i in enumerate(valido.orden)}
    assert all(puestos[d] < puestos[p.id] for p in plan.pasos for d in p.dependencias)
    assert motor.diferencia(plan, plan) == motor.Diferencia(anadidos=(), cambiados=(), quitados=())


@_ajustes(max(20, EJEMPLOS), fijos=True)
@given(SEMILLAS)
def test_un_plan_estropeado_no_vale_y_se_dice_donde(semilla: int) -> None:
    azar = Random(semilla)
    plan = _plan(azar)
    nombre, malo, paso = corrupcion_al_azar(azar, plan)
    with pytest.raises(PlanInvalido) as dicho:
        validar(malo, CASA)
    assert paso in {p.paso for p in dicho.value.problemas}, (nombre, dicho.value.problemas)
    assert all(p.mensaje and not p.mensaje.endswith(".") for p in dicho.value.problemas)
