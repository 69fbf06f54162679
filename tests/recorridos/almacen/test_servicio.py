"""Creating and commanding: who may, what is kept of what is refused, and what a repeated request gets."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from pydantic import ValidationError

from nucleo.bd import conectar
from nucleo.errores import ErrorBaseDatos
from nucleo.modelo import Modelo
from nucleo.recorridos import almacen, lectura, servicio
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import EJECUTOR, Actor, Comando, TipoComando
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.identificadores import nuevo_id
from nucleo.recorridos.peticiones import PeticionCrear
from nucleo.recorridos.plan import Clase, Ejecutor
from nucleo.recorridos.rechazos.almacen import RECHAZOS_POR_RECORRIDO
from nucleo.recorridos.rechazos.anotar import TEXTO_MAXIMO
from tests.recorridos.almacen.base import RECHAZO, volcado
from tests.recorridos.almacen.sencillo import CON_CONECTOR, PLAN, acabar, completar, crear, iniciar, mandar
from tests.recorridos.partida import INICIO
from tests.recorridos.planes import CASA, plan_al_azar
from tests.recorridos.secuencias import ANA, HERMES, LUIS, OTRO


def negado(codigo: str) -> pytest.RaisesExc[ErrorRecorrido]:
    return pytest.RaisesExc(ErrorRecorrido, check=lambda e: e.codigo == codigo)


def test_los_identificadores_se_ordenan_por_su_instante() -> None:
    uno, otro = (nuevo_id("rec", INICIO.replace(minute=m)) for m in (1, 2))
    assert uno < otro
    assert len(uno) == len("rec_") + 26
    assert PeticionCrear(comando_id="a", plan=PLAN, contexto={}, padre=uno).padre == uno


def test_crear_de_una_plantilla(con: sqlite3.Connection) -> None:
    peticion = PeticionCrear(
        comando_id="x", plantilla="prueba@1", titulo="Mi caso", objeto_id="exp-1", contexto={"veces": 2}
    )
    recibo = servicio.crear(con, CASA, peticion, ANA, INICIO)
    proyeccion = lectura.leer(con, CASA, recibo.id)
    assert proyeccion.plan.titulo == "Mi caso"
    assert proyeccion.plan.plantilla == "prueba@1"
    assert proyeccion.plan.contexto["veces"] == 2
    assert proyeccion.recorrido.coordinador == "sistema"
    assert proyeccion.recorrido.objeto_id == "exp-1"


@pytest.mark.parametrize(
    ("partes", "actor", "codigo"),
    [
        ({"plantilla": "no@1"}, ANA, "NO_EXISTE"),
        ({"plantilla": "prueba@1"}, HERMES, "PROHIBIDO"),
        ({"plan": PLAN}, LUIS, "PROHIBIDO"),
        ({"plan": PLAN, "coordinador": "otro"}, HERMES, "PROHIBIDO"),
        ({"plan": PLAN, "padre": "rec_" + "0" * 26, "motivo": "viene de ahí"}, HERMES, "NO_EXISTE"),
        (
            {"plan": PLAN.model_copy(update={"pasos": PLAN.pasos[:2]})},
            HERMES,
            "PLAN_INVALIDO",
        ),
    ],
    ids=["sin_plantilla", "plantilla_agente", "lector", "coordinador_ajeno", "sin_padre", "plan_malo"],
)
def test_lo_que_no_se_puede_crear(
    con: sqlite3.Connection, partes: dict[str, object], actor: Actor, codigo: str
) -> None:
    antes = volcado(con)
    peticion = PeticionCrear.model_validate({"comando_id": "x", "contexto": {}, **partes})
    with negado(codigo):
        servicio.crear(con, CASA, peticion, actor, INICIO)
    assert volcado(con) == antes, "una petición rechazada no gasta su identificador"


@pytest.mark.parametrize("partes", [{}, {"plan": PLAN, "plantilla": "prueba@1"}], ids=["nada", "los_dos"])
def test_plan_o_plantilla(partes: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="uno de los dos"):
        PeticionCrear.model_validate({"comando_id": "x", "contexto": {}, **partes})


def test_la_repeticion_se_contesta_aunque_haya_terminado_o_ya_no_se_pueda(con: sqlite3.Connection) -> None:
    recibo = crear(con, comando_id="nace")
    iniciado = mandar(con, recibo.id, TipoComando.INICIAR, paso="redactar", comando_id="i")
    acabar(con, recibo.id)
    otra_vez = mandar(con, recibo.id, TipoComando.INICIAR, paso="redactar", comando_id="i")
    assert otra_vez == iniciado.model_copy(update={"repetido": True})
    assert crear(con, comando_id="nace") == recibo.model_copy(update={"repetido": True})


def test_un_latido_no_deja_recibo_ni_suceso(con: sqlite3.Connection) -> None:
    rid = crear(con).id
    iniciar(con, rid)
    antes = volcado(con, "recorrido", "recorrido_intento")
    visto = lectura.pulso(con, rid)
    for minuto in (1, 2):
        ahora = INICIO.replace(minute=minuto)
        latido = mandar(
            con, rid, TipoComando.LATIDO, ahora=ahora, paso="redactar", intento=1, comando_id="late"
        )
        assert not latido.repetido
    assert volcado(con, "recorrido", "recorrido_intento") == antes
    assert lectura.pulso(con, rid) == visto, "nadie tiene que mirar otra vez"
    (intento,) = lectura.intentos(con, rid, "redactar")
    assert intento.vence.minute == 17
    anotado = mandar(
        con, rid, TipoComando.ANOTAR, paso="redactar", intento=1, mensaje="otra cosa", comando_id="late"
    )
    assert not anotado.repetido, "el identificador de un latido no se gasta"


def test_lo_tardio_y_lo_ajeno_queda_como_prueba(con: sqlite3.Connection) -> None:
    rid = crear(con).id
    iniciar(con, rid)
    with negado("PROHIBIDO"):
        mandar(con, rid, TipoComando.COMPLETAR, OTRO, paso="redactar", intento=1, mensaje="soy yo")
    with negado("INTENTO_VIEJO"):
        completar(con, rid, intento=2)
    acabar(con, rid)
    for _ in range(2):
        with negado("TERMINADO"):
            mandar(
                con,
                rid,
                TipoComando.COMPLETAR,
                paso="redactar",
                intento=1,
                mensaje="el resultado",
                comando_id="tarde",
            )
    with negado("TERMINADO"):
        mandar(con, rid, TipoComando.LATIDO, paso="redactar", intento=1)
    with negado("TERMINADO"):
        mandar(con, rid, TipoComando.RESPONDER, ANA, paso="revisar", revision=1)
    rechazos = lectura.rechazos(con, rid)
    assert [(r.codigo, r.actor) for r in rechazos] == [
        ("PROHIBIDO", OTRO),
        ("INTENTO_VIEJO", HERMES),
        ("TERMINADO", HERMES),
    ]
    assert rechazos[-1].comando is not None and rechazos[-1].comando.mensaje == "el resultado"
    assert lectura.leer(con, CON_CONECTOR, rid).rechazos == 3


def test_los_rechazos_tienen_techo_y_paginas(con: sqlite3.Connection) -> None:
    rid = crear(con).id
    for numero in range(RECHAZOS_POR_RECORRIDO + 5):
        with negado("PROHIBIDO"):
            mandar(con, rid, TipoComando.APROBAR, comando_id=f"x{numero}", paso="revisar", revision=1)
    pagina = lectura.rechazos(con, rid, 0, 10_000)
    assert len(pagina) == 500
    resto = lectura.rechazos(con, rid, pagina[-1].id, 10_000)
    assert len(resto) == RECHAZOS_POR_RECORRIDO - 500
    assert resto[-1].comando is not None
    assert resto[-1].comando.comando_id == f"x{RECHAZOS_POR_RECORRIDO + 4}"
    (insistente,) = lectura.insistentes(con, INICIO)
    assert insistente.actor == HERMES
    assert lectura.insistentes(con, INICIO.replace(hour=10)) == ()


def test_un_rechazo_enorme_se_guarda_recortado(con: sqlite3.Connection) -> None:
    rid = crear(con).id
    plan = PLAN.model_copy(update={"contexto": {"x": "y" * 60_000}})
    with negado("PROHIBIDO"):
        mandar(con, rid, TipoComando.PROPONER_PLAN, OTRO, plan=plan, revision=1, mensaje="otro plan")
    (rechazo,) = lectura.rechazos(con, rid)
    assert rechazo.comando is None and len(rechazo.texto) == TEXTO_MAXIMO


def test_un_artefacto_que_no_esta_no_se_puede_nombrar(con: sqlite3.Connection) -> None:
    rid = crear(con).id
    iniciar(con, rid)
    antes = volcado(con, RECHAZO)
    with negado("SALIDA_INVALIDA"):
        mandar(
            con,
            rid,
            TipoComando.COMPLETAR,
            paso="redactar",
            intento=1,
            mensaje="Hecho",
            salidas={"documento": "art_" + "0" * 26},
        )
    assert volcado(con, RECHAZO) == antes


def test_un_recorrido_que_no_existe(con: sqlite3.Connection) -> None:
    for hacer in (
        lambda: mandar(con, "rec_no", TipoComando.PAUSAR, ANA),
        lambda: lectura.leer(con, CON_CONECTOR, "rec_no"),
        lambda: lectura.pulso(con, "rec_no"),
        lambda: lectura.eventos(con, "rec_no"),
        lambda: lectura.posibles(con, CON_CONECTOR, "rec_no", ANA),
        lambda: almacen.plan(con, "rec_no", 1),
    ):
        with negado("NO_EXISTE"):
            hacer()


class Otra(Modelo):
    """Another registered model with the same name."""

    algo: int


def test_lo_que_la_instalacion_pierde_no_deja_un_recorrido_sin_salida(con: sqlite3.Connection) -> None:
    """Functions, schemas and templates may go; and a stricter policy does not reach those under way."""
    semillas = range(40)
    planes = [p for p in (plan_al_azar(Random(s), 8) for s in semillas) if p.plantilla]
    for numero, plan in enumerate(planes):
        rid = servicio.crear(
            con, CASA, PeticionCrear(comando_id=f"n{numero}", plan=plan, contexto={}), ANA, INICIO
        ).id
        for casa in (Casa(), Casa(esquemas={"ficha": Otra})):
            assert lectura.leer(con, casa, rid).plan == plan
            pausa = Comando(comando_id=f"p{len(casa.esquemas)}", tipo=TipoComando.PAUSAR)
            servicio.mandar(con, casa, rid, pausa, ANA, INICIO)
            reanuda = Comando(
                comando_id=f"r{len(casa.esquemas)}",
                tipo=TipoComando.REANUDAR,
                revision=almacen.recorrido(con, rid).revision,
            )
            servicio.mandar(con, casa, rid, reanuda, ANA, INICIO)
        servicio.mandar(con, Casa(), rid, Comando(comando_id="c", tipo=TipoComando.CANCELAR), ANA, INICIO)


def test_ocupada_se_dice_y_se_puede_repetir(con: sqlite3.Connection, fichero: Path) -> None:
    rid = crear(con).id
    with closing(conectar(fichero)) as otra:
        otra.execute("BEGIN IMMEDIATE")
        con.execute("PRAGMA busy_timeout = 0")
        with negado("OCUPADO") as dicho:
            iniciar(con, rid)
        assert dicho.value.reintentable and dicho.value.http == 503
        otra.execute("ROLLBACK")
    assert iniciar(con, rid).intento == 1


def test_sin_sitio_en_el_disco_no_cambia_nada(con: sqlite3.Connection) -> None:
    rid = crear(con).id
    iniciar(con, rid)
    antes = volcado(con)
    (paginas,) = con.execute("PRAGMA page_count").fetchone()
    con.execute(f"PRAGMA max_page_count = {paginas + 1}")
    partes = {"paso": "redactar", "intento": 1, "mensaje": "x" * 4_000}
    numero = 0
    with pytest.raises(ErrorBaseDatos, match="haz sitio"):
        while True:
            mandar(con, rid, TipoComando.ANOTAR, comando_id=f"n{numero}", **partes)
            numero, antes = numero + 1, volcado(con)
    assert not con.in_transaction
    assert volcado(con) == antes
    con.execute("PRAGMA max_page_count = 100000")
    assert not mandar(con, rid, TipoComando.ANOTAR, comando_id=f"n{numero}", **partes).repetido


def test_los_pasos_de_la_instalacion_se_encuentran(con: sqlite3.Connection) -> None:
    crear(con)
    assert lectura.reclamables(con) == ()
    tarea = PLAN.pasos[1].model_copy(
        update={"clase": Clase.CODIGO, "ejecutor": Ejecutor(funcion="contar"), "salidas": ()}
    )
    plan = PLAN.model_copy(update={"pasos": (PLAN.pasos[0], tarea, *PLAN.pasos[2:])})
    rid = servicio.crear(
        con, CASA, PeticionCrear(comando_id="suyo", plan=plan, contexto={}), EJECUTOR, INICIO
    ).id
    assert lectura.reclamables(con) == (rid,)
    mandar(con, rid, TipoComando.PAUSAR, ANA, casa=CASA)
    assert lectura.reclamables(con) == ()
    mandar(con, rid, TipoComando.REANUDAR, ANA, casa=CASA, revision=2)
    mandar(con, rid, TipoComando.INICIAR, EJECUTOR, casa=CASA, paso="redactar")
    assert lectura.reclamables(con) == ()
