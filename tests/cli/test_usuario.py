"""The first account by `sobre init`, and `sobre usuario` as whoever keeps the machine runs it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from nucleo import registro
from nucleo.bd import conectar
from nucleo.errores import ErrorSobre
from nucleo.personas import servicio
from nucleo.personas.modelo import Procedencia, SesionViva
from nucleo.reloj import reloj_del_sistema

SOBRE = Path(sys.executable).with_name("sobre")
CLAVE = "una-clave-bastante-larga"
DE_UN_USO = re.compile(r"[a-z2-9]{4}(?:-[a-z2-9]{4}){3}")


def sobre(*orden: str, **entorno: str) -> str:
    """What it says when it goes well."""
    hecho = _correr(*orden, **entorno)
    assert (hecho.returncode, hecho.stderr) == (0, "")
    return hecho.stdout


def rechazo(*orden: str, **entorno: str) -> str:
    """The one line that it says when it refuses."""
    hecho = _correr(*orden, **entorno)
    assert (hecho.returncode, hecho.stdout, hecho.stderr.count("\n")) == (1, "", 1)
    return hecho.stderr


def _correr(*orden: str, **entorno: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(SOBRE), *orden],
        env=os.environ | entorno,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def entrar(datos: Path, usuario: str, clave: str) -> SesionViva:
    with closing(conectar(registro.preparar(datos))) as con:
        return servicio.entrar(
            con, usuario, clave, Procedencia("127.0.0.1", "pruebas"), reloj_del_sistema()
        ).sesion


def clave_en(dicho: str) -> str:
    (clave,) = DE_UN_USO.findall(dicho)
    return str(clave)


def cuentas() -> dict[str, tuple[str, bool, bool]]:
    """Name → role, whether it is disabled, whether it must change its password."""
    listadas = json.loads(sobre("usuario", "listar", "--json"))
    return {u["usuario"]: (u["rol"], u["desactivado"] is not None, u["cambiar_clave"]) for u in listadas}


def test_la_primera_cuenta_dice_su_clave_una_vez_y_no_se_rehace(datos: Path) -> None:
    clave = clave_en(sobre("init"))
    assert cuentas() == {"admin": ("admin", False, True)}
    assert not DE_UN_USO.search(sobre("init", SOBRE_ADMIN_USUARIO="otra", SOBRE_ADMIN_CLAVE=CLAVE))
    assert list(cuentas()) == ["admin"]
    assert entrar(datos, "admin", clave).usuario.cambiar_clave


def test_la_primera_cuenta_con_nombre_y_clave_elegidos_no_ensena_nada(datos: Path) -> None:
    dicho = sobre("init", SOBRE_ADMIN_USUARIO="Jefa", SOBRE_ADMIN_CLAVE=CLAVE)
    assert CLAVE not in dicho and not DE_UN_USO.search(dicho)
    assert not entrar(datos, "jefa", CLAVE).usuario.cambiar_clave


@pytest.mark.parametrize(
    "entorno",
    [{"SOBRE_ADMIN_USUARIO": "con espacios"}, {"SOBRE_ADMIN_CLAVE": "corta"}],
    ids=["nombre", "clave"],
)
def test_la_primera_cuenta_que_no_vale_se_dice_y_no_se_abre(datos: Path, entorno: dict[str, str]) -> None:
    hecho = _correr("init", **entorno)
    assert (hecho.returncode, hecho.stderr.count("\n")) == (1, 1)
    assert cuentas() == {}


def test_una_cuenta_de_principio_a_fin(datos: Path) -> None:
    sobre("init")
    primera = clave_en(sobre("usuario", "crear", "Ana", "--rol", "editor", "--como", "Ana Ficticia"))
    entrar(datos, "ana", primera)
    segunda = clave_en(sobre("usuario", "clave", "ana"))
    with pytest.raises(ErrorSobre):
        entrar(datos, "ana", primera)
    entrar(datos, "ana", segunda)
    assert "1 " in sobre("usuario", "cerrar-sesiones", "ana")
    sobre("usuario", "rol", "ana", "lector")
    sobre("usuario", "desactivar", "ana")
    assert cuentas()["ana"] == ("lector", True, True)
    with pytest.raises(ErrorSobre):
        entrar(datos, "ana", segunda)
    sobre("usuario", "activar", "ana")
    assert entrar(datos, "ana", segunda).usuario.nombre == "Ana Ficticia"


def test_lo_que_no_puede_ser_se_dice_en_una_linea(datos: Path) -> None:
    sobre("init")
    assert "única" in rechazo("usuario", "desactivar", "admin")
    assert "única" in rechazo("usuario", "rol", "admin", "lector")
    assert "Ya hay" in rechazo("usuario", "crear", "ADMIN")
    assert "no vale: de 2 a 64" in rechazo("usuario", "crear", "con espacios")
    assert "no vale: el nombre" in rechazo("usuario", "crear", "ana", "--como", " ")
    assert "No hay" in rechazo("usuario", "clave", "nadie")
