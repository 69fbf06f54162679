"""The table of processes of an installation, in the order in which each needs the health of the one before."""

from __future__ import annotations

import sys
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from app.arriba.entorno import LOCAL
from nucleo.configuracion import Configuracion

POZO = "local"
"""Prefect work pool of this machine; one worker serves it."""

LIMITES = {"placsp-zip": 1, "hermes": 2}
"""Global concurrency limits of Prefect, whatever flow asks: downloads of a ZIP, and agents' jobs (see `limites`)."""

PYTHON = sys.executable
BIN = Path(sys.executable).parent


class Proceso(BaseModel):
    """How one process is started, known to be well and stopped. Times in seconds."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    nombre: str
    orden: tuple[str, ...]
    salud: str | None = None
    """URL that answers 2xx when it is ready; None = ready as soon as it runs."""
    puertos: tuple[tuple[int, str], ...] = ()
    """Ports it opens, with the variable that chooses each."""
    termina: bool = False
    """It does its work and ends with 0 before the next one starts."""
    espera_s: float = 90.0
    gracia_s: float = 5.0


def limites(conf: Configuracion) -> dict[str, int]:
    """The limits as this installation wants them."""
    return {**LIMITES, "hermes": conf.cola_a_la_vez}


def tabla(conf: Configuracion) -> tuple[Proceso, ...]:
    """Every process of `make up`; docker-compose.yml runs the same commands."""
    motor = conf.prefect_puerto
    return (
        Proceso(
            nombre="prefect",
            orden=(str(BIN / "prefect"), "server", "start", "--host", LOCAL, "--port", str(motor)),
            salud=f"http://{LOCAL}:{motor}/api/health",
            puertos=((motor, "SOBRE_PREFECT_PUERTO"),),
            espera_s=180.0,
        ),
        Proceso(
            nombre="preparacion", orden=(PYTHON, "-m", "app.motor.preparar"), termina=True, espera_s=120.0
        ),
        Proceso(
            nombre="worker",
            orden=(PYTHON, "-m", "app.motor.trabajador"),
            salud=f"http://{LOCAL}:{motor + 1}/health",
            puertos=((motor + 1, "SOBRE_PREFECT_PUERTO"),),
            gracia_s=10.0,
        ),
        Proceso(nombre="vigia", orden=(str(BIN / "sobre"), "radar", "vigilar")),
        Proceso(
            nombre="web",
            orden=_orden_de_la_web(conf),
            salud=f"http://{LOCAL}:{conf.puerto}/api/salud",
            puertos=((conf.puerto, "SOBRE_PUERTO"),),
        ),
    )


def _orden_de_la_web(conf: Configuracion) -> tuple[str, ...]:
    """What a proxy says of who calls is believed only of those configured."""
    confianza = ("--forwarded-allow-ips", ",".join(conf.proxies)) if conf.proxies else ("--no-proxy-headers",)
    return (
        *(PYTHON, "-m", "uvicorn", "app.servidor:app", "--host", conf.escucha, "--port", str(conf.puerto)),
        *("--timeout-graceful-shutdown", "3", "--log-level", "warning", *confianza),
    )
