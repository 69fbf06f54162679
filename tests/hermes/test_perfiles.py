"""The file of profiles: what is accepted, and how each mistake is told without telling a key."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from nucleo.hermes.perfiles import Hermes, PerfilNoValido, leer_hermes

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
        ({"perfiles": {"a": PERFIL}, "prezios": []}, "prezios", "¿es «precios»?"),
        ({"perfiles": {"a": {**PERFIL, "ur": 1}}}, "perfiles.a.ur", "¿es «url»?"),
        ({"perfiles": {"A b": PERFIL}}, "perfiles.A b", "en minúsculas"),
        ({"perfiles": {"a": {"clave_env": "CLAVE"}}}, "perfiles.a.url", "falta"),
        ({"perfiles": {"a": {**PERFIL, "url": 8642}}}, "perfiles.a.url", "un texto"),
        ({"perfiles": {"a": {**PERFIL, "url": "http://hermes:8642"}}}, "perfiles.a.url", "127.0.0.1"),
        ({"perfiles": {"a": {"url": PERFIL["url"]}}}, "perfiles.a", "uno de los dos"),
        ({"perfiles": {"a": {**PERFIL, "clave_fichero": "x"}}}, "perfiles.a", "uno de los dos"),
        ({"perfiles": {"a": {**PERFIL, "clave_env": "NO"}}}, "perfiles.a", "no tiene nada"),
        ({"perfiles": {"a": {**PERFIL, "clave_env": "CORTA"}}}, "perfiles.a", "16 caracteres"),
        ({"perfiles": {"a": {**PERFIL, "clave_env": "RARA"}}}, "perfiles.a", "sin espacios"),
        (
            {"perfiles": {"a": {"url": PERFIL["url"], "clave_fichero": "no-esta"}}},
            "perfiles.a",
            "no se puede leer",
        ),
        ({"perfiles": {"a": PERFIL, "b": PERFIL}}, "perfiles.b.url", "la misma que la de «a»"),
        ({"perfiles": {"a": PERFIL}, "moneda": "GBP"}, "moneda", "EUR o USD"),
        (
            {
                "perfiles": {"a": PERFIL},
                "precios": [{"proveedor": "p", "modelo": "m", "entrada": 0.1, "salida": "1"}],
            },
            "precios.0.entrada",
            "entre comillas",
        ),
        (
            {
                "perfiles": {"a": PERFIL},
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
    datos = {"perfiles": {"a": {**PERFIL, "url": "x"}, "b": {"url": PERFIL["url"]}}, "moneda": 3}
    with pytest.raises(PerfilNoValido) as rechazo:
        leer_hermes(escribir(tmp_path, datos), ENTORNO)
    assert [c for c, _ in rechazo.value.problemas] == ["perfiles.a.url", "perfiles.b", "moneda"]


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
