"""The criba as a condition of the list: whichever way the list is read, the rows are those that the rules say."""

from __future__ import annotations

import random
from unittest.mock import patch

import pytest

from dominios.licitaciones import registro
from dominios.licitaciones.criba import almacen
from dominios.licitaciones.criba.consulta import resumenes
from dominios.licitaciones.criba.historia import historia
from dominios.licitaciones.criba.modelo import Juicio, Situacion, Veredicto, Vista
from dominios.licitaciones.oportunidades import almacen as lista
from dominios.licitaciones.oportunidades import servicio
from dominios.licitaciones.oportunidades.modelos import Filtro, Orden, Pagina
from nucleo.bd import transaccion
from nucleo.migraciones import Migrations
from tests.criba.taller import Taller, juicio

CUANTAS = 30
PLANES = ((60_000, 60_000, 9), (0, 0, 4_000), (0, 0, 1))


def _al_azar(taller: Taller, dado: random.Random) -> list[int]:
    """Tenders with histories of every kind: batches answered, ended or open, and people's words."""
    taller.publicar(*range(1, CUANTAS + 1))
    ids = [int(i) for (i,) in taller.con.execute("SELECT id FROM licitacion ORDER BY id")]
    for _ in range(6):
        en_ella = dado.sample(ids, 8)
        _tanda(taller, en_ella, dado)
        for una in dado.sample(ids, 2):
            taller.decidir(una, dado.choice(list(Veredicto)).value)
    return ids


def _tanda(taller: Taller, licitaciones: list[int], dado: random.Random) -> None:
    elementos = [
        almacen.Elemento(n, i, 1, Vista(numero=n, id=str(i), objeto="x"), "h")
        for n, i in enumerate(licitaciones)
    ]
    with transaccion(taller.con):
        tanda = almacen.crear_tanda(taller.con, None, 1, (), "p", elementos, taller.ahora)
        dichas = [
            Juicio.model_validate(juicio(n, Veredicto(dado.choice(list(Veredicto))), lineas=()))
            for n in range(dado.randrange(8))
        ]
        autoria = almacen.Autoria(1, "v", "n" * 32)
        almacen.anotar_juicios(taller.con, tanda, dichas, autoria, taller.ahora)
        if dado.random() < 0.5:
            almacen.cerrar(taller.con, tanda, autoria, "Se acabó.", taller.ahora)


@pytest.mark.parametrize("semilla", range(4))
def test_el_filtro_de_la_criba_dice_lo_que_dicen_las_reglas(taller: Taller, semilla: int) -> None:
    ids = _al_azar(taller, random.Random(semilla))
    vistas = {i: historia(taller.con, taller.cola, i) for i in ids}
    resumidas = resumenes(taller.con, ids)
    assert {i: h.situacion for i, h in vistas.items() if h} == {i: r.situacion for i, r in resumidas.items()}
    for elegidas in ((), *((s,) for s in Situacion), (Situacion.DUDA, Situacion.ENCAJA)):
        for decididas in (False, True):
            debidas = {
                i
                for i, h in vistas.items()
                if (not elegidas or (h and h.situacion in elegidas)) and (not decididas or (h and h.palabras))
            }
            filtro = Filtro(criba=elegidas, decididas=decididas)
            for pocas, poquisimas, paseo in PLANES:
                with patch.multiple(lista, POCAS=pocas, POQUISIMAS=poquisimas, PASEO=paseo):
                    hallado = servicio.buscar(
                        taller.con, filtro, Orden.CIERRE, Pagina(filas=500), taller.ahora
                    )
                    assert {f.id for f in hallado.filas} == debidas
                    assert servicio.contar(taller.con, filtro, taller.ahora).total == len(debidas)


def test_una_base_de_antes_sabe_donde_esta_cada_una(taller: Taller) -> None:
    _al_azar(taller, random.Random(9))
    todas = "SELECT * FROM criba_situacion ORDER BY licitacion_id"
    antes = taller.con.execute(todas).fetchall()
    assert len({situacion for _, situacion, _ in antes}) > 2
    for sentencia in (
        "DROP TRIGGER criba_elemento_nuevo",
        "DROP TRIGGER criba_elemento_situado",
        "DROP TRIGGER criba_palabra_nueva",
        "DROP TABLE criba_situacion",
        "CREATE INDEX criba_elemento_situacion ON criba_elemento(situacion, licitacion_id)",
        "CREATE INDEX criba_palabra_veredicto ON criba_palabra(veredicto, licitacion_id)",
        f"DELETE FROM {Migrations.migrations_table} WHERE migration_set = 'criba' AND name LIKE 'm004%'",
    ):
        taller.con.execute(sentencia)
    registro.preparar(taller.datos)
    assert taller.con.execute(todas).fetchall() == antes


def test_sin_filtro_no_falta_ninguna_y_lo_no_cribado_no_tiene_historia(taller: Taller) -> None:
    taller.publicar(1, 2)
    taller.decidir(1, "no_encaja")
    todas = [f.id for f in servicio.recorrer(taller.con, Filtro(), Orden.CIERRE, taller.ahora)]
    assert sorted(todas) == [1, 2]
    assert historia(taller.con, taller.cola, 2) is None
    dicha = historia(taller.con, taller.cola, 1)
    assert dicha is not None and dicha.juzgada is None and dicha.palabras[0].persona == "Persona Inventada"
