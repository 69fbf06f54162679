"""Tokens: given once, changed, taken away; nothing that is kept lets anybody in."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from nucleo.agentes import servicio, tokens
from nucleo.errores import ErrorEntrada, NoEncontrado
from nucleo.registro import FICHERO
from tests.conftest import AHORA

LUEGO = AHORA + timedelta(hours=1)
LEER = ("leer:licitaciones",)


def test_el_token_abre_y_solo_se_guarda_su_huella(con: sqlite3.Connection, datos: Path) -> None:
    agente, token = servicio.crear(con, "licitaciones", LEER, AHORA)
    assert servicio.autenticar(con, token, AHORA) == agente
    con.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    guardado = (datos / FICHERO).read_bytes()
    assert token.encode() not in guardado
    assert token.removeprefix(tokens.PREFIJO).encode() not in guardado
    assert tokens.huella(token) in guardado


def test_un_token_tiene_256_bits_y_no_se_repite() -> None:
    muchos = {tokens.nuevo() for _ in range(1000)}
    assert len(muchos) == 1000
    assert all(tokens.FORMA.fullmatch(t) for t in muchos)  # 43 characters of base64 hold 256 bits


@pytest.mark.parametrize(
    "cual", [None, "", "sobre_", "sobre_" + "a" * 43, "x" * 100_000, "ñ\udcff", "' OR 1=1 --"]
)
def test_lo_que_no_es_un_token_no_abre(con: sqlite3.Connection, cual: str | None) -> None:
    servicio.crear(con, "licitaciones", LEER, AHORA)
    assert servicio.autenticar(con, cual, AHORA) is None


def test_rotar_conserva_el_nombre_y_los_permisos_y_apaga_el_anterior(con: sqlite3.Connection) -> None:
    viejo = servicio.crear(con, "licitaciones", LEER, AHORA)
    nuevo = servicio.rotar(con, "licitaciones", LUEGO)
    assert nuevo.token != viejo.token
    assert nuevo.agente == viejo.agente.model_copy(update={"rotado": LUEGO})
    assert servicio.autenticar(con, viejo.token, LUEGO) is None
    assert servicio.autenticar(con, nuevo.token, LUEGO) == nuevo.agente


def test_revocar_cierra_en_el_acto_y_dos_veces_es_lo_mismo(con: sqlite3.Connection) -> None:
    _, token = servicio.crear(con, "licitaciones", LEER, AHORA)
    revocado = servicio.revocar(con, "licitaciones", LUEGO)
    assert revocado.revocado == LUEGO
    assert servicio.autenticar(con, token, LUEGO) is None
    assert servicio.revocar(con, "licitaciones", LUEGO + timedelta(1)) == revocado
    assert not revocado.puede("leer:licitaciones")
    with pytest.raises(ErrorEntrada, match="revocado"):
        servicio.rotar(con, "licitaciones", LUEGO)


def test_un_revocado_puede_volver_con_otro_token(con: sqlite3.Connection) -> None:
    _, viejo = servicio.crear(con, "licitaciones", LEER, AHORA)
    servicio.revocar(con, "licitaciones", AHORA)
    agente, token = servicio.crear(con, "licitaciones", ("leer:oferta",), LUEGO)
    assert servicio.autenticar(con, viejo, LUEGO) is None
    assert servicio.autenticar(con, token, LUEGO) == agente
    assert agente.permisos == {"leer:oferta"}


def test_dos_agentes_no_comparten_nombre(con: sqlite3.Connection) -> None:
    _, token = servicio.crear(con, "critico", LEER, AHORA)
    with pytest.raises(ErrorEntrada, match="Ya hay"):
        servicio.crear(con, "critico", LEER, AHORA)
    assert servicio.autenticar(con, token, AHORA) is not None


@pytest.mark.parametrize(
    ("nombre", "permisos"),
    [
        ("Crítico", LEER),
        ("", LEER),
        ("a" * 41, LEER),
        ("critico", ()),
        ("critico", ("*",)),
        ("critico", ("leer:*",)),
        ("critico", ("aprobar:licitaciones",)),
        ("critico", ("leer:licitaciones\n",)),
        ("critico", ("leer",)),
    ],
)
def test_un_nombre_o_un_permiso_mal_escritos_no_crean_nada(
    con: sqlite3.Connection, nombre: str, permisos: tuple[str, ...]
) -> None:
    with pytest.raises(ErrorEntrada):
        servicio.crear(con, nombre, permisos, AHORA)
    assert servicio.listar(con) == ()


def test_lo_que_no_existe_se_dice(con: sqlite3.Connection) -> None:
    for orden in (servicio.rotar, servicio.revocar):
        with pytest.raises(NoEncontrado, match="listar"):
            orden(con, "nadie", AHORA)


def test_se_sabe_cuando_vino_por_ultima_vez(con: sqlite3.Connection) -> None:
    _, token = servicio.crear(con, "licitaciones", LEER, AHORA)
    assert servicio.visto(con, "licitaciones") is None
    servicio.autenticar(con, token, AHORA)
    servicio.autenticar(con, token, AHORA + timedelta(milliseconds=300))
    assert servicio.visto(con, "licitaciones") == AHORA
    servicio.autenticar(con, token, LUEGO)
    assert servicio.visto(con, "licitaciones") == LUEGO
    assert servicio.visto(con, "nadie") is None


def test_mientras_otro_escribe_se_entra_sin_esperar_aunque_no_quede_anotado(
    con: sqlite3.Connection, datos: Path
) -> None:
    _, token = servicio.crear(con, "licitaciones", LEER, AHORA)
    espera = con.execute("PRAGMA busy_timeout").fetchone()
    with closing(sqlite3.connect(datos / FICHERO, isolation_level=None)) as otra:
        otra.execute("BEGIN IMMEDIATE")
        agente = servicio.autenticar(con, token, LUEGO)
        assert agente is not None and agente.visto is None
        assert not con.in_transaction
        assert con.execute("PRAGMA busy_timeout").fetchone() == espera, "lo demás espera lo de siempre"
        otra.execute("ROLLBACK")
    servicio.autenticar(con, token, LUEGO)
    assert servicio.listar(con)[0].visto == LUEGO
