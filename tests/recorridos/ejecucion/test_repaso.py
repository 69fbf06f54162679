"""What time does to the runs: leases, doubtful attempts, agents' steps and their jobs."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from nucleo.bd import transaccion
from nucleo.cola import almacen as trabajos
from nucleo.cola import servicio as cola
from nucleo.cola.modelo import EstadoTrabajo, Trabajo
from nucleo.cola.reglas import Contexto, EstadoPerfil
from nucleo.recorridos import almacen, servicio
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import Actor, Comando, TipoComando
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import Situacion
from nucleo.recorridos.peticiones import Recibo
from nucleo.reloj import reloj_del_sistema
from tasks import repaso
from tasks.pasos import EncargoAgente, comprobar, encolar_paso, tipos_de_recorridos
from tests.recorridos.ejecucion.mesa import CASA, crear, estados, mandar
from tests.recorridos.ejecucion.taller import REDACTOR, de_agente, humano, maquinal

CON_OFERTA = Contexto(a_la_vez=1, perfiles=(EstadoPerfil(nombre="oferta", proveedor="ficticio"),))


@pytest.fixture
def tarde(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is ten minutes later for the sweep."""
    luego = reloj_del_sistema() + timedelta(minutes=10)
    monkeypatch.setattr("tasks.repaso.reloj_del_sistema", lambda: luego)


def test_lo_que_esta_dentro_de_su_plazo_no_se_toca(con: sqlite3.Connection) -> None:
    rid = crear(con, maquinal("uno", "anotar"))
    mandar(con, rid, TipoComando.INICIAR, paso="uno")
    assert repaso.vencer_arriendos(con, CASA) == 0
    assert repaso.conciliar_intentos(con, CASA) == 0
    assert estados(con, rid)["uno"] is Situacion.EN_CURSO


@pytest.mark.usefixtures("tarde")
@pytest.mark.parametrize(
    ("repetible", "queda"), [(True, Situacion.LISTO), (False, Situacion.DUDOSO)], ids=["repetible", "unico"]
)
def test_vencido_su_arriendo_queda_en_duda_y_solo_lo_repetible_vuelve_solo(
    con: sqlite3.Connection, repetible: bool, queda: Situacion
) -> None:
    rid = crear(con, maquinal("uno", "anotar", repetible))
    mandar(con, rid, TipoComando.INICIAR, paso="uno")
    assert repaso.vencer_arriendos(con, CASA) == 1
    assert estados(con, rid)["uno"] is Situacion.DUDOSO
    assert repaso.conciliar_intentos(con, CASA) == int(repetible)
    assert estados(con, rid)["uno"] is queda


@pytest.mark.usefixtures("tarde")
def test_lo_repetible_que_no_hace_mas_que_morir_acaba_en_manos_de_una_persona(
    con: sqlite3.Connection,
) -> None:
    rid = crear(con, maquinal("uno", "anotar", repetible=True))
    for _ in range(repaso.REPETICIONES):
        mandar(con, rid, TipoComando.INICIAR, paso="uno")
        assert repaso.vencer_arriendos(con, CASA) == 1
        repaso.conciliar_intentos(con, CASA)
    assert estados(con, rid)["uno"] is Situacion.DUDOSO


def _dado_a_la_cola(con: sqlite3.Connection) -> tuple[str, Trabajo]:
    paso = de_agente("redactar")
    rid = crear(con, paso, humano("revisar"))
    mandar(con, rid, TipoComando.INICIAR, paso="redactar", trabajador="oferta")
    encargo = EncargoAgente(recorrido=rid, paso="redactar", intento=1)
    return rid, encolar_paso(con, encargo, paso, reloj_del_sistema())


def _cerrar(con: sqlite3.Connection, trabajo: Trabajo, estado: EstadoTrabajo) -> None:
    with transaccion(con):
        trabajos.actualizar_trabajo(con, trabajo.model_copy(update={"estado": estado}))


