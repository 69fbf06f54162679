"""A run under way: what its agent is told, and what it may do to the run's record."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from app.hermes.memoria import FINALES, Json, Memoria


class Encargo(NamedTuple):
    """What came in POST /v1/runs."""

    instrucciones: str
    entrada: str
    sesion_id: str


class FalloDeRun(Exception):
    """The run ends as `failed`, with this text as its error."""


class Curso:
    """Handed to the agent; it keeps the record in step with what happens."""

    def __init__(self, memoria: Memoria, run: Json, encargo: Encargo) -> None:
        self.encargo = encargo
        self._memoria = memoria
        self._run = run
        self._permiso: asyncio.Future[str] | None = None
        self._abandonado = False

    @property
    def estado(self) -> str:
        """The run's present status."""
        return str(self._run["status"])

    def pasar(self, estado: str, **campos: object) -> None:
        """Change the status; a final one stays."""
        if self.estado not in FINALES and not self._abandonado:
            self._run.update(status=estado, updated_at=time.time(), **campos)

    def abandonar(self) -> None:
        """The process dies: the record stays as it was."""
        self._abandonado = True

    def pensar(self, texto: str) -> None:
        """A call to the model, which writes that."""
        self._memoria.anotar(
            self.encargo.sesion_id,
            "assistant",
            texto,
            api_call_count=1,
            input_tokens=len(self.encargo.instrucciones) // 4,
            output_tokens=max(1, len(texto) // 4),
        )

    def herramienta(self, resultado: str) -> None:
        """A tool call that has just ended, with what the model was answered."""
        self._run.update(updated_at=time.time(), last_event="tool.completed")
        self._memoria.anotar(self.encargo.sesion_id, "tool", resultado, tool_call_count=1)

    async def pedir_permiso(self) -> str:
        """Wait for POST …/approval; returns what was chosen."""
        self._permiso = asyncio.get_running_loop().create_future()
        self.pasar("waiting_for_approval", last_event="approval.request")
        return await self._permiso

    def responder(self, eleccion: str) -> bool:
        """False when the run is waiting for nothing."""
        if self._permiso is None or self._permiso.done():
            return False
        self.pasar("running", last_event="approval.responded")
        self._permiso.set_result(eleccion)
        return True


Agente = Callable[[Curso], Awaitable[str]]
"""Does the work and returns the final text; may raise FalloDeRun."""


async def correr(curso: Curso, agente: Agente) -> None:
    """Drive a run from queued to its end. Whatever the agent raises ends up in the record, never in the server."""
    curso.pasar("running")
    try:
        salida = await agente(curso)
    except FalloDeRun as error:
        curso.pasar("failed", error=str(error), last_event="run.failed")
    except asyncio.CancelledError:
        curso.pasar("cancelled", last_event="run.cancelled")
        raise
    except Exception as error:  # noqa: BLE001 - a run that breaks is a failed run, as in the real program
        curso.pasar("failed", error=f"{type(error).__name__}: {error}", last_event="run.failed")
    else:
        curso.pensar(salida)
        curso.pasar("completed", output=salida, usage=_USO, last_event="run.completed")


_USO = {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}
