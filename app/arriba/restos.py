"""What a supervisor leaves written so that nothing it started outlives it, and nobody else's process is touched.

Two independent proofs that a process is ours: it carries a random mark in its environment (inherited by every
descendant, also those in sessions of their own; Linux), or its pid was recorded and it started at the recorded moment.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

VARIABLE_MARCA = "_SOBRE_SUPERVISION"
PROC = Path("/proc")


class Anotado(BaseModel):
    """A started process: `inicio` is what the system says of when it started, compared as text."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    nombre: str
    pid: int
    inicio: str


class Registro(BaseModel):
    """What is on disk while a supervisor runs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    marca: str
    procesos: tuple[Anotado, ...] = ()


def marca_nueva() -> str:
    """128 random bits: no foreign process carries them by chance."""
    return secrets.token_hex(16)


def momento_de_inicio(pid: int) -> str | None:
    """When the process started, as the system tells it; None when there is no such process (or it is a zombie)."""
    if PROC.is_dir():
        return _inicio_linux(pid)
    lineas = subprocess.run(
        ["ps", "-o", "stat=,lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    ).stdout.split(maxsplit=1)
    return None if len(lineas) < 2 or lineas[0].startswith("Z") else lineas[1].strip()


def _inicio_linux(pid: int) -> str | None:
    try:
        # proc(5): the name may hold spaces and brackets; the state is the first field after it, the start the 20th.
        campos = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return None
    return None if campos[0] in "ZX" else campos[19]


def con_marca(marca: str) -> list[int]:
    """Live processes of this user that carry the mark (none where there is no /proc)."""
    buscado = f"{VARIABLE_MARCA}={marca}".encode()
    if not PROC.is_dir():
        return []
    return [
        int(p.name)
        for p in PROC.iterdir()
        if p.name.isdigit() and int(p.name) != os.getpid() and _lleva(p, buscado)
    ]


def _lleva(carpeta: Path, buscado: bytes) -> bool:
    try:
        return buscado in (carpeta / "environ").read_bytes().split(b"\0")
    except OSError:
        return False


def escribir(fichero: Path, registro: Registro) -> None:
    """Replace the record at once: a crash leaves the old one or the new one, never half."""
    nuevo = fichero.with_suffix(".nuevo")
    nuevo.write_text(registro.model_dump_json())
    nuevo.replace(fichero)


def leer(fichero: Path) -> Registro | None:
    """The record of the previous supervisor, or None when it ended well or wrote nothing readable."""
    try:
        return Registro.model_validate_json(fichero.read_text())
    except (OSError, ValidationError):
        return None


def vivos(registro: Registro) -> list[int]:
    """Pids of that supervisor's processes that still run."""
    anotados = [a.pid for a in registro.procesos if momento_de_inicio(a.pid) == a.inicio]
    return sorted({*anotados, *con_marca(registro.marca)})


def rematar(registro: Registro) -> list[int]:
    """Kill whatever is left of that supervisor; returns the pids found. Repeats while killed ones had children."""
    encontrados: list[int] = []
    while quedan := [p for p in vivos(registro) if p not in encontrados]:
        for pid in quedan:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        encontrados += quedan
    return encontrados
