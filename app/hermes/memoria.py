"""What a Hermes knows about runs and sessions, and how much of it outlives a restart in each contract."""

from __future__ import annotations

import time
from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias
from uuid import uuid4

Json: TypeAlias = dict[str, object]
FINALES = frozenset({"completed", "failed", "cancelled", "interrupted"})


class Contrato(StrEnum):
    """0.19, the last one published as a package, and those from 0.21 on, with durable idempotency."""

    V019 = "0.19"
    V021 = "0.21"


class Memoria:
    """Kept apart from the server so that another server may take it over: that is a restart.

    Sessions always survive. Runs survive only in the later contract and only when they came with an idempotency key;
    those that were under way are then `interrupted`.
    """

    def __init__(self) -> None:
        self.runs: dict[str, Json] = {}
        self.sesiones: dict[str, Json] = {}
        self.mensajes: dict[str, list[Json]] = {}
        self.claves: dict[str, tuple[bytes, str]] = {}
        """Idempotency key → fingerprint of the request, run id."""

    def reiniciar(self, contrato: Contrato) -> None:
        """Forget what a process of that contract forgets when it dies."""
        if contrato is Contrato.V019:
            self.runs.clear()
            self.claves.clear()
            return
        guardados = {run_id for _, run_id in self.claves.values()}
        self.runs = {k: v for k, v in self.runs.items() if k in guardados}
        for run in self.runs.values():
            if run["status"] not in FINALES:
                run.update(status="interrupted", error="The gateway restarted before this run settled.")

    def nuevo_run(self, sesion_id: str | None, modelo: str) -> Json:
        """A queued run, with its session."""
        run_id, ahora = f"run_{uuid4().hex}", time.time()
        run: Json = {
            "object": "hermes.run",
            "run_id": run_id,
            "status": "queued",
            "created_at": ahora,
            "updated_at": ahora,
            "session_id": sesion_id or run_id,
            "model": modelo,
        }
        self.runs[run_id] = run
        return run

    def abrir_sesion(self, sesion_id: str, modelo: str, entrada: str) -> None:
        """Make the row of a session unless it is there, and count the turn."""
        self.sesiones.setdefault(
            sesion_id,
            {
                "id": sesion_id,
                "source": "api_server",
                "model": modelo,
                "started_at": time.time(),
                "ended_at": None,
                "end_reason": None,
                "parent_session_id": None,
                **dict.fromkeys(_CUENTAS, 0),
            },
        )
        self.anotar(sesion_id, "user", entrada, input_tokens=len(entrada) // 4)

    def anotar(self, sesion_id: str, rol: str, texto: str, **cuentas: int) -> None:
        """One more message of the session, with what it adds to its counters."""
        fila = self.sesiones[sesion_id]
        for nombre, cuanto in {**cuentas, "message_count": 1}.items():
            fila[nombre] = _entero(fila, nombre) + cuanto
        self.mensajes.setdefault(sesion_id, []).append(
            {"session_id": sesion_id, "role": rol, "content": texto, "timestamp": time.time()}
        )


_CUENTAS = (
    "message_count",
    "tool_call_count",
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
    "api_call_count",
)


def _entero(fila: Mapping[str, object], nombre: str) -> int:
    valor = fila[nombre]
    return valor if isinstance(valor, int) else 0
