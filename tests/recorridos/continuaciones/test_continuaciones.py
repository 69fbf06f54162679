"""Texts for the coordinator: who drafts, who sends, and what becomes of them with the delivery that carries them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from nucleo.recorridos import lectura
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import EJECUTOR, Actor, TipoComando
from nucleo.recorridos.continuaciones import almacen, servicio
from nucleo.recorridos.continuaciones.modelo import EstadoContinuacion, ReciboContinuacion
from nucleo.recorridos.continuaciones.servicio import PeticionContinuacion, PeticionSobreContinuacion
from nucleo.recorridos.entregas import servicio as entregas
from nucleo.recorridos.entregas.modelo import Entrega
from nucleo.recorridos.errores import ErrorRecorrido
from tests.recorridos.almacen.base import en_cada_sentencia, volcado
from tests.recorridos.almacen.sencillo import CON_CONECTOR, SIN_CONECTOR, acabar, crear, mandar
from tests.recorridos.partida import INICIO
from tests.recorridos.secuencias import ANA, HERMES, LUIS, OTRO


def proponer(
    con: sqlite3.Connection, rid: str, actor: Actor = HERMES, clave: str = "p"
) -> ReciboContinuacion:
    return servicio.proponer(
        con, rid, PeticionContinuacion(comando_id=clave, texto="Sigue por aquí."), actor, INICIO
    )


def sobre(identificador: str, clave: str = "s") -> PeticionSobreContinuacion:
    return PeticionSobreContinuacion(comando_id=clave, continuacion=identificador)


def enviar(  # noqa: PLR0917 - what, who and where
    con: sqlite3.Connection,
    rid: str,
    cual: str,
    actor: Actor = ANA,
    casa: Casa = CON_CONECTOR,
    clave: str = "s",
) -> ReciboContinuacion:
    return servicio.enviar(con, casa, rid, sobre(cual, clave), actor, INICIO)


def codigo_de(hacer: object) -> str | None:
    assert callable(hacer)
    try:
        hacer()
    except ErrorRecorrido as error:
        return error.codigo
    return None


def estado(con: sqlite3.Connection, cual: str) -> EstadoContinuacion:
    leida = almacen.continuacion(con, cual)
    assert leida is not None
    return leida.estado


def arrendada(con: sqlite3.Connection) -> tuple[Entrega, str]:
    dada = entregas.arrendar(con, ("prueba",), INICIO)
    assert dada is not None and dada.arriendo is not None
    return dada, dada.arriendo


def test_de_borrador_a_entregada(con: sqlite3.Connection) -> None:
    rid = crear(con).id
    borrador = proponer(con, rid)
    assert proponer(con, rid) == borrador.model_copy(update={"repetido": True})
    cual = borrador.continuacion.id
    enviada = enviar(con, rid, cual)
    assert enviar(con, rid, cual).repetido
    assert lectura.leer(con, CON_CONECTOR, rid).continuaciones == (enviada.continuacion,)
    dada, arriendo = arrendada(con)
    assert dada.motivo == "continuacion"
    assert almacen.de_entrega(con, dada.id) == (enviada.continuacion,)
    entregas.confirmar(con, dada.id, arriendo, INICIO)
    assert estado(con, cual) is EstadoContinuacion.ENTREGADA
    assert lectura.leer(con, CON_CONECTOR, rid).continuaciones == ()


def test_sin_conector_se_queda_en_borrador(con: sqlite3.Connection) -> None:
    rid = crear(con, SIN_CONECTOR).id
    cual = proponer(con, rid).continuacion.id
    antes = volcado(con)
    assert codigo_de(lambda: enviar(con, rid, cual, casa=SIN_CONECTOR)) == "SIN_CONECTOR"
    assert volcado(con) == antes
    enviar(con, rid, cual)
    assert estado(con, cual) is EstadoContinuacion.ENCOLADA, "la misma petición, cuando ya lo hay"


def test_quien_puede_que(con: sqlite3.Connection) -> None:
    rid, otro = crear(con).id, crear(con).id
    for quien in (OTRO, LUIS):
        assert codigo_de(lambda: proponer(con, rid, quien)) == "PROHIBIDO"  # noqa: B023 - called at once
    cual = proponer(con, rid, EJECUTOR).continuacion.id
    for quien in (HERMES, EJECUTOR, LUIS):
        assert codigo_de(lambda: enviar(con, rid, cual, quien)) == "PROHIBIDO"  # noqa: B023 - called at once
    assert codigo_de(lambda: enviar(con, otro, cual)) == "NO_EXISTE"
    assert codigo_de(lambda: enviar(con, rid, "con_no")) == "NO_EXISTE"
    assert codigo_de(lambda: servicio.descartar(con, rid, sobre(cual), HERMES)) == "PROHIBIDO"
    servicio.descartar(con, rid, sobre(cual), ANA)
    assert servicio.descartar(con, rid, sobre(cual), ANA).repetido
    assert codigo_de(lambda: enviar(con, rid, cual)) == "ESTADO"
    suya = proponer(con, rid, HERMES, "p2").continuacion.id
    servicio.descartar(con, rid, sobre(suya, "s2"), HERMES)
    assert estado(con, suya) is EstadoContinuacion.DESCARTADA


def test_con_el_recorrido_terminado(con: sqlite3.Connection) -> None:
    rid = crear(con).id
    encolada, borrador = (proponer(con, rid, clave=c).continuacion.id for c in "ab")
    enviar(con, rid, encolada)
    acabar(con, rid)
    assert estado(con, encolada) is EstadoContinuacion.BORRADOR, "no se llegó a enviar: aún se puede copiar"
    assert codigo_de(lambda: enviar(con, rid, borrador, clave="t")) == "TERMINADO"


def test_pasa_a_la_entrega_nueva_cuando_la_vieja_no_llego(con: sqlite3.Connection) -> None:
    rid = crear(con).id
    cual = proponer(con, rid).continuacion.id
    enviar(con, rid, cual)
    vieja, _ = arrendada(con)
    assert vieja.vence is not None
    mandar(con, rid, TipoComando.PAUSAR, ANA)
    mandar(con, rid, TipoComando.REANUDAR, ANA, revision=2)
    entregas.vencer(con, vieja.vence)
    luego = vieja.vence + timedelta(minutes=1)
    assert entregas.reconciliar(con, vieja.id, False, "", ANA, luego).estado == "fundida"
    dada = entregas.arrendar(con, ("prueba",), luego)
    assert dada is not None and dada.arriendo is not None and dada.id != vieja.id
    assert [c.id for c in almacen.de_entrega(con, dada.id)] == [cual]
    entregas.confirmar(con, dada.id, dada.arriendo, luego)
    assert estado(con, cual) is EstadoContinuacion.ENTREGADA


@pytest.mark.parametrize("como", ["proponer", "enviar", "descartar"])
def test_muerto_en_cada_sentencia(con: sqlite3.Connection, fichero: Path, como: str) -> None:
    """I21."""
    rid = crear(con).id
    cual = proponer(con, rid).continuacion.id
    hacer: dict[str, Callable[[sqlite3.Connection], ReciboContinuacion]] = {
        "proponer": lambda con: proponer(con, rid, clave="c"),
        "enviar": lambda con: enviar(con, rid, cual),
        "descartar": lambda con: servicio.descartar(con, rid, sobre(cual), ANA),
    }
    en_cada_sentencia(fichero, hacer[como], lambda _: None)
    assert hacer[como](con).repetido
