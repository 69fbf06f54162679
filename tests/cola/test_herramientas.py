"""`estado_cola`: figures of everybody, jobs of whoever asks alone, and no secret of anybody."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from app.mcp.herramientas import CATALOGO
from nucleo import registro
from nucleo.agentes.herramientas import Contexto
from nucleo.agentes.llamar import SinHerramienta, Taller, llamar
from nucleo.agentes.modelo import Agente
from nucleo.bd import conectar
from nucleo.cola import servicio
from nucleo.cola.modelo import Ambito, Autor, Freno
from nucleo.reloj import reloj_del_sistema
from tests.agentes.casa import encargar
from tests.conftest import AHORA


@pytest.fixture
def con(datos: Path) -> Iterator[sqlite3.Connection]:
    with closing(conectar(registro.preparar(datos))) as abierta:
        yield abierta


def preguntar(con: sqlite3.Connection, datos: Path, nombre: str, *permisos: str) -> dict[str, Any]:
    agente = Agente(nombre=nombre, permisos=frozenset(permisos or ("leer:cola",)), creado=AHORA)
    contexto = Contexto(agente, datos, reloj_del_sistema)
    try:
        respuesta: dict[str, Any] = json.loads(llamar(Taller(con, CATALOGO, contexto), "estado_cola", {}))
    finally:
        contexto.lecturas.cerrar()
    return respuesta


def test_una_cola_vacia_es_una_respuesta(con: sqlite3.Connection, datos: Path) -> None:
    assert preguntar(con, datos, "uno") == {"ok": True, "cuentas": [], "frenos": [], "tuyos": []}


def test_cada_uno_ve_las_cuentas_de_todos_y_solo_sus_trabajos(con: sqlite3.Connection, datos: Path) -> None:
    mio, ajeno = encargar(con, "uno"), encargar(con, "otro")
    servicio.cancelar(con, _numero(encargar(con, "uno", "aviso")), reloj_del_sistema())
    visto = preguntar(con, datos, "uno")
    assert visto["cuentas"] == [
        {"tipo": "aviso", "estado": "cancelando", "cuantos": 1},
        {"tipo": "nota", "estado": "en_curso", "cuantos": 2},
    ]
    assert [(t["trabajo"], t["tipo"], t["intento"]) for t in visto["tuyos"]] == [
        (mio["trabajo"], "nota", 1),
        (_numero(mio) + 2, "aviso", 1),
    ]
    escrito = json.dumps(visto)
    assert str(mio["nonce"]) not in escrito
    assert str(ajeno["nonce"]) not in escrito
    assert servicio.trabajo(con, _numero(ajeno)).objeto not in escrito


def _numero(encargo: dict[str, object]) -> int:
    numero = encargo["trabajo"]
    assert isinstance(numero, int)
    return numero


def test_se_dice_lo_que_esta_parado_menos_lo_de_otro_perfil(con: sqlite3.Connection, datos: Path) -> None:
    ahora = reloj_del_sistema()
    servicio.pausar(con, Ambito.TIPO, "criba", ahora)
    for perfil in ("uno", "otro"):
        hasta, motivo = ahora + timedelta(hours=1), f"El perfil «{perfil}» no responde."
        servicio.frenar(
            con,
            Freno(
                ambito=Ambito.PERFIL,
                nombre=perfil,
                autor=Autor.REGLA,
                desde=ahora,
                hasta=hasta,
                motivo=motivo,
            ),
        )
    servicio.pausar(con, Ambito.COLA, "", ahora)
    servicio.reanudar(con, Ambito.COLA, "", ahora)
    frenos = preguntar(con, datos, "uno")["frenos"]
    assert [(f["ambito"], f["nombre"], f["hasta"] is None) for f in frenos] == [
        ("perfil", "uno", False),
        ("tipo", "criba", True),
    ]


def test_sin_su_permiso_no_existe(con: sqlite3.Connection, datos: Path) -> None:
    with pytest.raises(SinHerramienta):
        preguntar(con, datos, "uno", "leer:licitaciones", "leer:empresa", "proponer:licitaciones")
