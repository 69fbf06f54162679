"""The planner, rule by rule and under every interleaving that hypothesis can think of."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dominios.licitaciones.radar.sincronizar import plan
from dominios.licitaciones.radar.sincronizar.modelo import Estado, Reglas, Terminar, Ventana
from tests.radar.sincronizar.maqueta import CABECERA, Azar, Cosa, Lector, Maqueta, con_paginas, guion


def _acaba(
    lector: Lector,
    azar: Callable[[], Azar] = lambda: Azar.BIEN,
    entre: Callable[[], None] = lambda: None,
) -> bool:
    marcha = lector.pasar(azar, entre)
    assert marcha is not None
    assert isinstance(marcha.accion, Terminar)
    return marcha.accion.completa


def test_la_primera_pasada_lee_toda_la_cadena_y_la_marca_es_lo_mas_antiguo() -> None:
    lector = Lector(con_paginas(5))
    assert _acaba(lector)
    assert lector.almacen == lector.maqueta.cosas
    assert lector.estado.marca == min(lector.almacen).instante
    assert lector.estado.ventanas == ()


def test_la_segunda_avanza_la_marca_y_la_tercera_solo_baja_el_margen() -> None:
    lector = Lector(con_paginas(9))
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
    lector = Lector(con_paginas(3))
    lector.pasar()
    lector.pedidas.clear()
    assert _acaba(lector)
    assert lector.pedidas == []


def test_la_primera_pasada_para_a_los_dias_dados_si_ya_leyo_bastante() -> None:
    lector = Lector(con_paginas(20), Reglas(margen=48, primera=24 * 5, minimo=0))
    assert _acaba(lector)
    assert len(lector.pedidas) == 1 + 5
    assert lector.estado.marca == min(lector.almacen).instante


def test_la_primera_pasada_sigue_bajando_mientras_haya_leido_poco() -> None:
    lector = Lector(con_paginas(20), Reglas(margen=48, primera=24 * 5, minimo=36))
    lector.pasar()
    assert len(lector.almacen) == 36


def test_un_instante_absurdo_no_hunde_la_marca() -> None:
    lector = Lector(con_paginas(20), Reglas(margen=48, primera=24 * 5, minimo=1))
    lector.maqueta.hojas[6].cosas.append(Cosa(-(10**9), 10**6))
    lector.pasar()
    assert lector.estado.marca is not None
    assert lector.estado.marca > 0


def test_un_instante_del_futuro_no_adelanta_la_marca() -> None:
    lector = Lector(con_paginas(5))
    lector.pasar()
    lector.maqueta.cabeza.insert(0, Cosa(10**9, 10**6))
    lector.maqueta.edicion += 1
    lector.pasar()
    assert lector.estado.marca == lector.maqueta.ahora


def test_una_pasada_cortada_deja_ventana_y_la_siguiente_sigue_por_su_cursor() -> None:
    lector = Lector(con_paginas(6))
    assert not _acaba(lector, azar=guion(*[Azar.BIEN] * 3, Azar.FALLA))
    assert lector.estado.marca is None
    (ventana,) = lector.estado.ventanas
    lector.pedidas.clear()
    assert _acaba(lector)
    assert lector.pedidas[0] == ventana.cursor
    assert CABECERA not in lector.pedidas
    assert lector.almacen == lector.maqueta.cosas


def test_una_ventana_nueva_se_abre_sobre_la_pendiente_y_se_unen() -> None:
    lector = Lector(con_paginas(12))
    lector.pasar(azar=guion(*[Azar.BIEN] * 6, Azar.FALLA))
    lector.maqueta.ahora += 24
    lector.maqueta.anotar(3)
    lector.pedidas.clear()
    assert _acaba(lector)
    assert lector.almacen == lector.maqueta.cosas
    # Head, two pages of margin, the one beyond, and the seven that were left: what was read deep is not read again.
    assert len(lector.pedidas) == 4 + 7


def test_la_marca_no_se_mueve_mientras_quede_un_tramo_por_leer() -> None:
    lector = Lector(con_paginas(8))
    lector.pasar()
    lector.maqueta.anotar(1)
    lector.pasar()
    marca = lector.estado.marca
    for _ in range(10):
        lector.maqueta.ahora += 24
        lector.maqueta.anotar(3)
    assert not _acaba(lector, azar=guion(Azar.BIEN, Azar.BIEN, Azar.FALLA))
    assert lector.estado.marca == marca
    assert _acaba(lector)
    assert lector.estado.marca == lector.maqueta.ahora


def test_una_pagina_renombrada_se_encuentra_volviendo_a_la_cabecera() -> None:
    lector = Lector(con_paginas(6))
    pedidas = iter(range(100))

    def entre() -> None:
        if next(pedidas) == 2:
            lector.maqueta.renombrar(2)
            lector.maqueta.renombrar(3)

    assert _acaba(lector, entre=entre)
    assert lector.pedidas.count(CABECERA) == 2
    assert lector.almacen == lector.maqueta.cosas


def test_un_cursor_que_ya_no_existe_tambien() -> None:
    lector = Lector(con_paginas(6))
    lector.pasar(azar=guion(Azar.BIEN, Azar.BIEN, Azar.FALLA))
    for cual in range(6):
        lector.maqueta.renombrar(cual)
    lector.maqueta.edicion = int((lector.estado.cabecera.etag if lector.estado.cabecera else None) or 0)
    assert _acaba(lector)
    assert lector.almacen == lector.maqueta.cosas


def test_un_cursor_heredado_que_falla_se_busca_de_nuevo_desde_la_cabecera() -> None:
    lector = Lector(con_paginas(6))
    lector.pasar(azar=guion(Azar.BIEN, Azar.BIEN, Azar.FALLA))
    lector.pedidas.clear()
    assert _acaba(lector, azar=guion(Azar.BIEN, Azar.FALLA))
    assert CABECERA in lector.pedidas


def test_lo_que_no_aparece_se_busca_en_el_zip_del_mes() -> None:
    lector = Lector(con_paginas(6))
    lector.maqueta.zip_hasta = lector.maqueta.ahora
    siempre_falta = lector.maqueta.hojas[3]
    nombre = siempre_falta.nombre
    lector.maqueta.perdidas = {nombre}
    assert _acaba(lector)
    assert lector.almacen == lector.maqueta.cosas


@pytest.mark.parametrize("zip_hasta", [None, 0])
def test_sin_zip_o_con_uno_atrasado_queda_pendiente_con_alarma(zip_hasta: int | None) -> None:
    lector = Lector(con_paginas(6))
    lector.maqueta.zip_hasta = zip_hasta
    nombre = lector.maqueta.hojas[3].nombre
    lector.maqueta.perdidas = {nombre}
    marcha = lector.pasar()
    assert marcha is not None
    assert marcha.accion == Terminar(completa=False)
    assert len(marcha.alarmas) == 1 + (zip_hasta is not None)
    assert lector.estado.marca is None
    lector.maqueta.perdidas = set()
    assert _acaba(lector)
    assert lector.almacen == lector.maqueta.cosas


def test_los_remedios_caros_se_espacian() -> None:
    lector = Lector(con_paginas(6))
    nombre = lector.maqueta.hojas[3].nombre
    lector.maqueta.perdidas = {nombre}
    cabeceras = []
    for _ in range(9):
        lector.pedidas.clear()
        lector.pasar()
        cabeceras.append(lector.pedidas.count(CABECERA))
    assert cabeceras == [3, 2, 2, 0, 2, 0, 0, 0, 2]


def test_una_cosa_vieja_suelta_no_acaba_la_bajada() -> None:
    lector = Lector(con_paginas(8))
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
    lector = Lector(con_paginas(6))
    lector.pasar(azar=guion(*[Azar.BIEN] * 4, Azar.FALLA))
    (ventana,) = lector.estado.ventanas
    lector.maqueta.zip_hasta = ventana.fondo + 1
    for _ in range(4):
        lector.maqueta.ahora += 1
        lector.maqueta.anotar(3)
    lector.estado = lector.estado.model_copy(update={"cabecera": None})
    # The old cursor is gone and, walking again from the head, the page under it cannot be had either.
    marcha = lector.pasar(azar=guion(Azar.BIEN, *[Azar.AUSENTE, Azar.BIEN] * 3, Azar.AUSENTE, Azar.BIEN))
    assert marcha is not None
    assert marcha.accion == Terminar(completa=False)
    assert lector.estado.marca is None


def test_una_cadena_que_acaba_antes_de_lo_conocido_no_mueve_la_marca() -> None:
    lector = Lector(con_paginas(8))
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
    lector = Lector(con_paginas(0))
    lector.pasar()
    lector.maqueta.cabeza = [Cosa(lector.maqueta.ahora + 1, 99)]
    lector.maqueta.ahora += 1
    lector.maqueta.edicion += 1
    assert _acaba(lector)
    assert lector.estado.marca == lector.maqueta.ahora


def test_una_cadena_en_bucle_no_da_vueltas() -> None:
    lector = Lector(con_paginas(3))
    lector.maqueta.bucle = True
    marcha = lector.pasar()
    assert marcha is not None
    assert {a.codigo for a in marcha.alarmas} == {"cadena_en_bucle"}
    assert len(lector.pedidas) == 4


def test_una_pasada_larguisima_se_deja_y_la_siguiente_sigue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "PAGINAS_MAXIMAS", 3)
    lector = Lector(con_paginas(6))
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
