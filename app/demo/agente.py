"""Our MCP server and the stand-in for Hermes, on this machine, with a token that is worth nothing afterwards."""

from __future__ import annotations

import json
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from app.hermes.servir import servir
from app.hermes.simulado import Conexion, hermes_simulado
from app.mcp.herramientas import CATALOGO
from app.mcp.montaje import aplicacion_sola
from dominios.licitaciones.criba.trabajo import PERFIL
from nucleo import registro
from nucleo.agentes import servicio as agentes
from nucleo.bd import conectar
from nucleo.errores import ErrorRed
from nucleo.reloj import reloj_del_sistema

PERMISOS = ("leer:empresa", "leer:licitaciones", "proponer:licitaciones")
SALUDO_S = 20.0


class Direcciones(NamedTuple):
    """Where each one listens."""

    hermes: str
    mcp: str


@contextmanager
def agente_simulado(datos: Path, perfiles: Path) -> Iterator[Direcciones]:
    """Until the end of the block, `perfiles` (what SOBRE_HERMES names) says where the stand-in is.

    Raises ErrorRed when it does not get as far as our MCP server.
    """
    clave = secrets.token_hex(32)
    with _token(datos) as token, servir(aplicacion_sola(datos, CATALOGO)) as web:
        mcp = f"{web}/mcp"
        with hermes_simulado(Conexion(clave, mcp, token)) as hermes, _escritos(perfiles, hermes, clave):
            _esperar_saludo(datos)
            yield Direcciones(hermes, mcp)


@contextmanager
def _token(datos: Path) -> Iterator[str]:
    """A real agent's token, revoked at the end; one that an interrupted demonstration left stops being valid."""
    with closing(conectar(registro.preparar(datos))) as con:
        if any(a.nombre == PERFIL and a.revocado is None for a in agentes.listar(con)):
            agentes.revocar(con, PERFIL, reloj_del_sistema())
        token = agentes.crear(con, PERFIL, PERMISOS, reloj_del_sistema()).token
        try:
            yield token
        finally:
            agentes.revocar(con, PERFIL, reloj_del_sistema())


@contextmanager
def _escritos(perfiles: Path, url: str, clave: str) -> Iterator[None]:
    """The file of profiles, with its key beside it, in a folder of its own that goes away."""
    carpeta = perfiles.parent
    carpeta.mkdir(mode=0o700, exist_ok=True)
    try:
        (carpeta / "clave").write_text(clave, "utf-8")
        dicho = {"url": url, "clave_fichero": "clave", "proveedor": "simulado"}
        perfiles.write_text(json.dumps({"perfiles": {PERFIL: dicho}}), "utf-8")
        yield
    finally:
        shutil.rmtree(carpeta)


def _esperar_saludo(datos: Path) -> None:
    """The queue launches nothing in a Hermes that our MCP server has not seen."""
    fin = time.monotonic() + SALUDO_S
    with closing(conectar(datos / registro.FICHERO)) as con:
        while agentes.visto(con, PERFIL) is None:
            if time.monotonic() > fin:
                raise ErrorRed("el sustituto de Hermes no llega a nuestro servidor MCP.")
            time.sleep(0.05)
