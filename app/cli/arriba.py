"""`sobre arriba`: serve everything on this machine until Ctrl-C."""

from __future__ import annotations

import sys
import threading
from contextlib import suppress

import click

from app.arriba.entorno import LOCAL, entorno_motor
from app.arriba.procesos import tabla
from app.arriba.supervisor import servir
from app.cli.cuentas import primera_cuenta
from app.demo.carpeta import es_demostracion
from nucleo.configuracion import Configuracion, configuracion

SIN_RADAR = ("prefect", "web")
"""What a demonstration folder needs: real tenders must not come in beside the invented ones."""

_turno = threading.Lock()


@click.command(help="Arranca el motor, el radar y la web en esta máquina; Ctrl-C lo para todo.")
def arriba() -> None:
    """Exit code 0 when somebody stopped it, 1 when a process died or could not start."""
    conf = configuracion()
    procesos = tabla(conf)
    if es_demostracion(conf.datos):
        decir("arriba", "carpeta de demostración: se puede mirar todo, pero no se lee PLACSP.")
        procesos = tuple(p for p in procesos if p.nombre in SIN_RADAR)
    if (cuenta := primera_cuenta(conf.datos)) is not None:
        for linea in cuenta.splitlines():
            decir("arriba", linea)
    entorno = entorno_motor(conf.datos, conf.prefect_puerto)
    sys.exit(servir(procesos, conf.datos, entorno, decir, _bienvenida(conf)))


def decir(quien: str, linea: str) -> None:
    """One whole line on stdout, also when several threads speak or nobody reads any more."""
    with _turno, suppress(OSError, ValueError):
        click.echo(f"{quien:11s} | {linea}")


def _bienvenida(conf: Configuracion) -> str:
    return (
        f"todo en marcha.\n\n  Abre                   http://{LOCAL}:{conf.puerto}\n"
        f"  Panel del motor        http://{LOCAL}:{conf.prefect_puerto}\n"
        f"  Datos                  {conf.datos}\n"
        "  Ctrl-C lo para todo.\n"
    )
