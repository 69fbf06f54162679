"""The real web process on a free port, over whatever data folder it is given."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from playwright.sync_api import Browser, BrowserContext

from app.entrar.galletas import NOMBRE
from nucleo import registro
from nucleo.bd import conectar
from nucleo.personas import administrar, servicio
from nucleo.personas.modelo import AltaUsuario, Procedencia, Rol
from nucleo.reloj import reloj_del_sistema
from tests.espera import esperar

QUIEN = "encargada"
CLAVE = "clave-de-pruebas-larga"


class Web(NamedTuple):
    """A server that is running: where it answers, where its data are, and the session of who administers it."""

    base: str
    datos: Path
    sesion: str

    def contexto(self, navegador: Browser, sesion: str | None = None, **opciones: Any) -> BrowserContext:
        """A browser's window of its own, where somebody has logged in (who administers, unless it is said)."""
        contexto = navegador.new_context(locale="es-ES", **opciones)
        contexto.add_cookies([{"name": NOMBRE, "value": sesion or self.sesion, "url": self.base}])
        return contexto


def con_sesion(datos: Path, usuario: str, rol: Rol) -> str:
    """The token of a new session of that person, who gets an account if there is none."""
    ahora = reloj_del_sistema()
    with closing(conectar(registro.preparar(datos))) as con:
        if all(u.usuario != usuario for u in administrar.listar(con)):
            alta = AltaUsuario(usuario=usuario, nombre=f"Persona {usuario}", rol=rol)
            administrar.crear(con, alta, CLAVE, "pruebas", ahora)
        return servicio.entrar(con, usuario, CLAVE, Procedencia("127.0.0.1", "pruebas"), ahora).token


@contextmanager
def servida(datos: Path) -> Iterator[Web]:
    """Started as `make up` starts it, from a folder that is not the project's."""
    with socket.socket() as libre:
        libre.bind(("127.0.0.1", 0))
        puerto = libre.getsockname()[1]
    raiz = Path(__file__).parents[2]
    orden = [
        sys.executable,
        "-m",
        "uvicorn",
        "app.servidor:app",
        "--host",
        "127.0.0.1",
        "--port",
        str(puerto),
    ]
    sesion = con_sesion(datos, QUIEN, Rol.ADMIN)
    entorno = os.environ | {"SOBRE_DATOS": str(datos), "PYTHONPATH": str(raiz)}
    with (datos / "web.log").open("wb") as registro_web:
        proceso = subprocess.Popen(
            orden, cwd=datos, env=entorno, stdout=registro_web, stderr=subprocess.STDOUT
        )
    base = f"http://127.0.0.1:{puerto}"
    try:
        esperar(lambda: _responde(base), 60, lambda: (datos / "web.log").read_text("utf-8")[-2000:])
        yield Web(base, datos, sesion)
    finally:
        proceso.terminate()
        proceso.wait(20)


def _responde(base: str) -> bool:
    try:
        return httpx.get(f"{base}/api/salud", timeout=5).status_code == 200
    except httpx.TransportError:
        return False
