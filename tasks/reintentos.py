"""Whether a failed task deserves another attempt: our errors say it themselves, the unknown is tried again."""

from __future__ import annotations

from typing import Any

from prefect import Task
from prefect.client.schemas.objects import State, TaskRun

from nucleo.errores import ErrorSobre

ESPERAS_S = [2.0, 5.0, 10.0]
"""Seconds before each new attempt, for what the network does."""

JITTER = 0.3
"""Each wait grows at random by up to this part, so that installations do not come back all at once."""


async def reintentable(_tarea: Task[..., Any], _ejecucion: TaskRun, estado: State[Any]) -> bool:
    """Prefect's `retry_condition_fn`: False for an ErrorSobre that trying again cannot help."""
    error = await estado.aresult(raise_on_failure=False)
    return not isinstance(error, ErrorSobre) or error.reintentable
