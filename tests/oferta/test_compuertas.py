"""Every way through the gates of an offer ends, with the branches and the attempts that it should have."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nucleo import registro
from nucleo.bd import conectar
from nucleo.recorridos import lectura
from nucleo.recorridos.estado import EstadoRecorrido, Recorrido, Situacion
from nucleo.recorridos.lectura.modelo import FiltroBandeja
from nucleo.recorridos.motor import reproducir
from tests.oferta.taller import CASOS, NUEVO, Caso, EnLaCasa, EnMemoria, casa_de, recorrer
from tests.recorridos.invariantes import sin_arriendos

DE_MEMORIA = {
    *("dossier", "estrategia", "aprobar_estrategia", "ficha_solucion", "redaccion", "critica_ciega"),
    *("correccion_hechos", "verificar_hechos", "revisar_memoria", "generar_docx"),
}
DE_ANEXOS = {"deuc", "garantia", "ute", "sin_anexos"}


def hechos(recorrido: Recorrido) -> set[str]:
    """Steps that were carried out."""
    assert {p.estado for p in recorrido.pasos.values()} <= {Situacion.COMPLETADO, Situacion.OMITIDO}
    return {i for i, p in recorrido.pasos.items() if p.estado is Situacion.COMPLETADO}


def exigir_camino(caso: Caso, recorrido: Recorrido) -> None:
    """The run ended where and how the case says."""
    assert recorrido.estado is EstadoRecorrido.COMPLETADO
    dados = hechos(recorrido)
    presenta = caso.decision == "presentar"
    assert ("registrar_presentacion" in dados, "registrar_descarte" in dados) == (presenta, not presenta)
    assert {"precio", "equipo", "visto_bueno"} <= dados if presenta else not {"precio", "equipo"} & dados
    if not presenta:
        assert not (DE_MEMORIA | DE_ANEXOS | {"sin_memoria"}) & dados
        return
    assert dados & DE_MEMORIA == (DE_MEMORIA if caso.memoria else set())
    assert ("sin_memoria" in dados) != caso.memoria
    piden = {n for n in ("deuc", "garantia", "ute") if getattr(caso, n)}
    assert dados & DE_ANEXOS == (piden or {"sin_anexos"})
    veces = caso.rechazos + 1
    intentos = {i: p.intento for i, p in recorrido.pasos.items()}
    assert (intentos["guion_ia"], intentos["comprobar"]) == (veces, veces)
    if caso.memoria:
        assert (intentos["redaccion"], intentos["verificar_hechos"], intentos["estrategia"]) == (
            veces,
            veces,
            1,
        )


def test_son_todas_las_combinaciones() -> None:
    assert len(set(CASOS)) == 64


@pytest.mark.parametrize("caso", CASOS, ids=str)
def test_cada_camino_llega_al_final(caso: Caso) -> None:
    marcha = EnMemoria(casa_de(caso))
    final = recorrer(marcha, caso)
    exigir_camino(caso, final)
    contado = reproducir(marcha.plan.plan, NUEVO, marcha.eventos, marcha.casa)
    assert sin_arriendos(contado) == sin_arriendos(final)


@pytest.fixture(scope="module")
def tienda(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[sqlite3.Connection, Path]]:
    """One real store for all of them, with its folder."""
    datos = tmp_path_factory.mktemp("datos")
    with closing(conectar(registro.preparar(datos))) as con:
        yield con, datos


@pytest.mark.parametrize("caso", CASOS, ids=str)
def test_cada_camino_llega_al_final_en_la_base_de_datos(
    caso: Caso, tienda: tuple[sqlite3.Connection, Path]
) -> None:
    marcha = EnLaCasa(*tienda, casa_de(caso))
    exigir_camino(caso, recorrer(marcha, caso))
    con, _ = tienda
    assert lectura.bandeja(con, FiltroBandeja(recorrido=marcha.id)) == ()
