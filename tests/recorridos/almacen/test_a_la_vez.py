"""Two connections that do things at the same time: of each thing, one does it and the other is told."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from typing import TypeVar

from nucleo.bd import conectar
from nucleo.recorridos import lectura
from nucleo.recorridos.artefactos import servicio as artefactos
from nucleo.recorridos.artefactos.modelo import NuevoArtefacto
from nucleo.recorridos.comandos import TipoComando
from nucleo.recorridos.entregas import servicio as entregas
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.lectura.modelo import FiltroRecorridos
from tests.recorridos.almacen.sencillo import completar, crear, iniciar, mandar
from tests.recorridos.partida import INICIO
from tests.recorridos.secuencias import ANA, BEA, HERMES

T = TypeVar("T")
VECES = 12


def a_la_vez(
    fichero: Path, *haceres: Callable[[sqlite3.Connection], T]
) -> tuple[list[T], list[ErrorRecorrido]]:
    """Each one in a thread with a connection of its own, all started at once: what came out, and the refusals."""
    salida = Barrier(len(haceres))

    def uno(hacer: Callable[[sqlite3.Connection], T]) -> T | ErrorRecorrido:
        with closing(conectar(fichero)) as con:
            salida.wait()
            try:
                return hacer(con)
            except ErrorRecorrido as error:
                return error

    with ThreadPoolExecutor(len(haceres)) as hilos:
        todo = list(hilos.map(uno, haceres))
    return [t for t in todo if not isinstance(t, ErrorRecorrido)], [
        t for t in todo if isinstance(t, ErrorRecorrido)
    ]


def test_el_mismo_comando_dos_veces(con: sqlite3.Connection, fichero: Path) -> None:
    for numero in range(VECES):
        rid = crear(con).id
        hechos, negados = a_la_vez(
            fichero,
            *[
                lambda con: mandar(con, rid, TipoComando.INICIAR, paso="redactar", comando_id="i")  # noqa: B023 - called at once
            ]
            * 3,
        )
        assert not negados
        assert sorted(r.repetido for r in hechos) == [False, True, True], numero
        assert len({r.model_copy(update={"repetido": False}) for r in hechos}) == 1
        assert len(lectura.intentos(con, rid, "redactar")) == 1


def test_la_misma_creacion_dos_veces(con: sqlite3.Connection, fichero: Path) -> None:
    for numero in range(VECES):
        hechos, _ = a_la_vez(fichero, *[lambda con: crear(con, comando_id=f"n{numero}")] * 2)  # noqa: B023 - called at once
        assert {r.id for r in hechos} == {hechos[0].id}
        assert len(lectura.listar(con, FiltroRecorridos())) == numero + 1


def test_dos_que_toman_el_mismo_paso(con: sqlite3.Connection, fichero: Path) -> None:
    for _ in range(VECES):
        rid = crear(con).id
        hechos, negados = a_la_vez(fichero, *[lambda con: iniciar(con, rid)] * 2)  # noqa: B023 - called at once
        assert [r.intento for r in hechos] == [1]
        assert [e.codigo for e in negados] == ["NO_LISTO"]


def test_dos_personas_que_contestan(con: sqlite3.Connection, fichero: Path) -> None:
    """The second sees that it was decided, and by whom."""
    for _ in range(VECES):
        rid = crear(con).id
        iniciar(con, rid)
        completar(con, rid)
        hechos, negados = a_la_vez(
            fichero,
            *[
                lambda con, quien=quien: mandar(  # type: ignore[misc]
                    con,
                    rid,  # noqa: B023 - called at once
                    TipoComando.RESPONDER,
                    quien,
                    paso="revisar",
                    revision=3,
                )
                for quien in (ANA, BEA)
            ],
        )
        assert (len(hechos), len(negados)) == (1, 1)
        assert negados[0].codigo == "TERMINADO"


def test_dos_trabajadores_para_una_entrega(con: sqlite3.Connection, fichero: Path) -> None:
    for _ in range(VECES):
        crear(con)
        dadas, _negadas = a_la_vez(fichero, *[lambda con: entregas.arrendar(con, ("prueba",), INICIO)] * 3)
        assert len([d for d in dadas if d is not None]) == 1


def test_el_mismo_fichero_dos_veces(con: sqlite3.Connection, fichero: Path, tmp_path: Path) -> None:
    rid = crear(con).id
    iniciar(con, rid)
    for numero in range(VECES):
        nuevo = NuevoArtefacto(
            comando_id=f"f{numero}", paso="redactar", intento=1, nombre="a.txt", tipo_medio="text/plain"
        )
        hechos, negados = a_la_vez(
            fichero,
            *[
                lambda con: artefactos.registrar(con, tmp_path, rid, nuevo, b"lo mismo", HERMES, INICIO)  # noqa: B023 - called at once
            ]
            * 2,
        )
        assert not negados
        assert sorted(r.repetido for r in hechos) == [False, True]
        assert len(lectura.artefactos(con, rid)) == numero + 1
