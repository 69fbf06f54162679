"""The planner, rule by rule and under every interleaving that hypothesis can think of."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dominios.licitaciones.radar.sincronizar import plan
from dominios.licitaciones.radar.sincronizar.modelo import Estado, Reglas, Terminar, Ventana
from tests.radar.sincronizar.maqueta import CABECERA, Azar, Cosa, Lector, Maqueta


def _con_paginas(paginas: int, cada_h: int = 24) -> Maqueta:
    """A head and `paginas` frozen pages, three items every `cada_h` hours."""
    maqueta = Maqueta()
    for _ in range(paginas + 1):
        maqueta.ahora += cada_h
        maqueta.anotar(3)
    return maqueta


def _guion(*suertes: Azar):  # type: ignore[no-untyped-def]
    resto = list(suertes)
    return lambda: resto.pop(0) if resto else Azar.BIEN


def _acaba(lector: Lector, **extra: object) -> bool:
    marcha = lector.pasar(**extra)  # type: ignore[arg-type]
    assert marcha is not None
    assert isinstance(marcha.accion, Terminar)
    return marcha.accion.completa


def test_la_primera_pasada_lee_toda_la_cadena_y_la_marca_es_lo_mas_antiguo() -> None:
    lector = Lector(_con_paginas(5))
    assert _acaba(lector)
    assert lector.almacen == lector.maqueta.cosas
    assert lector.estado.marca == min(lector.almacen).instante
    assert lector.estado.ventanas == ()


def test_la_segunda_avanza_la_marca_y_la_tercera_solo_baja_el_margen() -> None:
    lector = Lector(_con_paginas(9))
    lector.pasar()
    lector.maqueta.anotar(1)
    lector.pasar()
    assert lector.estado.marca == lector.maqueta.ahora
    lector.pedidas.clear()
    lector.maqueta.ahora += 1
    lector.maqueta.anotar(1)
    assert _acaba(lector)
    # 24 h a page: head, two pages within the 48 h margin and the one that lies wholly at or beyond it.
    assert len(lector.pedidas) == 4


def test_sin_cambios_no_se_pide_nada_mas() -> None:
    lector = Lector(_con_paginas(3))
    lector.pasar()
    lector.pedidas.clear()
    assert _acaba(lector)
    assert lector.pedidas == []


def test_la_primera_pasada_para_a_los_dias_dados_si_ya_leyo_bastante() -> None:
    lector = Lector(_con_paginas(20), Reglas(margen=48, primera=24 * 5, minimo=0))
    assert _acaba(lector)
    assert len(lector.pedidas) == 1 + 5
    assert lector.estado.marca == min(lector.almacen).instante


def test_la_primera_pasada_sigue_bajando_mientras_haya_leido_poco() -> None:
    lector = Lector(_con_paginas(20), Reglas(margen=48, primera=24 * 5, minimo=36))
    lector.pasar()
    assert len(lector.almacen) == 36


def test_un_instante_absurdo_no_hunde_la_marca() -> None:
    lector = Lector(_con_paginas(20), Reglas(margen=48, primera=24 * 5, minimo=1))
    lector.maqueta.hojas[6].cosas.append(Cosa(-(10**9), 10**6))
    lector.pasar()
    assert lector.estado.marca is not None
    assert lector.estado.marca > 0


def test_un_instante_del_futuro_no_adelanta_la_marca() -> None:
    lector = Lector(_con_paginas(5))
    lector.pasar()
    lector.maqueta.cabeza.insert(0, Cosa(10**9, 10**6))
    lector.maqueta.edicion += 1
    lector.pasar()
    assert lector.estado.marca == lector.maqueta.ahora


def test_una_pasada_cortada_deja_ventana_y_la_siguiente_sigue_por_su_cursor() -> None:
    lector = Lector(_con_paginas(6))
    assert not _acaba(lector, azar=_guion(*[Azar.BIEN] * 3, Azar.FALLA))
    assert lector.estado.marca is None
    (ventana,) = lector.estado.ventanas
    lector.pedidas.clear()
    assert _acaba(lector)
    assert lector.pedidas[0] == ventana.cursor
    assert CABECERA not in lector.pedidas
    assert lector.almacen == lector.maqueta.cosas


def test_una_ventana_nueva_se_abre_sobre_la_pendiente_y_se_unen() -> None:
    lector = Lector(_con_paginas(12))
    lector.pasar(azar=_guion(*[Azar.BIEN] * 6, Azar.FALLA))
    lector.maqueta.ahora += 24
    lector.maqueta.anotar(3)
    lector.pedidas.clear()
    assert _acaba(lector)
    assert lector.almacen == lector.maqueta.cosas
    # Head, two pages of margin, the one beyond, and the seven that were left: what was read deep is not read again.
    assert len(lector.pedidas) == 4 + 7


def test_la_marca_no_se_mueve_mientras_quede_un_tramo_por_leer() -> None:
    lector = Lector(_con_paginas(8))
    lector.pasar()
    lector.maqueta.anotar(1)
    lector.pasar()
    marca = lector.estado.marca
    for _ in range(10):
        lector.maqueta.ahora += 24
        lector.maqueta.anotar(3)
    assert not _acaba(lector, azar=_guion(Azar.BIEN, Azar.BIEN, Azar.FALLA))
    assert lector.estado.marca == marca
    assert _acaba(lector)
    assert lector.estado.marca == lector.maqueta.ahora


def test_una_pagina_renombrada_se_encuentra_volviendo_a_la_cabecera() -> None:
    lector = Lector(_con_paginas(6))
    pedidas = iter(range(100))

    def entre() -> None:
        if next(pedidas) == 2:
            lector.maqueta.renombrar(2)
            lector.maqueta.renombrar(3)

    assert _acaba(lector, entre=entre)
    assert lector.pedidas.count(CABECERA) == 2
    assert lector.almacen == lector.maqueta.cosas


def test_un_cursor_que_ya_no_existe_tambien() -> None:
    lector = Lector(_con_paginas(6))
    lector.pasar(azar=_guion(Azar.BIEN, Azar.BIEN, Azar.FALLA))
    for cual in range(6):
        lector.maqueta.renombrar(cual)
    lector.maqueta.edicion = int((lector.estado.cabecera.etag if lector.estado.cabecera else None) or 0)
    assert _acaba(lector)
    assert lector.almacen == lector.maqueta.cosas


def test_un_cursor_heredado_que_falla_se_busca_de_nuevo_desde_la_cabecera() -> None:
    lector = Lector(_con_paginas(6))
    lector.pasar(azar=_guion(Azar.BIEN, Azar.BIEN, Azar.FALLA))
    lector.pedidas.clear()
    assert _acaba(lector, azar=_guion(Azar.BIEN, Azar.FALLA))
    assert CABECERA in lector.pedidas


def test_lo_que_no_aparece_se_busca_en_el_zip_del_mes() -> None:
    lector = Lector(_con_paginas(6))
    lector.maqueta.zip_hasta = lector.maqueta.ahora
    siempre_falta = lector.maqueta.hojas[3]
    nombre = siempre_falta.nombre
    original = lector.maqueta.leer
    lector.maqueta.leer = lambda n: None if n == nombre else original(n)  # type: ignore[method-assign]
    assert _acaba(lector)
    assert lector.almacen == lector.maqueta.cosas


@pytest.mark.parametrize("zip_hasta", [None, 0])
def test_sin_zip_o_con_uno_atrasado_queda_pendiente_con_alarma(zip_hasta: int | None) -> None:
    lector = Lector(_con_paginas(6))
    lector.maqueta.zip_hasta = zip_hasta
    nombre = lector.maqueta.hojas[3].nombre
    original = lector.maqueta.leer
    lector.maqueta.leer = lambda n: None if n == nombre else original(n)  # type: ignore[method-assign]
    marcha = lector.pasar()
    assert marcha is not None
    assert marcha.accion == Terminar(completa=False)
    assert len(marcha.alarmas) == 1 + (zip_hasta is not None)
    assert lector.estado.marca is None
    lector.maqueta.leer = original  # type: ignore[method-assign]
    assert _acaba(lector)
    assert lector.almacen == lector.maqueta.cosas


def test_los_remedios_caros_se_espacian() -> None:
    lector = Lector(_con_paginas(6))
    nombre = lector.maqueta.hojas[3].nombre
    original = lector.maqueta.leer
    lector.maqueta.leer = lambda n: None if n == nombre else original(n)  # type: ignore[method-assign]
    cabeceras = []
    for _ in range(9):
        lector.pedidas.clear()
        lector.pasar()
        cabeceras.append(lector.pedidas.count(CABECERA))
    assert cabeceras == [3, 2, 2, 0, 2, 0, 0, 0, 2]


def test_una_cosa_vieja_suelta_no_acaba_la_bajada() -> None:
    lector = Lector(_con_paginas(8))
    lector.pasar()
    lector.maqueta.anotar(1)
    lector.pasar()
    for _ in range(6):
        lector.maqueta.ahora += 24
        lector.maqueta.anotar(3)
    lector.maqueta.hojas[1].cosas.append(Cosa(1, 10**6))
    assert _acaba(lector)
    assert lector.almacen == lector.maqueta.cosas


def test_al_volver_a_la_cabecera_lo_leido_mas_abajo_no_tapa_el_hueco_de_arriba() -> None:
    lector = Lector(_con_paginas(6))
    lector.pasar(azar=_guion(*[Azar.BIEN] * 4, Azar.FALLA))
    (ventana,) = lector.estado.ventanas
    lector.maqueta.zip_hasta = ventana.fondo + 1
    for _ in range(4):
        lector.maqueta.ahora += 1
        lector.maqueta.anotar(3)
    lector.estado = lector.estado.model_copy(update={"cabecera": None})
    # The old cursor is gone and, walking again from the head, the page under it cannot be had either.
    marcha = lector.pasar(azar=_guion(Azar.BIEN, *[Azar.AUSENTE, Azar.BIEN] * 3, Azar.AUSENTE, Azar.BIEN))
    assert marcha is not None
    assert marcha.accion == Terminar(completa=False)
    assert lector.estado.marca is None


def test_una_cadena_que_acaba_antes_de_lo_conocido_no_mueve_la_marca() -> None:
    lector = Lector(_con_paginas(8))
    lector.pasar()
    lector.maqueta.anotar(1)
    lector.pasar()
    marca = lector.estado.marca
    for _ in range(8):
        lector.maqueta.ahora += 24
        lector.maqueta.anotar(3)
    enteras, lector.maqueta.hojas = lector.maqueta.hojas, lector.maqueta.hojas[:1]
    marcha = lector.pasar()
    assert marcha is not None
    assert marcha.accion == Terminar(completa=False)
    assert "cadena_cortada" in {a.codigo for a in marcha.alarmas}
    assert lector.estado.marca == marca
    lector.maqueta.hojas = enteras
    lector.maqueta.anotar(1)
    assert _acaba(lector)
    assert lector.almacen == lector.maqueta.cosas


def test_una_cadena_corta_dentro_del_margen_es_el_final() -> None:
    lector = Lector(_con_paginas(0))
    lector.pasar()
    lector.maqueta.cabeza = [Cosa(lector.maqueta.ahora + 1, 99)]
    lector.maqueta.ahora += 1
    lector.maqueta.edicion += 1
    assert _acaba(lector)
    assert lector.estado.marca == lector.maqueta.ahora


def test_una_cadena_en_bucle_no_da_vueltas() -> None:
    lector = Lector(_con_paginas(3))
    original = lector.maqueta.leer
    primera = lector.maqueta.hojas[0].nombre

    def en_bucle(nombre: str):  # type: ignore[no-untyped-def]
        hallada = original(nombre)
        if hallada is None or hallada[0].siguiente is not None:
            return hallada
        return hallada[0].model_copy(update={"siguiente": primera}), hallada[1]

    lector.maqueta.leer = en_bucle  # type: ignore[method-assign]
    marcha = lector.pasar()
    assert marcha is not None
    assert {a.codigo for a in marcha.alarmas} == {"cadena_en_bucle"}
    assert len(lector.pedidas) == 4


def test_una_pasada_larguisima_se_deja_y_la_siguiente_sigue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "PAGINAS_MAXIMAS", 3)
    lector = Lector(_con_paginas(6))
    assert not _acaba(lector)
    assert len(lector.pedidas) == 3
    assert not _acaba(lector)
    assert _acaba(lector)
    assert lector.almacen == lector.maqueta.cosas


def test_un_canal_vacio_no_inventa_marca() -> None:
    lector = Lector(Maqueta())
    assert _acaba(lector)
    assert lector.estado.marca is None
    assert lector.estado.ventanas == ()
    lector.maqueta.anotar(2)
    assert _acaba(lector)
    assert lector.almacen == lector.maqueta.cosas


def test_las_ventanas_de_otra_version_se_leen_igual() -> None:
    ventana = Ventana(techo=9, fondo=5, suelo=1, cursor="u", leidas=3, minimo=0)
    estado = Estado(marca=1, ventanas=(ventana,))
    assert Estado.model_validate_json(estado.model_dump_json()) == estado


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
        self.maqueta = _con_paginas(paginas, cada_h=13)
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

        self.lector.pasar(_guion(*suertes), entre)

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
    tranquilo = Lector(_con_paginas(paginas))
    tranquilo.pasar()
    matado = Lector(_con_paginas(paginas))
    for paso in muertes:
        matado.pasar(azar=_guion(*[Azar.BIEN] * paso, Azar.MUERTE))
    matado.pasar()
    assert (matado.estado, matado.almacen) == (tranquilo.estado, tranquilo.almacen)
