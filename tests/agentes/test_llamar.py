"""A call: what it answers, what is recorded, and what never gets out."""

from __future__ import annotations

import json
import logging
import sqlite3
from pathlib import Path

import pytest

from nucleo.agentes import auditoria
from nucleo.agentes.herramientas import Contexto
from nucleo.agentes.llamar import SinHerramienta, Taller, llamar
from nucleo.agentes.modelo import Agente, Desenlace, FiltroLlamadas, Llamada
from nucleo.agentes.recortar import TOPE
from nucleo.reloj import Reloj
from tests.agentes.casa import CATALOGO, SECRETO
from tests.conftest import AHORA


@pytest.fixture
def taller(con: sqlite3.Connection, datos: Path, reloj: Reloj) -> Taller:
    agente = Agente(nombre="lector", permisos=frozenset({"leer:notas", "personal"}), creado=AHORA)
    return Taller(con, CATALOGO, Contexto(agente, datos, reloj))


def ultima(con: sqlite3.Connection) -> Llamada:
    ((_, llamada),) = auditoria.buscar(con, FiltroLlamadas(limite=1))
    return llamada


@pytest.mark.parametrize(
    ("nombre", "codigo", "desenlace"),
    [
        ("romperse", "fallo_interno", Desenlace.FALLO),
        ("no_poder", "base_datos", Desenlace.RECHAZO),
        ("negarse", "entrada_no_valida", Desenlace.RECHAZO),
    ],
)
def test_un_error_es_una_respuesta_y_no_cuenta_secretos(
    taller: Taller, caplog: pytest.LogCaptureFixture, nombre: str, codigo: str, desenlace: Desenlace
) -> None:
    with caplog.at_level(logging.WARNING):
        respuesta = llamar(taller, nombre, {})
    leida = json.loads(respuesta)
    assert (leida["ok"], leida["codigo"]) == (False, codigo)
    assert SECRETO not in respuesta
    assert (SECRETO in caplog.text) == (nombre != "negarse")  # the log does say it all
    guardada = ultima(taller.con)
    assert (guardada.desenlace, guardada.codigo, guardada.herramienta) == (desenlace, codigo, nombre)


def test_lo_que_la_herramienta_dice_para_el_agente_le_llega(taller: Taller) -> None:
    assert json.loads(llamar(taller, "negarse", {}))["errores"] == [{"campo": "", "mensaje": "Hoy no toca."}]


def test_los_argumentos_malos_ni_la_ejecutan(taller: Taller) -> None:
    leida = json.loads(llamar(taller, "romperse", {"de_mas": 1}))
    assert leida["codigo"] == "argumentos"
    assert ultima(taller.con).desenlace is Desenlace.RECHAZO


@pytest.mark.parametrize(
    ("nombre", "desenlace"),
    [
        ("proponer_nota", Desenlace.SIN_PERMISO),
        ("no_existe", Desenlace.DESCONOCIDA),
        ("x" * 5000, Desenlace.DESCONOCIDA),
    ],
)
def test_sin_permiso_y_sin_declarar_son_lo_mismo_menos_en_el_registro(
    taller: Taller, nombre: str, desenlace: Desenlace
) -> None:
    with pytest.raises(SinHerramienta, match=r"^No existe esa herramienta\.$"):
        llamar(taller, nombre, {"texto": "hola"})
    guardada = ultima(taller.con)
    assert guardada.desenlace is desenlace
    assert "hola" not in guardada.argumentos


def test_una_respuesta_enorme_llega_recortada(taller: Taller) -> None:
    respuesta = llamar(taller, "hablar_mucho", {})
    assert len(respuesta.encode()) <= TOPE
    assert json.loads(respuesta)["recortado"] == ["dicho: 4000 de 3000000 caracteres"]
    assert ultima(taller.con).octetos == len(respuesta.encode())


def test_de_una_herramienta_personal_no_se_guarda_ningun_valor(taller: Taller) -> None:
    llamar(taller, "ver_curriculo", {"persona": "Persona Ficticia"})
    assert ultima(taller.con).argumentos == '{"persona": "***"}'


def test_si_no_se_puede_anotar_no_se_responde(taller: Taller) -> None:
    taller.con.execute("DROP TABLE agente_llamada")
    with pytest.raises(sqlite3.OperationalError):
        llamar(taller, "negarse", {})


def test_el_registro_se_busca(taller: Taller) -> None:
    for nombre in ("negarse", "romperse", "negarse"):
        llamar(taller, nombre, {"rastro": nombre})

    def hallar(**campos: object) -> list[str]:
        return [c.herramienta for _, c in auditoria.buscar(taller.con, FiltroLlamadas.model_validate(campos))]

    assert hallar() == ["negarse", "romperse", "negarse"]
    assert hallar(herramienta="romperse") == hallar(texto="ROMPERSE") == ["romperse"]
    assert hallar(agente="otro") == hallar(desenlace=Desenlace.BIEN) == []
    assert hallar(hasta_id=2) == ["romperse", "negarse"]
    assert hallar(limite=1) == ["negarse"]
    assert len(hallar(desde=AHORA)) == 3


def test_las_llamadas_de_un_intento_se_reconocen_por_su_nonce_y_no_se_muestra(taller: Taller) -> None:
    llamar(taller, "negarse", {"nonce": "n-123"})
    llamar(taller, "negarse", {"payload": {"nonce": "n-456"}})
    assert auditoria.ultima_de_intento(taller.con, "n-123") == AHORA
    assert auditoria.ultima_de_intento(taller.con, "n-456") == AHORA
    assert auditoria.ultima_de_intento(taller.con, "otro") is None
    assert auditoria.ultima_de_agente(taller.con, "lector") == AHORA
    assert all("n-" not in c.argumentos for _, c in auditoria.buscar(taller.con, FiltroLlamadas()))
