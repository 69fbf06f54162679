"""The environment every process of an installation gets: where Prefect is, where its data go, and no telemetry."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

SIN_TELEMETRIA = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    # The second version of the panel asks an outside host for its settings each time it is opened.
    "PREFECT_SERVER_UI_V2_ENABLED": "false",
    "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "false",
}

MOTOR = {
    # 30 s is the shortest heartbeat; the zombie automation waits 90 s (facts measured on Prefect 3.9).
    "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": "30",
    "PREFECT_WORKER_QUERY_SECONDS": "2",
    # Leases in files: with the default (memory) a restart of the server forgets who holds each slot.
    "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": "prefect.server.concurrency.lease_storage.filesystem",
    # About 14 KB per task run: a month of runs, a week of events.
    "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs",
    "PREFECT_SERVER_SERVICES_DB_VACUUM_RETENTION_PERIOD": str(30 * 24 * 3600),
}

LOCAL = "127.0.0.1"


def url_api(puerto: int) -> str:
    """Address of the Prefect API on this machine."""
    return f"http://{LOCAL}:{puerto}/api"


def entorno_motor(datos: Path, puerto: int, base: Mapping[str, str] | None = None) -> dict[str, str]:
    """The whole environment of a process that serves or uses the Prefect server of `datos`.

    `datos` becomes absolute because flow runs start in a folder of their own.
    `puerto` is the server's; the worker's health page is on the next one.
    """
    heredado = dict(os.environ if base is None else base)
    return {
        **heredado,
        **SIN_TELEMETRIA,
        **MOTOR,
        "SOBRE_DATOS": str(datos.resolve()),
        "SOBRE_PREFECT_PUERTO": str(puerto),
        "PREFECT_HOME": str((datos / "prefect").resolve()),
        "PREFECT_API_URL": url_api(puerto),
        "PREFECT_SERVER_API_HOST": LOCAL,
        "PREFECT_SERVER_API_PORT": str(puerto),
        "PREFECT_WORKER_WEBSERVER_HOST": LOCAL,
        "PREFECT_WORKER_WEBSERVER_PORT": str(puerto + 1),
        "PREFECT_CLI_COLORS": "false",
        "PYTHONUNBUFFERED": "1",
        "NO_PROXY": _sin_proxy(heredado),
    }


def _sin_proxy(entorno: Mapping[str, str]) -> str:
    """A proxy configured for the outside must not be asked for loopback addresses."""
    previos = [p for p in entorno.get("NO_PROXY", entorno.get("no_proxy", "")).split(",") if p]
    return ",".join(dict.fromkeys([*previos, LOCAL, "localhost"]))
