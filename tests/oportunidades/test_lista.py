"""The list answers what a row-by-row search would, whatever the filter, order, plan and size of the page."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench._sintetica import AHORA as AHORA_SINTETICA
from dominios.licitaciones.oportunidades import almacen, servicio
from dominios.licitaciones.oportunidades.modelos import Cursor, Filtro, Orden, Pagina, leer_cursor
from nucleo.bd import conectar
from nucleo.errores import ErrorEntrada
from nucleo.reloj import desde_micros
from tests.conftest import AHORA
from tests.oportunidades.bruto import esperadas, leer_todo

TEXTOS = (
    "",
    "",
    "servicio",
    "suministro obra",
    "mantenimiento",
    "urban",
    "informaticos",
    "inexistentisima",
    "ayuntamientos",
)


def algunos(*valores: str) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(valores), max_size=2, unique=True).map(tuple)


IMPORTES = st.none() | st.sampled_from(
    [Decimal("1000"), Decimal("50000.5"), Decimal("900000"), Decimal("12345.678")]
)
FILTROS = st.builds(
    dict,
    texto=st.sampled_from(TEXTOS),
    cpv=algunos("72", "45", "4521", "03", "0", "30200000").map(lambda v: tuple(x for x in v if len(x) > 1)),
    nuts=algunos("ES", "ES3", "ES61", "ES612", "FR"),
    importe_min=IMPORTES,
    importe_max=st.none() | st.sampled_from([Decimal(1_000_000), Decimal(20_000_000)]),
    estado=algunos("PUB", "EV", "RES", "OTRO"),
    tipo=algunos("1", "2", "31"),
    procedimiento=algunos("1", "9", "6"),
    tipo_registro=algunos("licitacion", "menor", "consulta"),
    fuente=algunos("643", "1044", "1403"),
    solo_abiertas=st.booleans(),
    cierra_en_dias=st.none() | st.sampled_from([1, 7, 30]),
    con_avisos=st.booleans(),
)
# Most fields empty, or nearly nothing would ever match.
ESCASOS = st.tuples(FILTROS, st.sets(st.sampled_from(list(Filtro.model_fields)), max_size=3)).map(
    lambda par: Filtro.model_validate({k: v for k, v in par[0].items() if k in par[1]})
)
PLANES = st.sampled_from(
    [(60_000, 5_000, 4_000), (0, 0, 4_000), (0, 0, 7), (60_000, 0, 7), (60_000, 60_000, 7)]
)
"""(POCAS, POQUISIMAS, PASEO): as they are; only walks; walks that give up; sets after a walk that gives up; sets."""


def recorrer(
    con: sqlite3.Connection, filtro: Filtro, orden: Orden, filas: int, sentido: str = "siguiente"
) -> list[list[int]]:
    """Ids page by page, following one of the links until there is none."""
    ahora = AHORA_SINTETICA
    pagina, paginas = Pagina(filas=filas), []
    if sentido == "anterior":  # from beyond the end
        pagina = Pagina(cursor=Cursor(tramo=9, valor=0, id=0, sentido="antes"), filas=filas)
    while True:
        resultados = servicio.buscar(con, filtro, orden, pagina, ahora)
        paginas.append([f.id for f in resultados.filas])
        cursor = resultados.siguiente if sentido == "siguiente" else resultados.anterior
        if cursor is None:
            return paginas
        pagina = Pagina(cursor=leer_cursor(cursor.en_texto()), filas=filas)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(filtro=ESCASOS, orden=st.sampled_from(Orden), plan=PLANES, filas=st.sampled_from([1, 7, 50, 500]))
def test_cualquier_filtro_y_orden_dan_lo_mismo_que_mirar_fila_a_fila(
    sintetica: sqlite3.Connection, filtro: Filtro, orden: Orden, plan: tuple[int, int, int], filas: int
) -> None:
    debidas = esperadas(leer_todo_una_vez(sintetica), filtro, orden, AHORA_SINTETICA)
    filas = filas if filas > 1 or len(debidas) < 60 else 7
    pocas, poquisimas, paseo = plan
    with patch.multiple(almacen, POCAS=pocas, POQUISIMAS=poquisimas, PASEO=paseo):
        paginas = recorrer(sintetica, filtro, orden, filas)
        recuento = servicio.contar(sintetica, filtro, AHORA_SINTETICA)
    assert [i for pagina in paginas for i in pagina] == debidas
    assert all(len(pagina) == filas for pagina in paginas[:-1])
    assert (recuento.total, recuento.hay_mas) == (len(debidas), False)


_LEIDO: dict[int, list[dict[str, object]]] = {}


def leer_todo_una_vez(con: sqlite3.Connection) -> list[dict[str, object]]:
    return _LEIDO.setdefault(id(con), leer_todo(con))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(filtro=ESCASOS, orden=st.sampled_from(Orden), plan=PLANES, filas=st.sampled_from([7, 50]))
def test_hacia_atras_se_ven_las_mismas_filas_en_el_mismo_orden(
    sintetica: sqlite3.Connection, filtro: Filtro, orden: Orden, plan: tuple[int, int, int], filas: int
) -> None:
    debidas = esperadas(leer_todo_una_vez(sintetica), filtro, orden, AHORA_SINTETICA)
    with patch.multiple(almacen, POCAS=plan[0], POQUISIMAS=plan[1], PASEO=plan[2]):
        paginas = recorrer(sintetica, filtro, orden, filas, "anterior")
    assert [i for pagina in reversed(paginas) for i in pagina] == debidas


@pytest.mark.parametrize("orden", Orden)
def test_lo_que_entra_mientras_se_pasa_pagina_no_repite_ni_esconde_lo_que_ya_estaba(
    fichero_sintetico: Path, orden: Orden
) -> None:
    with closing(conectar(fichero_sintetico)) as con:
        con.execute("SAVEPOINT prueba")
        antes = esperadas(leer_todo(con), Filtro(), orden, AHORA_SINTETICA)
        primera = servicio.buscar(con, Filtro(), orden, Pagina(filas=100), AHORA_SINTETICA)
        con.execute(
            "UPDATE licitacion SET vigente = 0 WHERE id IN (SELECT id FROM licitacion WHERE id = ?)",
            (antes[3],),
        )
        vistas = [f.id for f in primera.filas]
        cursor = primera.siguiente
        while cursor is not None:
            pagina = servicio.buscar(con, Filtro(), orden, Pagina(cursor=cursor, filas=100), AHORA_SINTETICA)
            vistas += [f.id for f in pagina.filas]
            cursor = pagina.siguiente
        con.execute("ROLLBACK TO prueba")
    assert vistas == antes


def test_el_recuento_para_en_el_tope_y_lo_dice(sintetica: sqlite3.Connection) -> None:
    recuento = servicio.contar(sintetica, Filtro(), AHORA_SINTETICA, tope=100)
    assert (recuento.total, recuento.hay_mas) == (100, True)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texto=st.text(max_size=60))
def test_ningun_texto_rompe_la_busqueda(muestra: sqlite3.Connection, texto: str) -> None:
    filtro = Filtro(texto=texto)
    resultados = servicio.buscar(muestra, filtro, Orden.CIERRE, Pagina(filas=500), AHORA)
    assert servicio.contar(muestra, filtro, AHORA).total == len(resultados.filas)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texto=st.lists(
        st.sampled_from('servicio "servicio de" mantenimiento 2026/0101 "limpieza viaria" sumin'.split(" ")),
        max_size=4,
    )
)
def test_con_comillas_y_codigos_todos_los_planes_coinciden(
    muestra: sqlite3.Connection, texto: list[str]
) -> None:
    filtro = Filtro(texto=" ".join(texto))
    vistas = []
    for pocas, poquisimas, paseo in [(60_000, 60_000, 9), (0, 0, 4_000), (0, 0, 1)]:
        with patch.multiple(almacen, POCAS=pocas, POQUISIMAS=poquisimas, PASEO=paseo):
            pagina = servicio.buscar(muestra, filtro, Orden.ACTUALIZACION, Pagina(filas=500), AHORA)
            vistas.append([f.id for f in pagina.filas])
    assert vistas[0] == vistas[1] == vistas[2]


@pytest.mark.parametrize(
    "texto",
    ["", "x1_2_3", "d1_2", "d1_2_3_4", "d1_dos_3", "a1_2_3.5", "d1_9999999999999999999999_1", "d99_1_1"],
)
def test_un_cursor_que_no_lo_es_se_rechaza_con_una_frase(texto: str) -> None:
    with pytest.raises(ErrorEntrada, match="vuelve a la primera"):
        leer_cursor(texto)


def test_se_encuentra_sin_acento_en_plural_y_por_el_organo(muestra: sqlite3.Connection) -> None:
    def objetos(texto: str) -> set[str]:
        filas = servicio.recorrer(muestra, Filtro(texto=texto), Orden.CIERRE, AHORA)
        return {f.objeto for f in filas}

    sin_acento = objetos("informatico")
    assert sin_acento and sin_acento == objetos("Informáticos")
    assert any("informático" in objeto for objeto in sin_acento)
    assert objetos("ayuntamiento villaejemplo limpieza")


def test_las_retiradas_no_salen_en_la_lista_pero_se_leen_una_a_una(muestra: sqlite3.Connection) -> None:
    (retirada,) = muestra.execute("SELECT id FROM licitacion WHERE vigente = 0 LIMIT 1").fetchone()
    todas = [f.id for f in servicio.recorrer(muestra, Filtro(), Orden.IMPORTE, AHORA)]
    assert retirada not in todas
    assert servicio.leer(muestra, retirada, AHORA).id == retirada
    assert servicio.procedencia(muestra, retirada).leida == AHORA


def test_una_consulta_preliminar_en_plazo_no_admite_ofertas(muestra: sqlite3.Connection) -> None:
    filtro = Filtro(tipo_registro=("consulta",), solo_abiertas=True)
    consultas = list(servicio.recorrer(muestra, filtro, Orden.CIERRE, AHORA))
    assert consultas
    assert all(c.en_plazo and not c.abierta for c in consultas)


def test_las_facetas_cuentan_lo_vigente(muestra: sqlite3.Connection) -> None:
    facetas = servicio.facetas(muestra)
    for campo in ("estado", "tipo", "procedimiento", "tipo_registro", "fuente"):
        filas = muestra.execute(
            f"SELECT {campo}, count(*) FROM licitacion WHERE vigente = 1 AND {campo} IS NOT NULL GROUP BY 1"
        )
        assert {f.valor: f.cuantas for f in getattr(facetas, campo)} == dict(filas.fetchall())


def test_la_frescura_es_el_instante_mas_nuevo_publicado_por_cada_fuente(muestra: sqlite3.Connection) -> None:
    fuentes = servicio.frescura(muestra)
    assert [f.fuente for f in fuentes] == sorted(f.fuente for f in fuentes)
    assert {f.fuente for f in fuentes} == {"643", "1044", "1143", "1383", "1403"}
    assert all((AHORA - f.ultima).total_seconds() < 120 for f in fuentes)


def test_un_importe_minimo_mayor_que_el_maximo_se_rechaza() -> None:
    with pytest.raises(ValueError, match="mayor que importe_max"):
        Filtro(importe_min=Decimal(2), importe_max=Decimal(1))


def test_las_cotas_de_importe_se_cumplen_hasta_la_decima_de_centimo(sintetica: sqlite3.Connection) -> None:
    id_, centimos = sintetica.execute(
        "SELECT id, importe FROM licitacion WHERE vigente = 1 AND importe > 0"
    ).fetchone()
    justo, poco = Decimal(centimos) / 100, Decimal("0.001")

    def sale(**cotas: Decimal) -> bool:
        filas = servicio.recorrer(sintetica, Filtro(**cotas), Orden.IMPORTE, AHORA_SINTETICA)
        return any(f.id == id_ for f in filas)

    assert sale(importe_min=justo, importe_max=justo)
    assert sale(importe_min=justo - poco, importe_max=justo + poco)
    assert not sale(importe_min=justo + poco)
    assert not sale(importe_max=justo - poco)


def test_una_licitacion_deja_de_estar_abierta_en_el_instante_de_su_cierre(
    sintetica: sqlite3.Connection,
) -> None:
    id_, micros = sintetica.execute(
        "SELECT id, cierre FROM licitacion WHERE vigente = 1 AND cierre > 0"
    ).fetchone()
    cierre, tic = desde_micros(micros), timedelta(microseconds=1)

    def sale(ahora: datetime, **filtro: object) -> bool:
        filas = servicio.recorrer(sintetica, Filtro.model_validate(filtro), Orden.CIERRE, ahora)
        return any(f.id == id_ and f.en_plazo for f in filas)

    assert sale(cierre - tic, solo_abiertas=True)
    assert not sale(cierre, solo_abiertas=True)
    semana = timedelta(days=7)
    assert sale(cierre - semana, cierra_en_dias=7)
    assert not sale(cierre - semana - tic, cierra_en_dias=7)


def test_desde_la_pagina_a_la_que_se_vuelve_se_puede_seguir(sintetica: sqlite3.Connection) -> None:
    primera = servicio.buscar(sintetica, Filtro(), Orden.CIERRE, Pagina(filas=10), AHORA_SINTETICA)
    segunda = servicio.buscar(
        sintetica, Filtro(), Orden.CIERRE, Pagina(cursor=primera.siguiente, filas=10), AHORA_SINTETICA
    )
    vuelta = servicio.buscar(
        sintetica, Filtro(), Orden.CIERRE, Pagina(cursor=segunda.anterior, filas=10), AHORA_SINTETICA
    )
    assert vuelta == primera
