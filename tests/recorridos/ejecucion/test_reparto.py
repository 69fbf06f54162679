"""Who is woken, once, whatever the other side does: takes it, refuses, is silent, is slow or says it twice."""

from __future__ import annotations

import asyncio
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from nucleo.cola import almacen as trabajos
from nucleo.cola.modelo import EstadoTrabajo
from nucleo.errores import ErrorRed
from nucleo.recorridos import lectura
from nucleo.recorridos.comandos import TipoComando
from nucleo.recorridos.entregas.modelo import EstadoEntrega
from nucleo.recorridos.lectura.modelo import FiltroBandeja, Pide
from nucleo.recorridos.plan import Clase, Paso
from nucleo.reloj import reloj_del_sistema
from tasks.pasos import tipos_de_recorridos
from tasks.reparto import ConectorHermes, ConectorPrefect, NadaEnviado, conciliar, despertar, repartir
from tests.recorridos.ejecucion.mesa import crear, mandar
from tests.recorridos.ejecucion.taller import PERSONA, REDACTOR, humano, maquinal


class Motor:
    """An engine that takes each key once; `falla` is what it does instead."""

    def __init__(self) -> None:
        self.avances: dict[str, str] = {}
        self.falla: Exception | None = None
        self.calla = False

    async def lanzar(self, rid: str, clave: str) -> None:
        if isinstance(self.falla, NadaEnviado):
            raise self.falla
        self.avances[clave] = rid
        if self.falla is not None:
            raise self.falla
        if self.calla:
            await asyncio.Event().wait()


@pytest.fixture
def motor() -> Motor:
    return Motor()


def estado_de(con: sqlite3.Connection, rid: str) -> list[EstadoEntrega]:
    return [e.estado for e in lectura.entregas(con, rid)]


@pytest.fixture
def mas_tarde(monkeypatch: pytest.MonkeyPatch) -> None:
    luego = reloj_del_sistema() + timedelta(minutes=10)
    monkeypatch.setattr("tasks.reparto.reloj_del_sistema", lambda: luego)


async def test_un_recorrido_de_la_instalacion_despierta_al_motor_una_vez(
    con: sqlite3.Connection, motor: Motor
) -> None:
    rid = crear(con, maquinal("uno", "anotar"))
    conectores = {"prefect": ConectorPrefect(motor.lanzar)}
    assert await repartir(con, conectores) == 1
    assert list(motor.avances.values()) == [rid]
    assert estado_de(con, rid) == [EstadoEntrega.CONFIRMADA]
    assert await repartir(con, conectores) == 0


async def test_si_el_motor_no_esta_nada_se_envia_y_se_espera_un_poco_mas_cada_vez(
    con: sqlite3.Connection, motor: Motor
) -> None:
    rid = crear(con, maquinal("uno", "anotar"))
    motor.falla = NadaEnviado("El motor no está en marcha.")
    conectores = {"prefect": ConectorPrefect(motor.lanzar)}
    assert await repartir(con, conectores) == 0
    (entrega,) = lectura.entregas(con, rid)
    assert entrega.estado is EstadoEntrega.PENDIENTE
    assert entrega.nota == "El motor no está en marcha."
    assert entrega.no_antes > reloj_del_sistema() + timedelta(seconds=1)


@pytest.mark.parametrize("como", ["error", "silencio"])
async def test_sin_acuse_queda_incierta_y_se_resuelve_sin_repetir(
    con: sqlite3.Connection, motor: Motor, monkeypatch: pytest.MonkeyPatch, como: str
) -> None:
    rid = crear(con, maquinal("uno", "anotar"))
    conectores = {"prefect": ConectorPrefect(motor.lanzar)}
    monkeypatch.setattr("tasks.reparto.PLAZO_S", 0.05)
    motor.falla, motor.calla = (ErrorRed("Se cortó."), False) if como == "error" else (None, True)
    assert await repartir(con, conectores) == 0
    assert await repartir(con, conectores) == 0, "no se reenvía a ciegas"
    luego = reloj_del_sistema() + timedelta(minutes=10)
    monkeypatch.setattr("tasks.reparto.reloj_del_sistema", lambda: luego)
    motor.falla, motor.calla = None, False
    assert await conciliar(con, conectores) == 1
    assert estado_de(con, rid) == [EstadoEntrega.CONFIRMADA]
    assert list(motor.avances.values()) == [rid], "con su misma clave, es el mismo avance"


@pytest.mark.usefixtures("mas_tarde")
async def test_lo_que_no_se_puede_saber_espera_a_una_persona(con: sqlite3.Connection, motor: Motor) -> None:
    rid = crear(con, maquinal("uno", "anotar"))
    conectores = {"prefect": ConectorPrefect(motor.lanzar)}
    motor.falla = ErrorRed("Se cortó.")
    await repartir(con, conectores)
    vencida = reloj_del_sistema() + timedelta(minutes=20)
    with pytest.MonkeyPatch.context() as luego:
        luego.setattr("tasks.reparto.reloj_del_sistema", lambda: vencida)
        assert await conciliar(con, conectores) == 0
    assert estado_de(con, rid) == [EstadoEntrega.INCIERTA]
    assert [p.pide for p in lectura.bandeja(con, FiltroBandeja())] == [Pide.ENTREGA]


async def test_el_turno_de_un_agente_que_coordina_es_un_trabajo_de_la_cola(
    con: sqlite3.Connection, datos: Path
) -> None:
    redactar = Paso(id="redactar", titulo="Redactar", clase=Clase.AGENTE)
    rid = crear(con, humano("elegir"), redactar, actor=REDACTOR)
    conectores = {"hermes": ConectorHermes(con, _tipos(datos))}
    assert await repartir(con, conectores) == 0, "primero tiene que contestar una persona"
    mandar(con, rid, TipoComando.RESPONDER, PERSONA, paso="elegir", revision=1)
    assert await repartir(con, conectores) == 1
    (trabajo,) = trabajos.listar(con, list(EstadoTrabajo), 10)
    assert (trabajo.tipo, trabajo.objeto) == ("coordinar-oferta", rid)
    (entrega,) = lectura.entregas(con, rid)
    assert trabajo.clave == entrega.id
    assert await conectores["hermes"].llego(entrega) is True


async def test_de_un_coordinador_sin_perfil_nada_se_envia(con: sqlite3.Connection) -> None:
    redactar = Paso(id="redactar", titulo="Redactar", clase=Clase.AGENTE)
    rid = crear(con, redactar, actor=REDACTOR)
    assert await repartir(con, {"hermes": ConectorHermes(con, {})}) == 0
    assert estado_de(con, rid) == [EstadoEntrega.PENDIENTE]


async def test_lo_que_se_puede_hacer_se_pide_otra_vez_cada_minuto_y_no_antes(
    con: sqlite3.Connection, motor: Motor, monkeypatch: pytest.MonkeyPatch
) -> None:
    rid = crear(con, maquinal("uno", "anotar"), humano("dos"))
    ahora = reloj_del_sistema()
    for segundos in (0, 0, 61):
        monkeypatch.setattr(
            "tasks.reparto.reloj_del_sistema", lambda s=segundos: ahora + timedelta(seconds=s)
        )
        assert await despertar(con, motor.lanzar) == 1
    assert list(motor.avances.values()) == [rid, rid]
    mandar(con, rid, TipoComando.INICIAR, paso="uno")
    assert await despertar(con, motor.lanzar) == 0


def _tipos(datos: Path) -> dict[str, object]:
    return {t.nombre: t for t in tipos_de_recorridos(datos / "nucleo.db", ["oferta"])}
