"""One child process: started in a session of its own, its lines prefixed, its health awaited, stopped for good."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

import httpx

from app.arriba.procesos import Proceso
from nucleo.errores import ErrorSobre

PASO_S = 0.2

Decir = Callable[[str, str], None]
"""Hears who speaks (a process, or the supervisor itself) and one line; called from several threads."""


class NoArranca(ErrorSobre):
    """A process ended, or was not well in time, while it started."""

    codigo = "no_arranca"


class Hijo:
    """A started process. The caller must have handlers of its own for SIGINT and SIGTERM.

    A handled signal goes back to its default in the new program (execve(2)), an ignored one stays ignored: a Prefect
    worker that inherits SIGINT ignored, as shells give it to background jobs, would not stop with SIGTERM.
    """

    def __init__(self, proceso: Proceso, entorno: Mapping[str, str], escribir: Decir) -> None:
        self.proceso = proceso
        self._escribir = escribir
        self._popen = subprocess.Popen(
            proceso.orden,
            env=dict(entorno),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        self._lector = threading.Thread(target=self._copiar_lineas, daemon=True)
        self._lector.start()

    @property
    def pid(self) -> int:
        """Pid of the leader, which is also its process group and session."""
        return self._popen.pid

    def codigo(self) -> int | None:
        """Exit code, negative for a signal; None while it runs."""
        return self._popen.poll()

    def esperar_listo(self, parar: threading.Event) -> None:
        """Return when it is well (or ended with 0 if that is its way), or when `parar` is set. Raises NoArranca."""
        fin = time.monotonic() + self.proceso.espera_s
        while not parar.is_set() and not self._listo():
            if time.monotonic() > fin:
                raise NoArranca(
                    f"{self.proceso.nombre} no está listo tras {self.proceso.espera_s:.0f} segundos."
                )
            parar.wait(PASO_S)

    def _listo(self) -> bool:
        codigo = self.codigo()
        if codigo is not None:
            if codigo == 0 and self.proceso.termina:
                return True
            raise NoArranca(f"{self.proceso.nombre} ha terminado al arrancar (código {codigo}).")
        if self.proceso.termina:
            return False
        return self.proceso.salud is None or responde(self.proceso.salud)

    def parar(self, ya: threading.Event) -> int:
        """SIGTERM to the leader, its grace (cut short by `ya`), then SIGKILL to the group. Returns the exit code."""
        if self.codigo() is None:
            self._popen.send_signal(signal.SIGTERM)
        fin = time.monotonic() + self.proceso.gracia_s
        while self.codigo() is None and time.monotonic() < fin and not ya.is_set():
            with suppress(subprocess.TimeoutExpired):
                self._popen.wait(PASO_S)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        codigo = self._popen.wait()
        self._lector.join(timeout=1.0)
        return codigo

    def _copiar_lineas(self) -> None:
        if self._popen.stdout is None:
            return
        with self._popen.stdout as salida:
            for linea in salida:
                self._escribir(self.proceso.nombre, linea.rstrip())


def responde(url: str) -> bool:
    """Whether the loopback URL answers 2xx within two seconds."""
    try:
        return httpx.get(url, timeout=2.0, trust_env=False).is_success
    except httpx.HTTPError:
        return False
