"""The evidence of an offer that was carried to its end: all that the store keeps of it, told in one page."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from nucleo import registro
from nucleo.bd import conectar
from nucleo.recorridos.comandos import Actor, ClaseActor, TipoComando
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import EstadoRecorrido
from nucleo.recorridos.exportar import Evidencia, de_json, en_html, en_json, evidencia
from tests.oferta.taller import RECHAZOS, Caso, EnLaCasa, casa_de, orden, recorrer

CASO = Caso("presentar", memoria=True, deuc=True, garantia=True, ute=True, rechazos=RECHAZOS)


@pytest.fixture(scope="module")
def almacen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[sqlite3.Connection, Evidencia]]:
    """A store with an offer carried to its end, where an agent also reported late and tried to decide."""
    datos = tmp_path_factory.mktemp("datos")
    with closing(conectar(registro.preparar(datos))) as con:
        yield con, _recorrida(con, datos)


def _recorrida(con: sqlite3.Connection, datos: Path) -> Evidencia:
    marcha = EnLaCasa(con, datos, casa_de(CASO))
    recorrer(marcha, CASO, hasta="registrar_presentacion")
    agente = Actor(clase=ClaseActor.AGENTE, nombre="oferta")
    tarde = orden(
        TipoComando.COMPLETAR,
        "redaccion",
        intento=1,
        salidas={"memoria_id": "otra", "version": 9},
        mensaje="Tarde",
    )
    decide = orden(TipoComando.RESPONDER, "registrar_presentacion", revision=1, salidas={"registro": "1"})
    for comando in (tarde, decide):
        with pytest.raises(ErrorRecorrido):
            marcha.mandar(comando, agente)
    recorrer(marcha, CASO)
    return evidencia(con, marcha.id)


@pytest.fixture
def de_oferta(almacen: tuple[sqlite3.Connection, Evidencia]) -> Evidencia:
    """Its evidence."""
    return almacen[1]


def test_esta_todo_lo_que_paso(de_oferta: Evidencia) -> None:
    recorrido = de_oferta.recorrido
    assert recorrido.estado is EstadoRecorrido.COMPLETADO
    assert [e.n for e in de_oferta.eventos] == list(range(1, recorrido.secuencia + 1))
    assert Counter(i.paso for i in de_oferta.intentos) == Counter(
        {i: p.intento for i, p in recorrido.pasos.items() if p.intento}
    )
    assert [p.version for p in de_oferta.planes] == [1]
    assert {a.paso: a.sha256 for a in de_oferta.artefactos} == {
        paso: sha256(f"Contenido de {paso}".encode()).hexdigest() for paso in ("deuc", "generar_docx")
    }
    assert {r.codigo for r in de_oferta.rechazos} == {"INTENTO_VIEJO", "PROHIBIDO"}
    assert all(e.arriendo is None for e in de_oferta.entregas)


def test_sacarla_otra_vez_da_lo_mismo(almacen: tuple[sqlite3.Connection, Evidencia]) -> None:
    con, primera = almacen
    otra = evidencia(con, primera.recorrido.id)
    assert (en_json(otra), en_html(otra)) == (en_json(primera), en_html(primera))
    assert de_json(en_json(primera)) == primera


def test_de_lo_que_no_existe_no_hay_evidencia(almacen: tuple[sqlite3.Connection, Evidencia]) -> None:
    with pytest.raises(ErrorRecorrido, match="ningún recorrido"):
        evidencia(almacen[0], "rec_NADA")


def test_la_pagina_cuenta_cada_decision_con_lo_que_habia_delante(de_oferta: Evidencia) -> None:
    pagina = en_html(de_oferta)
    decisiones = pagina.partition('id="decisiones"')[2].partition("</section>")[0]
    hechas = Counter(re.findall(r"<td>((?:respondió|aprobó|rechazó): [^<]+)</td>", decisiones))
    assert hechas == Counter(
        {
            "respondió: Decidir si nos presentamos": 1,
            "respondió: Elegir el equipo": 1,
            "respondió: Fijar el precio": 1,
            "respondió: Constituir la garantía provisional": 1,
            "respondió: Cerrar la unión temporal": 1,
            "respondió: Presentar y anotarlo": 1,
            "aprobó: Aprobar el guion": 1,
            "rechazó: Aprobar el guion": RECHAZOS,
            "aprobó: Aprobar la estrategia": 1,
            "aprobó: Revisar la memoria": 1,
            "rechazó: Revisar la memoria": RECHAZOS,
            "aprobó: Dar el visto bueno": 1,
            "rechazó: Dar el visto bueno": RECHAZOS,
        }
    )
    # Each rejection is told with the version that was rejected, not with the one that came after.
    assert [v in decisiones for v in ("informe-1", "informe-2", "informe-3")] == [True, True, True]
    assert "Falta firmar el DEUC" in decisiones
    assert "118500.00" in decisiones


def test_el_titulo_es_el_que_se_le_dio_y_no_lleva_la_hora_de_sacarla(de_oferta: Evidencia) -> None:
    pagina = en_html(de_oferta)
    assert "<h1>Mantenimiento de jardines</h1>" in pagina
    assert set(re.findall(r"\b20\d\d-\d\d-\d\d \d\d:\d\d", pagina)) == {"2026-03-02 10:00"}
