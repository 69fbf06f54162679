"""The planner under every interleaving that hypothesis can think of."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dominios.licitaciones.radar.sincronizar.modelo import Reglas, Terminar
from tests.radar.sincronizar.maqueta import Azar, Lector, Maqueta, con_paginas, guion

MARGEN_VIVO = 5
"""Hours: short beside the pauses between passes, so that a margin never hides a lost window."""


class CanalVivo(RuleBasedStateMachine):
    """Whatever the source does and whenever the reader dies, nothing published is lost or claimed too early."""

    def __init__(self) -> None:
        super().__init__()
        self.maqueta = Maqueta()
        self.lector = Lector(self.maqueta)
        self.suelo: int | None = None

    @initialize(paginas=st.integers(0, 6), primera=st.sampled_from([24, 24 * 4, 10**6]))
    def empezar(self, paginas: int, primera: int) -> None:
        self.maqueta = con_paginas(paginas, cada_h=13)
        self.lector = Lector(self.maqueta, Reglas(margen=MARGEN_VIVO, primera=primera, minimo=0))

    @rule(cuantas=st.integers(1, 9), horas=st.integers(0, 30))
    def crece(self, cuantas: int, horas: int) -> None:
        self.maqueta.ahora += horas
        self.maqueta.anotar(cuantas)

    @rule(retraso=st.integers(0, MARGEN_VIVO), renombra=st.booleans())
    def llega_tarde(self, retraso: int, renombra: bool) -> None:
        self.maqueta.colar(retraso, renombra)

    @rule(cual=st.integers(0, 20))
    def renombra(self, cual: int) -> None:
        self.maqueta.renombrar(cual)

    @rule(atraso=st.none() | st.integers(0, 72))
    def saca_zip(self, atraso: int | None) -> None:
        self.maqueta.zip_hasta = None if atraso is None else self.maqueta.ahora - atraso

    @rule(
        suertes=st.lists(
            st.sampled_from([*[Azar.BIEN] * 5, Azar.FALLA, Azar.AUSENTE, Azar.MUERTE]), max_size=30
        ),
        cambios=st.lists(st.sampled_from(["nada", "nada", "crece", "renombra", "tarde"]), max_size=30),
    )
    def pasa(self, suertes: list[Azar], cambios: list[str]) -> None:
        def entre() -> None:
            match cambios.pop() if cambios else "nada":
                case "crece":
                    self.maqueta.ahora += 1
                    self.maqueta.anotar(2)
                case "renombra":
                    self.maqueta.renombrar(len(cambios))
                case "tarde":
                    self.maqueta.colar(min(len(cambios), MARGEN_VIVO), renombra=True)
            self._mirar()

        self.lector.pasar(guion(*suertes), entre)

    def _mirar(self) -> None:
        if self.suelo is None:
            self.suelo = self.lector.estado.marca

    @invariant()
    def la_marca_no_pasa_de_un_hueco(self) -> None:
        self._mirar()
        marca, suelo = self.lector.estado.marca, self.suelo
        if marca is None or suelo is None:
            return
        debidas = {c for c in self.maqueta.cosas if suelo <= c.instante < marca - MARGEN_VIVO}
        assert debidas <= self.lector.almacen

    @precondition(lambda self: self.lector.pedidas)
    @rule()
    def en_calma_llega_todo(self) -> None:
        for _ in range(2):
            self.maqueta.anotar(1)
            # A stuck window tries its remedies in passes 1, 2, 4, 8…
            for _ in range(20):
                marcha = self.lector.pasar()
                assert marcha is not None
                if marcha.accion == Terminar(completa=True):
                    break
            else:
                raise AssertionError("no se recupera")
            self._mirar()
        assert self.suelo is not None
        assert {c for c in self.maqueta.cosas if c.instante >= self.suelo} <= self.lector.almacen
        assert self.lector.estado.marca == max(c.instante for c in self.maqueta.cosas)

    def teardown(self) -> None:
        if self.lector.pedidas:
            self.en_calma_llega_todo()


CanalVivo.TestCase.settings = settings(
    max_examples=150, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestCanalVivo = CanalVivo.TestCase


@given(muertes=st.lists(st.integers(0, 14), max_size=6), paginas=st.integers(0, 12))
@settings(max_examples=200, deadline=None)
def test_morir_en_cualquier_paso_acaba_en_el_mismo_estado(muertes: list[int], paginas: int) -> None:
    tranquilo = Lector(con_paginas(paginas))
    tranquilo.pasar()
    matado = Lector(con_paginas(paginas))
    for paso in muertes:
        matado.pasar(azar=guion(*[Azar.BIEN] * paso, Azar.MUERTE))
    matado.pasar()
    assert (matado.estado, matado.almacen) == (tranquilo.estado, tranquilo.almacen)
