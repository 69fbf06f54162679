"""The worker of this machine: first free what a killed one left here, then become Prefect's (`python -m …`)."""

from __future__ import annotations

import os
import signal
from datetime import timedelta

import click

from app.arriba.procesos import BIN, POZO
from app.motor.api import motor_del_entorno
from app.motor.reconciliador import nombre_trabajador, reconciliar
from nucleo.configuracion import configuracion
from nucleo.errores import ErrorRed
from nucleo.reloj import reloj_del_sistema

LIMITE = "3"
"""Runs at once: a radar pass, a long load of history and the queue of agents."""


def principal() -> None:
    """Never returns: the process becomes `prefect worker start`."""
    motor = motor_del_entorno(configuracion().prefect_puerto)
    try:
        # No grace: nothing has been handed to this worker yet.
        for ajuste in reconciliar(motor, POZO, reloj_del_sistema, timedelta(0)):
            click.echo(f"{ajuste.que}: {ajuste.motivo}; liberada")
    except ErrorRed as error:
        click.echo(f"{error.mensaje} La vigilancia lo repasará.", err=True)
    finally:
        motor.cerrar()
    # An inherited «ignore SIGINT» would make the worker deaf to SIGTERM too.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    orden = [str(BIN / "prefect"), "worker", "start", "--pool", POZO, "--type", "process"]
    orden += ["--name", nombre_trabajador(), "--limit", LIMITE, "--with-healthcheck"]
    os.execv(orden[0], orden)  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    principal()
