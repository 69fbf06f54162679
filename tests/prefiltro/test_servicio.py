"""The prefilter over a real database: incremental, resumable, and counted by day."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dominios.licitaciones.prefiltro import almacen
from dominios.licitaciones.prefiltro.almacen import Volumen
from dominios.licitaciones.prefiltro.servicio import TANDA, prefiltrar, reevaluar
from nucleo.bd import conectar
from nucleo.reloj import reloj_fijo
from tests.prefiltro.fabrica import AHORA, perfil
from tests.prefiltro.filas import insertar, republicar

INFORMATICA = perfil("cpv: {incluir: [72]}")
RELOJ = reloj_fijo(AHORA)


@pytest.fixture
def con(fichero_bd: Path) -> Iterator[sqlite3.Connection]:
    with closing(conectar(fichero_bd)) as conexion:
        yield conexion


def dentro(con: sqlite3.Connection, huella: str = INFORMATICA.huella) -> list[int]:
    return [c.licitacion_id for c in almacen.candidatas(con, huella, AHORA, dentro=True)]


def test_juzga_las_abiertas_y_guarda_por_que(con: sqlite3.Connection) -> None:
    insertar(con, 1)
    insertar(con, 2, cpv=["45000000"])
    insertar(con, 3, vigente=0)
    insertar(con, 4, cierre=AHORA - timedelta(hours=1))
    insertar(con, 5, cierre=None)
    resumen = prefiltrar(con, INFORMATICA, RELOJ)
    assert (resumen.evaluadas_ahora, resumen.dentro, resumen.fuera) == (2, 1, 1)
    (entra,) = almacen.candidatas(con, INFORMATICA.huella, AHORA, dentro=True)
    (fuera,) = almacen.candidatas(con, INFORMATICA.huella, AHORA, dentro=False)
    assert entra.licitacion_id == 1
    assert [r.nombre for r in entra.decision.reglas] == ["cpv"]
    assert fuera.licitacion_id == 2
    assert [r.nombre for r in fuera.decision.reglas] == ["sin_criterio"]


def test_los_datos_llegan_enteros_a_las_reglas(con: sqlite3.Connection) -> None:
    insertar(
        con,
        1,
        cpv=["45000000", "72200000"],
        nuts=["ES300", "ES611"],
        objeto="Obras y jardines",
        importe=123456,
    )
    ((_, _, instante, datos),) = almacen.leer_datos(con, [(1, 1)])
    assert instante.tzinfo is not None
    assert datos.cpv == ("45000000", "72200000")
    assert datos.nuts == ("ES300", "ES611")
    assert str(datos.importe) == "1234.56"
    assert datos.objeto == "obra y jardin"
    assert datos.organo_nif == "P1234567D"


def test_la_segunda_vez_no_juzga_nada(con: sqlite3.Connection) -> None:
    for numero in range(1, 6):
        insertar(con, numero)
    assert prefiltrar(con, INFORMATICA, RELOJ).evaluadas_ahora == 5
    segunda = prefiltrar(con, INFORMATICA, RELOJ)
    assert (segunda.evaluadas_ahora, segunda.dentro) == (0, 5)


def test_solo_juzga_de_nuevo_la_que_cambia(con: sqlite3.Connection) -> None:
    insertar(con, 1)
    insertar(con, 2)
    prefiltrar(con, INFORMATICA, RELOJ)
    republicar(con, 2, cpv=["45000000"])
    assert prefiltrar(con, INFORMATICA, RELOJ).evaluadas_ahora == 1
    assert dentro(con) == [1]


def test_otro_perfil_juzga_todo_y_no_borra_lo_del_primero(con: sqlite3.Connection) -> None:
    insertar(con, 1)
    insertar(con, 2, cpv=["45000000"])
    prefiltrar(con, INFORMATICA, RELOJ)
    obras = perfil("cpv: {incluir: [45]}")
    assert prefiltrar(con, obras, RELOJ).evaluadas_ahora == 2
    assert (dentro(con), dentro(con, obras.huella)) == ([1], [2])


def test_la_que_entro_sale_cuando_ya_no_queda_plazo(con: sqlite3.Connection) -> None:
    insertar(con, 1, plazo=AHORA + timedelta(days=7))
    con_plazo = perfil("cpv: {incluir: [72]}\nplazo_minimo_dias: 5")
    assert prefiltrar(con, con_plazo, RELOJ).dentro == 1
    despues = reloj_fijo(AHORA + timedelta(days=3))
    resumen = prefiltrar(con, con_plazo, despues)
    assert (resumen.evaluadas_ahora, resumen.dentro, resumen.fuera) == (1, 0, 1)
    assert prefiltrar(con, con_plazo, despues).evaluadas_ahora == 0


def test_la_que_se_cierra_deja_de_listarse(con: sqlite3.Connection) -> None:
    insertar(con, 1, plazo=AHORA + timedelta(days=7))
    prefiltrar(con, INFORMATICA, RELOJ)
    tarde = AHORA + timedelta(days=8)
    assert almacen.candidatas(con, INFORMATICA.huella, tarde, dentro=True) == []
    assert prefiltrar(con, INFORMATICA, reloj_fijo(tarde)).dentro == 0


def test_reevaluar_ve_lo_que_cambio_sin_version_nueva(con: sqlite3.Connection) -> None:
    insertar(con, 1, cpv=["45000000"])
    prefiltrar(con, INFORMATICA, RELOJ)
    con.execute("UPDATE licitacion_cpv SET cpv = '72000000'")
    assert prefiltrar(con, INFORMATICA, RELOJ).dentro == 0
    assert reevaluar(con, INFORMATICA, RELOJ).dentro == 1


class Corte(Exception):
    """The power goes out."""


def test_interrumpida_sigue_donde_iba_y_acaba_igual(con: sqlite3.Connection) -> None:
    total = TANDA * 2 + 7
    for numero in range(1, total + 1):
        insertar(con, numero)

    def cortar(_hechas: int, _total: int) -> None:
        raise Corte

    with pytest.raises(Corte):
        prefiltrar(con, INFORMATICA, RELOJ, cortar)
    assert len(dentro(con)) == TANDA
    oidas: list[tuple[int, int]] = []
    resumen = prefiltrar(con, INFORMATICA, RELOJ, lambda hechas, todas: oidas.append((hechas, todas)))
    assert (resumen.evaluadas_ahora, resumen.dentro) == (total - TANDA, total)
    assert oidas == [(TANDA, TANDA + 7), (TANDA + 7, TANDA + 7)]


def test_la_que_cambia_mientras_se_juzga_queda_para_la_proxima(con: sqlite3.Connection) -> None:
    insertar(con, 1)
    claves = almacen.abiertas(con, AHORA)
    republicar(con, 1, cpv=["72000000"])
    assert almacen.leer_datos(con, claves) == []
    assert prefiltrar(con, INFORMATICA, RELOJ).evaluadas_ahora == 1


def test_el_conteo_es_por_dia_de_madrid(con: sqlite3.Connection) -> None:
    insertar(con, 1, instante=datetime(2026, 3, 1, 22, 59, tzinfo=UTC))
    insertar(con, 2, instante=datetime(2026, 3, 1, 23, 1, tzinfo=UTC))
    insertar(con, 3, instante=datetime(2026, 3, 1, 23, 2, tzinfo=UTC), cpv=["45000000"])
    prefiltrar(con, INFORMATICA, RELOJ)
    republicar(con, 2, cpv=["72000000"])
    prefiltrar(con, INFORMATICA, RELOJ)
    assert almacen.conteo_diario(con, INFORMATICA.huella) == {
        "2026-03-02": Volumen(dentro=1, fuera=1),
        "2026-03-01": Volumen(dentro=1, fuera=0),
    }


def test_lo_que_cierra_antes_va_primero(con: sqlite3.Connection) -> None:
    for numero, dias in ((1, 9), (2, 3), (3, 6)):
        insertar(con, numero, plazo=AHORA + timedelta(days=dias))
    prefiltrar(con, INFORMATICA, RELOJ)
    assert dentro(con) == [2, 3, 1]
