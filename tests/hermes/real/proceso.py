"""The real hermes-agent as a child process, with a profile that hermes_init.py has written."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.espera import esperar

RAIZ = Path(__file__).resolve().parents[3]
ARRANQUE_S = 120.0
"""Some 5 s on an idle machine."""


def puertos_libres(cuantos: int) -> int:
    """The first of that many consecutive free ports."""
    for inicio in range(20_000 + os.getpid() % 20_000, 60_000, cuantos):
        if all(_libre(puerto) for puerto in range(inicio, inicio + cuantos)):
            return inicio
    raise AssertionError("no hay puertos libres")


def _libre(puerto: int) -> bool:
    with socket.socket() as enchufe:
        try:
            enchufe.bind(("127.0.0.1", puerto))
        except OSError:
            return False
    return True


@dataclass
class Instalacion:
    """A folder with one HERMES_HOME per profile, and who runs them."""

    python: Path
    hogar: Path
    procesos: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def instalar(self, mcp: str, modelo: str, tokens: dict[str, str], puerto_base: int) -> None:
        """Run hermes_init.py for the profiles that have a token."""
        perfiles = [opcion for nombre in tokens for opcion in ("--perfil", nombre)]
        entorno = {f"TOKEN_MCP_{nombre.upper()}": token for nombre, token in tokens.items()}
        subprocess.run(
            [
                *(sys.executable, RAIZ / "deploy/hermes/hermes_init.py", "--hogar", self.hogar, "--mcp", mcp),
                *("--modelo", "modelo-de-prueba", "--proveedor", "custom", "--base-url", modelo),
                *("--puerto-base", str(puerto_base), *perfiles),
            ],
            env={"PATH": os.environ["PATH"], "CLAVE_PROVEEDOR": "clave-falsa", **entorno},
            check=True,
            capture_output=True,
            timeout=60,
        )

    def base(self, nombre: str) -> str:
        """Where that profile answers."""
        env = (self.hogar / nombre / ".env").read_text("utf-8")
        puerto = env.split("API_SERVER_PORT=")[1].split("\n")[0]
        return f"http://127.0.0.1:{puerto}"

    def clave(self, nombre: str) -> str:
        """The key of that profile's API."""
        return (self.hogar / nombre / "clave-api").read_text("utf-8").strip()

    def arrancar(self, nombre: str) -> None:
        """Start it and wait until it answers."""
        salida = (self.hogar / f"{nombre}.salida").open("ab")
        proceso = subprocess.Popen(
            [self.python.with_name("hermes"), "gateway", "run", "--accept-hooks"],
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(self.hogar),
                "LANG": "C.UTF-8",
                "NO_PROXY": "*",
                "HERMES_HOME": str(self.hogar / nombre),
            },
            stdout=salida,
            stderr=salida,
            cwd=self.hogar,
            start_new_session=True,
        )
        salida.close()
        self.procesos[nombre] = proceso
        esperar(lambda: self._responde(nombre), ARRANQUE_S, lambda: self._contar(nombre))

    def _responde(self, nombre: str) -> bool:
        assert self.procesos[nombre].poll() is None, self._contar(nombre)
        try:
            return httpx.get(f"{self.base(nombre)}/health", trust_env=False).status_code == 200
        except httpx.TransportError:
            return False

    def _contar(self, nombre: str) -> str:
        return (self.hogar / f"{nombre}.salida").read_text("utf-8", "replace")[-3000:]

    def matar(self, nombre: str) -> None:
        """kill -9, and wait for it to be gone."""
        proceso = self.procesos.pop(nombre)
        if proceso.poll() is None:
            os.kill(proceso.pid, signal.SIGKILL)
        proceso.wait(30)


@contextmanager
def instalacion(python: Path, hogar: Path) -> Iterator[Instalacion]:
    """Every process that was started is gone at the end of the block."""
    donde = Instalacion(python, hogar)
    try:
        yield donde
    finally:
        for nombre in list(donde.procesos):
            donde.matar(nombre)
