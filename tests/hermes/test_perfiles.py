"""The file of profiles: what is accepted, and how each mistake is told without telling a key."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from nucleo.agentes.modelo import NombreAgente
from nucleo.hermes.perfiles import Hermes, Nombre, PerfilNoValido, leer_hermes

CLAVE = "clave-de-prueba-0123456789"
PERFIL = {"url": "http://127.0.0.1:8642", "clave_env": "CLAVE"}
ENTORNO = {"CLAVE": CLAVE, "CORTA": "corta", "RARA": "con espacios y más cosas"}


def escribir(carpeta: Path, datos: object) -> Path:
    fichero = carpeta / "hermes.json"
    fichero.write_text(json.dumps(datos), "utf-8")
    return fichero


def test_sin_fichero_no_hay_perfiles() -> None:
    assert leer_hermes(None) == Hermes()
    assert leer_hermes(None).perfil("licitaciones") is None


def test_un_toml_entero(tmp_path: Path) -> None:
    (tmp_path / "claves").mkdir()
    (tmp_path / "claves" / "critico").write_text(f"{CLAVE}\n", "utf-8")
    fichero = tmp_path / "hermes.toml"
    fichero.write_text(
        'moneda = "EUR"\n'
        '[perfiles.licitaciones]\nurl = "http://localhost:8642/"\nclave_env = "CLAVE"\nproveedor = "p"\n'
        '[perfiles.critico]\nurl = "http://[::1]:8644"\nclave_fichero = "claves/critico"\n'
        '[[precios]]\nproveedor = "p"\nmodelo = "m"\nentrada = "0.25"\nsalida = 1\n',
        "utf-8",
    )
    hermes = leer_hermes(fichero, ENTORNO)
    licitaciones, critico = hermes.perfil("licitaciones"), hermes.perfil("critico")
    assert licitaciones is not None
    assert critico is not None
    assert (licitaciones.url, licitaciones.proveedor) == ("http://127.0.0.1:8642", "p")
    assert (critico.url, critico.proveedor) == ("http://[::1]:8644", "desconocido")
    assert licitaciones.clave.get_secret_value() == critico.clave.get_secret_value() == CLAVE
    assert (hermes.moneda, hermes.precios[0].entrada) == ("EUR", Decimal("0.25"))
    assert CLAVE not in repr(hermes)


@pytest.mark.parametrize(
    ("datos", "campo", "mensaje"),
    [
        ({}, "perfiles", "falta"),
        ({"perfiles": {}}, "perfiles", "no hay ninguno"),
        ({"perfiles": []}, "perfiles", "dentro sus propios campos"),
        ([], "", "dentro sus propios campos"),
        ({"perfiles": {"uno": PERFIL}, "prezios": []}, "prezios", "¿es «precios»?"),
        ({"perfiles": {"uno": {**PERFIL, "ur": 1}}}, "perfiles.uno.ur", "¿es «url»?"),
        ({"perfiles": {"A b": PERFIL}}, "perfiles.A b", "en minúsculas"),
        ({"perfiles": {"mi_perfil": PERFIL}}, "perfiles.mi_perfil", "guiones"),
        ({"perfiles": {"uno": {"clave_env": "CLAVE"}}}, "perfiles.uno.url", "falta"),
        ({"perfiles": {"uno": {**PERFIL, "url": 8642}}}, "perfiles.uno.url", "un texto"),
        ({"perfiles": {"uno": {**PERFIL, "url": "http://hermes:8642"}}}, "perfiles.uno.url", "127.0.0.1"),
        ({"perfiles": {"uno": {"url": PERFIL["url"]}}}, "perfiles.uno", "uno de los dos"),
        ({"perfiles": {"uno": {**PERFIL, "clave_fichero": "x"}}}, "perfiles.uno", "uno de los dos"),
        ({"perfiles": {"uno": {**PERFIL, "clave_env": "NO"}}}, "perfiles.uno", "no tiene nada"),
        ({"perfiles": {"uno": {**PERFIL, "clave_env": "CORTA"}}}, "perfiles.uno", "16 caracteres"),
        ({"perfiles": {"uno": {**PERFIL, "clave_env": "RARA"}}}, "perfiles.uno", "sin espacios"),
        (
            {"perfiles": {"uno": {"url": PERFIL["url"], "clave_fichero": "no-esta"}}},
            "perfiles.uno",
            "no se puede leer",
        ),
        ({"perfiles": {"uno": PERFIL, "otro": PERFIL}}, "perfiles.otro.url", "la misma que la de «uno»"),
        ({"perfiles": {"uno": PERFIL}, "moneda": "GBP"}, "moneda", "EUR o USD"),
        (
            {
                "perfiles": {"uno": PERFIL},
                "precios": [{"proveedor": "p", "modelo": "m", "entrada": 0.1, "salida": "1"}],
            },
            "precios.0.entrada",
            "entre comillas",
        ),
        (
            {
                "perfiles": {"uno": PERFIL},
                "precios": [{"proveedor": "p", "modelo": "m", "entrada": "1", "salida": "1"}] * 2,
            },
            "precios.1",
            "ya tiene precio",
        ),
    ],
)
def test_cada_error_dice_su_campo(tmp_path: Path, datos: object, campo: str, mensaje: str) -> None:
    with pytest.raises(PerfilNoValido) as rechazo:
        leer_hermes(escribir(tmp_path, datos), ENTORNO)
    assert [(c, mensaje in m) for c, m in rechazo.value.problemas] == [(campo, True)]
    assert "hermes.json" in rechazo.value.mensaje
    assert not any(clave in rechazo.value.mensaje for clave in ENTORNO.values() if clave != "corta")


def test_se_dicen_todos_los_errores_a_la_vez(tmp_path: Path) -> None:
    datos = {"perfiles": {"uno": {**PERFIL, "url": "x"}, "otro": {"url": PERFIL["url"]}}, "moneda": 3}
    with pytest.raises(PerfilNoValido) as rechazo:
        leer_hermes(escribir(tmp_path, datos), ENTORNO)
    assert [c for c, _ in rechazo.value.problemas] == ["perfiles.uno.url", "perfiles.otro", "moneda"]


@pytest.mark.parametrize(
    ("nombre", "crudo", "mensaje"),
    [
        ("h.json", b"{", "no es JSON"),
        ("h.json", b"[" * 200_000, "no es JSON"),
        ("h.json", b"\xff\xff", "UTF-8"),
        ("h.toml", b"a = ", "no es TOML"),
        ("h.json", b" " * 1_000_001, "demasiado grande"),
    ],
)
def test_un_fichero_que_no_se_entiende_se_rechaza(
    tmp_path: Path, nombre: str, crudo: bytes, mensaje: str
) -> None:
    fichero = tmp_path / nombre
    fichero.write_bytes(crudo)
    with pytest.raises(PerfilNoValido, match=mensaje):
        leer_hermes(fichero, ENTORNO)


def test_un_fichero_que_no_esta_se_dice_con_su_variable(tmp_path: Path) -> None:
    with pytest.raises(PerfilNoValido, match="SOBRE_HERMES"):
        leer_hermes(tmp_path / "no-esta.json", ENTORNO)


@given(st.from_regex(r"[a-z0-9_-]{1,40}", fullmatch=True))
def test_todo_perfil_puede_tener_un_agente_de_su_nombre(nombre: str) -> None:
    try:
        TypeAdapter(Nombre).validate_python(nombre)
    except ValidationError:
        return
    TypeAdapter(NombreAgente).validate_python(nombre)