@pytest.mark.usefixtures("tarde")
def test_el_paso_de_un_agente_espera_con_su_trabajo_y_no_queda_en_duda(con: sqlite3.Connection) -> None:
    rid, trabajo = _dado_a_la_cola(con)
    assert repaso.vencer_arriendos(con, CASA) == 0
    repaso.conciliar_intentos(con, CASA)
    ultimo = almacen.recorrido(con, rid).pasos["redactar"].ultimo
    assert ultimo is not None
    assert ultimo.vence > reloj_del_sistema() + timedelta(minutes=10), "su arriendo se renueva"
    assert cola.trabajo(con, trabajo.id).estado is EstadoTrabajo.PENDIENTE


@pytest.mark.parametrize("estado", [EstadoTrabajo.FALLIDO, EstadoTrabajo.CANCELADO, EstadoTrabajo.HECHO])
def test_si_su_trabajo_acaba_sin_cerrarlo_el_paso_falla_y_dice_por_que(
    con: sqlite3.Connection, estado: EstadoTrabajo
) -> None:
    rid, trabajo = _dado_a_la_cola(con)
    _cerrar(con, trabajo, estado)
    assert repaso.conciliar_intentos(con, CASA) == 1
    paso = almacen.recorrido(con, rid).pasos["redactar"]
    assert paso.estado is Situacion.FALLIDO
    assert f"trabajo {trabajo.id}" in paso.resultado
    assert repaso.conciliar_intentos(con, CASA) == 0


def test_un_trabajo_que_se_perdio_entre_dos_escrituras_se_pone_otra_vez_una_sola(
    con: sqlite3.Connection,
) -> None:
    rid = crear(con, de_agente("redactar"))
    mandar(con, rid, TipoComando.INICIAR, paso="redactar", trabajador="oferta")
    for _ in range(2):
        repaso.conciliar_intentos(con, CASA)
    (puesto,) = trabajos.listar(con, list(EstadoTrabajo), 10)
    assert (puesto.tipo, puesto.objeto, puesto.clave) == ("paso-oferta", f"{rid}/redactar", "1")


def test_el_trabajo_esta_hecho_cuando_el_agente_cierra_el_paso(con: sqlite3.Connection, datos: Path) -> None:
    rid, trabajo = _dado_a_la_cola(con)
    tipo = {t.nombre: t for t in tipos_de_recorridos(datos / "nucleo.db", ["oferta"])}[trabajo.tipo]
    _cerrar(con, trabajo, EstadoTrabajo.PENDIENTE)
    reclamado = cola.reclamar(con, {tipo.nombre: tipo}, CON_OFERTA, reloj_del_sistema())
    assert reclamado is not None
    assert not comprobar(datos / "nucleo.db", trabajo, reclamado.intento).hecho
    dicho = tipo.instruir(trabajo, reclamado.intento)
    assert f'"recorrido": "{rid}"' in dicho.entrada
    assert "recorrido_paso" in dicho.texto
    mandar(
        con,
        rid,
        TipoComando.COMPLETAR,
        REDACTOR,
        paso="redactar",
        intento=1,
        salidas={"dicho": "listo"},
        mensaje="Redactado.",
    )
    assert tipo.comprobar(trabajo, reclamado.intento).hecho
    assert estados(con, rid)["revisar"] is Situacion.ESPERANDO


@pytest.mark.usefixtures("tarde")
def test_uno_con_el_que_no_se_puede_no_para_a_los_demas(
    con: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    malo, bueno = (crear(con, maquinal("uno", "anotar")) for _ in range(2))
    for rid in (malo, bueno):
        mandar(con, rid, TipoComando.INICIAR, paso="uno")
    de_veras = servicio.mandar

    def mandar_salvo_al_malo(  # noqa: PLR0917 - as the real one
        con: sqlite3.Connection, casa: Casa, rid: str, comando: Comando, actor: Actor, ahora: datetime
    ) -> Recibo:
        if rid == malo:
            raise ErrorRecorrido("PLAN_INVALIDO", "El plan no vale con las reglas de ahora.")
        return de_veras(con, casa, rid, comando, actor, ahora)

    monkeypatch.setattr(repaso.servicio, "mandar", mandar_salvo_al_malo)
    assert repaso.vencer_arriendos(con, CASA) == 1
    assert estados(con, bueno)["uno"] is Situacion.DUDOSO
