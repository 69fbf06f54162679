"""What is read across runs: lists by pages, what waits for a person and in which order, changes, and the evidence."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from nucleo.bd import conectar_lectura
from nucleo.errores import NoEncontrado
from nucleo.recorridos import almacen, lectura, plazos
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import RELOJ, TipoComando
from nucleo.recorridos.entregas import servicio as entregas
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import EstadoRecorrido
from nucleo.recorridos.lectura.modelo import FiltroBandeja, FiltroRecorridos, Pendiente, Pide
from nucleo.recorridos.motor import Pelota
from tests.recorridos.almacen.sencillo import CON_CONECTOR, PLAN, acabar, completar, crear, iniciar, mandar
from tests.recorridos.partida import INICIO
from tests.recorridos.secuencias import ANA, HERMES, LUIS


def a_los(minutos: int) -> datetime:
    return INICIO + timedelta(minutes=minutos)


def con_plazo(con: sqlite3.Connection, plazo: datetime | None, minuto: int) -> str:
    """A run about something with that deadline, whose question is open since that minute."""
    casa = Casa(conector=lambda _: "prueba", plazo=lambda *_: plazo)
    rid = crear(con, casa, ahora=a_los(minuto)).id
    iniciar(con, rid, a_los(minuto))
    completar(con, rid, ahora=a_los(minuto))
    return rid


def bandeja(con: sqlite3.Connection, **filtro: object) -> list[tuple[str, Pide]]:
    return [(p.recorrido, p.pide) for p in lectura.bandeja(con, FiltroBandeja.model_validate(filtro))]


def test_la_bandeja_va_por_plazo_y_luego_por_edad(con: sqlite3.Connection) -> None:
    sin_plazo = con_plazo(con, None, 0)
    lejos = con_plazo(con, a_los(9_000), 1)
    cerca_nuevo = con_plazo(con, a_los(500), 3)
    cerca_viejo = con_plazo(con, a_los(500), 2)
    orden = [cerca_viejo, cerca_nuevo, lejos, sin_plazo]
    assert [r for r, _ in bandeja(con)] == orden
    assert [r for r, _ in bandeja(con, limite=2)] == orden[:2]
    assert [r for r, _ in bandeja(con, limite=2, desde=2)] == orden[2:]
    assert bandeja(con, recorrido=lejos) == [(lejos, Pide.PREGUNTA)]
    assert bandeja(con, dominio="otro") == []
    primera = lectura.bandeja(con, FiltroBandeja())[0]
    assert primera == Pendiente(
        pide=Pide.PREGUNTA,
        recorrido=cerca_viejo,
        titulo=PLAN.titulo,
        dominio="general",
        objeto_id="",
        revision=3,
        paso="revisar",
        titulo_paso="Revisar",
        clase=PLAN.pasos[2].clase,
        pregunta="¿Está bien?",
        rol="editor",
        desde=a_los(2),
        vence=a_los(500),
    )


def test_un_plazo_que_se_mueve(con: sqlite3.Connection) -> None:
    movido, perdido = con_plazo(con, a_los(500), 0), con_plazo(con, a_los(600), 1)
    acabado = con_plazo(con, a_los(700), 2)
    acabar(con, acabado)
    foto, visto = almacen.recorrido(con, movido), lectura.ultimo_cambio(con)

    def plazo(_: str, __: str) -> datetime:
        return a_los(800)

    def desconocido(_: str, __: str) -> datetime:
        raise NoEncontrado("ya no está")

    assert plazos.refrescar(con, Casa(plazo=desconocido)) == 0
    assert plazos.refrescar(con, Casa(plazo=plazo)) == 2
    assert plazos.refrescar(con, Casa(plazo=plazo)) == 0
    assert almacen.recorrido(con, movido) == foto.model_copy(update={"vence": a_los(800)})
    assert {p.vence for p in lectura.bandeja(con, FiltroBandeja())} == {a_los(800)}
    assert [c.id for c in lectura.cambios(con, visto)] == [movido, perdido]
    assert almacen.recorrido(con, acabado).vence == a_los(700)


def test_una_pausa_esconde_las_preguntas_y_no_las_rejuvenece(con: sqlite3.Connection) -> None:
    rid = con_plazo(con, None, 5)
    mandar(con, rid, TipoComando.PAUSAR, ANA, a_los(7))
    (pausa,) = lectura.bandeja(con, FiltroBandeja())
    assert (pausa.pide, pausa.paso, pausa.desde) == (Pide.PAUSA, None, a_los(7))
    assert lectura.leer(con, CON_CONECTOR, rid).pelota == (Pelota.PERSONA,)
    mandar(con, rid, TipoComando.REANUDAR, ANA, a_los(9), revision=4)
    (pregunta,) = lectura.bandeja(con, FiltroBandeja())
    assert (pregunta.pide, pregunta.desde) == (Pide.PREGUNTA, a_los(5))


def test_todo_lo_que_necesita_a_una_persona(con: sqlite3.Connection) -> None:
    """A question, a doubt, a failure, another plan, and a delivery that may have arrived."""
    pregunta = con_plazo(con, None, 0)
    dudoso, fallido, propuesta = (crear(con, ahora=a_los(1)).id for _ in range(3))
    for rid in (dudoso, fallido):
        iniciar(con, rid, a_los(1))
    mandar(con, dudoso, TipoComando.VENCER, RELOJ, a_los(16), paso="redactar")
    mandar(con, fallido, TipoComando.FALLAR, paso="redactar", intento=1, mensaje="No pude", ahora=a_los(17))
    otro = PLAN.model_copy(update={"titulo": "Otro plan"})
    mandar(
        con,
        propuesta,
        TipoComando.PROPONER_PLAN,
        ahora=a_los(18),
        plan=otro,
        revision=1,
        mensaje="Se rectificó el pliego",
    )
    (entregada,) = lectura.entregas(con, pregunta)
    while (dada := entregas.arrendar(con, ("prueba",), INICIO)) is not None and dada.id != entregada.id:
        continue
    entregas.vencer(con, a_los(60))
    vistos = {(p.recorrido, p.pide): p for p in lectura.bandeja(con, FiltroBandeja(limite=500))}
    assert {
        (pregunta, Pide.PREGUNTA),
        (pregunta, Pide.ENTREGA),
        (dudoso, Pide.DUDOSO),
        (fallido, Pide.FALLIDO),
        (propuesta, Pide.PROPUESTA),
    } <= set(vistos)
    assert vistos[fallido, Pide.FALLIDO].pregunta == "No pude"
    assert vistos[propuesta, Pide.PROPUESTA].pregunta == "Se rectificó el pliego"
    assert vistos[pregunta, Pide.ENTREGA].entrega == entregada.id
    assert bandeja(con, pide=(Pide.DUDOSO,)) == [(dudoso, Pide.DUDOSO)]
    (abierto,) = lectura.dudosos(con)
    assert (abierto.recorrido, abierto.intento.n) == (dudoso, 1)
    mandar(con, propuesta, TipoComando.ACEPTAR_PLAN, ANA, a_los(20), revision=2)
    assert [v.titulo for v in lectura.listar(con, FiltroRecorridos(texto="OTRO pl"))] == ["Otro plan"]
    primera, segunda = lectura.planes(con, propuesta)
    assert (primera.version, primera.aceptado_por) == (1, None)
    assert (segunda.autor, segunda.aceptado_por) == (HERMES, ANA)
    assert segunda.motivo == "Se rectificó el pliego"
    assert lectura.planes(con, propuesta, 1) == (segunda,)
    acabar(con, dudoso)
    assert lectura.dudosos(con) == ()
    assert not bandeja(con, recorrido=dudoso, pide=(Pide.DUDOSO, Pide.PREGUNTA))


def test_la_lista_por_paginas_y_filtros(con: sqlite3.Connection) -> None:
    rids = [crear(con, ahora=a_los(n), objeto_id=f"exp-{n % 2}").id for n in range(5)]
    assert [r.id for r in lectura.listar(con, FiltroRecorridos())] == rids[::-1]
    pagina = lectura.listar(con, FiltroRecorridos(limite=2))
    assert [r.id for r in pagina] == rids[:2:-1]
    assert [r.id for r in lectura.listar(con, FiltroRecorridos(limite=2, antes=pagina[-1].id))] == [
        rids[2],
        rids[1],
    ]
    assert [r.id for r in lectura.listar(con, FiltroRecorridos(dominio="general", objeto_id="exp-1"))] == [
        rids[3],
        rids[1],
    ]
    acabar(con, rids[0])
    mandar(con, rids[0], TipoComando.ARCHIVAR, ANA)
    assert len(lectura.listar(con, FiltroRecorridos())) == 4
    (archivado,) = lectura.listar(con, FiltroRecorridos(archivados=True))
    assert (archivado.id, archivado.estado) == (rids[0], EstadoRecorrido.CANCELADO)
    assert lectura.listar(con, FiltroRecorridos(estados=(EstadoRecorrido.PAUSADO,))) == ()
    assert lectura.listar(con, FiltroRecorridos(coordinador="nadie", plantilla="x@1")) == ()


def test_los_cambios_se_cuentan_y_cada_recorrido_sale_una_vez(con: sqlite3.Connection) -> None:
    assert lectura.ultimo_cambio(con) == 0
    uno, otro = crear(con).id, crear(con).id
    iniciar(con, uno)
    assert [c.id for c in lectura.cambios(con, 0)] == [otro, uno]
    hasta = lectura.ultimo_cambio(con)
    assert lectura.cambios(con, hasta) == ()
    completar(con, uno)
    (cambio,) = lectura.cambios(con, hasta)
    assert cambio == lectura.pulso(con, uno)
    assert (cambio.id, cambio.revision, cambio.cambio) == (uno, 3, lectura.ultimo_cambio(con))
    assert [c.id for c in lectura.cambios(con, 0, 1)] == [otro]


def test_los_arriendos_que_vencen(con: sqlite3.Connection) -> None:
    rid = crear(con).id
    iniciar(con, rid)
    assert lectura.vencidos(con, a_los(14)) == ()
    assert [a.recorrido for a in lectura.en_curso(con)] == [rid]
    (vencido,) = lectura.vencidos(con, a_los(15))
    assert (vencido.recorrido, vencido.intento.paso) == (rid, "redactar")
    mandar(con, rid, TipoComando.LATIDO, ahora=a_los(14), paso="redactar", intento=1)
    assert lectura.vencidos(con, a_los(15)) == ()
    acabar(con, rid)
    assert lectura.vencidos(con, a_los(9_000)) == () == lectura.en_curso(con)


def test_los_sucesos_por_paginas(con: sqlite3.Connection) -> None:
    rid = crear(con).id
    iniciar(con, rid)
    for numero in range(7):
        mandar(con, rid, TipoComando.ANOTAR, paso="redactar", intento=1, mensaje=f"nota {numero}")
    todos = lectura.eventos(con, rid)
    assert [e.n for e in todos] == list(range(1, len(todos) + 1))
    assert lectura.eventos(con, rid, 4, 3) == todos[4:7]
    assert lectura.ultimos_eventos(con, rid, 3) == todos[-3:]
    assert lectura.ultimos_eventos(con, rid) == todos
    with pytest.raises(ErrorRecorrido, match="No hay ningún recorrido"):
        lectura.intentos(con, "rec_no", "redactar")


def test_se_lee_con_una_conexion_que_no_escribe(con: sqlite3.Connection, fichero: Path) -> None:
    rid = con_plazo(con, None, 0)
    with closing(conectar_lectura(fichero)) as solo_lee:
        proyeccion = lectura.leer(solo_lee, CON_CONECTOR, rid)
        assert proyeccion.recorrido.id == rid
        assert len(proyeccion.entregas) == 1
        assert proyeccion.cambio == lectura.ultimo_cambio(solo_lee)
        assert lectura.bandeja(solo_lee, FiltroBandeja())
        assert not solo_lee.in_transaction
        assert lectura.posibles(solo_lee, CON_CONECTOR, rid, ANA).pasos["revisar"] == (
            TipoComando.RESPONDER,
            TipoComando.DISPENSAR,
        )
        assert lectura.posibles(solo_lee, CON_CONECTOR, rid, LUIS).pasos == {}


@pytest.mark.parametrize(
    ("consulta", "indice"),
    [
        ("SELECT id FROM recorrido WHERE cambio > 5 ORDER BY cambio LIMIT 5", "sqlite_autoindex_recorrido_2"),
        ("SELECT id FROM recorrido WHERE reclamables > 0 ORDER BY id LIMIT 5", "recorrido_reclamable"),
        ("SELECT max(cambio) + 1 FROM recorrido", "sqlite_autoindex_recorrido_2"),
        (
            "SELECT dato FROM recorrido_intento WHERE estado IN ('en_curso', 'dudoso') AND estado = 'en_curso'"
            " AND vence <= 5 ORDER BY vence",
            "recorrido_intento_abierto",
        ),
        (
            "SELECT id FROM recorrido_entrega WHERE rid = 'x' AND estado = 'pendiente'",
            "recorrido_entrega_pendiente",
        ),
        (
            "SELECT dato FROM recorrido_evento WHERE rid = 'x' AND n > 5 ORDER BY n",
            "sqlite_autoindex_recorrido_evento_1",
        ),
    ],
    ids=["cambios", "reclamables", "siguiente", "vencidos", "pendiente", "sucesos"],
)
def test_cada_consulta_tiene_su_indice(con: sqlite3.Connection, consulta: str, indice: str) -> None:
    plan = " ".join(fila[3] for fila in con.execute(f"EXPLAIN QUERY PLAN {consulta}"))
    assert indice in plan, plan
    assert "TEMP B-TREE" not in plan, plan
