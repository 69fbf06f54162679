"""Links between runs: a forest, whatever is asked; and a parent is never written in."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from nucleo.recorridos import lectura
from nucleo.recorridos.comandos import EJECUTOR, RELOJ, Actor, TipoComando
from nucleo.recorridos.enlaces.modelo import ReciboEnlace
from nucleo.recorridos.enlaces.servicio import PeticionEnlace, enlazar_hijo
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.peticiones import Recibo
from tests.recorridos.almacen.base import en_cada_sentencia, volcado
from tests.recorridos.almacen.sencillo import CON_CONECTOR, acabar, crear, mandar
from tests.recorridos.partida import INICIO
from tests.recorridos.secuencias import ANA, HERMES, LUIS, OTRO


def enlazar(  # noqa: PLR0917 - both ends and who
    con: sqlite3.Connection,
    padre: str,
    hijo: str,
    actor: Actor = ANA,
    clave: str = "e",
    motivo: str = "porque sí",
) -> ReciboEnlace:
    peticion = PeticionEnlace(comando_id=clave, padre=padre, hijo=hijo, motivo=motivo)
    return enlazar_hijo(con, peticion, actor, INICIO)


def codigo_de(hacer: object) -> str | None:
    assert callable(hacer)
    try:
        hacer()
    except ErrorRecorrido as error:
        return error.codigo
    return None


def test_nacer_de_otro_no_toca_al_padre(con: sqlite3.Connection) -> None:
    """I39, and two children from one double click are one."""
    padre = crear(con).id
    antes = {t: [f for f in filas if padre in f] for t, filas in volcado(con).items()}
    visto = lectura.pulso(con, padre)
    hijo = crear(con, comando_id="hijo", padre=padre, motivo="  se rectificó el pliego ")
    assert crear(con, comando_id="hijo", padre=padre, motivo="  se rectificó el pliego ").repetido
    despues = {t: [f for f in filas if padre in f] for t, filas in volcado(con, "recorrido_enlace").items()}
    assert despues == {t: filas for t, filas in antes.items() if t != "recorrido_enlace"}
    assert lectura.pulso(con, padre) == visto
    del_padre, del_hijo = (lectura.leer(con, CON_CONECTOR, r) for r in (padre, hijo.id))
    (enlace,) = del_padre.hijos
    assert del_hijo.padre == enlace
    assert (enlace.padre, enlace.hijo, enlace.motivo) == (padre, hijo.id, "se rectificó el pliego")
    assert enlace.autor == HERMES


def test_padre_archivado(con: sqlite3.Connection) -> None:
    padre, hijo = crear(con).id, crear(con).id
    acabar(con, padre)
    mandar(con, padre, TipoComando.ARCHIVAR, ANA)
    antes = volcado(con)
    assert codigo_de(lambda: crear(con, comando_id="h", padre=padre, motivo="sigue")) == "PADRE_ARCHIVADO"
    assert codigo_de(lambda: enlazar(con, padre, hijo)) == "PADRE_ARCHIVADO"
    assert volcado(con) == antes
    mandar(con, padre, TipoComando.DESARCHIVAR, ANA)
    assert not enlazar(con, padre, hijo).repetido, "un padre terminado puede tener hijos"


def test_lo_que_no_se_enlaza(con: sqlite3.Connection) -> None:
    uno, otro, ajeno = crear(con).id, crear(con).id, crear(con, actor=OTRO, coordinador="otro").id
    assert codigo_de(lambda: enlazar(con, uno, "rec_" + "0" * 26)) == "NO_EXISTE"
    assert codigo_de(lambda: enlazar(con, "rec_" + "0" * 26, uno)) == "NO_EXISTE"
    assert codigo_de(lambda: enlazar(con, uno, uno)) == "ENLACE_CIRCULAR"
    assert codigo_de(lambda: enlazar(con, uno, otro, motivo="  ")) == "FALTA_MOTIVO"
    for quien in (OTRO, LUIS, RELOJ):
        assert codigo_de(lambda: enlazar(con, uno, otro, quien)) == "PROHIBIDO"  # noqa: B023 - called at once
    assert codigo_de(lambda: enlazar(con, ajeno, otro, HERMES)) == "PROHIBIDO"
    assert codigo_de(lambda: crear(con, comando_id="h", padre=ajeno, motivo="es suyo")) == "PROHIBIDO"
    hecho = enlazar(con, uno, otro, HERMES)
    assert enlazar(con, uno, otro, HERMES) == hecho.model_copy(update={"repetido": True})
    assert codigo_de(lambda: enlazar(con, uno, ajeno, EJECUTOR)) == "CLAVE_REUTILIZADA"
    assert codigo_de(lambda: enlazar(con, ajeno, otro, clave="e2")) == "ESTADO"
    assert codigo_de(lambda: enlazar(con, otro, uno, clave="e3")) == "ENLACE_CIRCULAR"


@pytest.mark.parametrize("semilla", range(6))
def test_siempre_es_un_bosque(con: sqlite3.Connection, semilla: int) -> None:
    """I39, against a model that walks up."""
    azar = Random(semilla)
    rids = [crear(con).id for _ in range(7)]
    padre_de: dict[str, str] = {}
    for numero in range(60):
        padre, hijo = azar.choice(rids), azar.choice(rids)
        subida = [padre]
        while subida[-1] in padre_de:
            subida.append(padre_de[subida[-1]])
        debido = "ENLACE_CIRCULAR" if hijo in subida else "ESTADO" if hijo in padre_de else None
        assert codigo_de(lambda: enlazar(con, padre, hijo, clave=f"e{numero}")) == debido  # noqa: B023 - called at once
        if debido is None:
            padre_de[hijo] = padre
    assert dict(con.execute("SELECT hijo, padre FROM recorrido_enlace")) == padre_de


@pytest.mark.parametrize("como", ["enlazar", "nacer"])
def test_muerto_en_cada_sentencia(con: sqlite3.Connection, fichero: Path, como: str) -> None:
    """I21, for a link and for a birth with a parent."""
    padre, hijo = crear(con).id, crear(con).id
    hacer: dict[str, Callable[[sqlite3.Connection], ReciboEnlace | Recibo]] = {
        "enlazar": lambda con: enlazar(con, padre, hijo),
        "nacer": lambda con: crear(con, comando_id="nuevo", padre=padre, motivo="sigue"),
    }
    en_cada_sentencia(fichero, hacer[como], lambda _: None)
    assert hacer[como](con).repetido
