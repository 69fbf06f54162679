"""`sobre demo`: from a bundled sample to a first decision, with its own engine, and nothing left running at the end."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from app.arriba.entorno import entorno_motor
from app.arriba.hijo import NoArranca
from app.arriba.procesos import PYTHON, Proceso, tabla
from app.arriba.supervisor import puerto_libre_al_azar, vigilancia
from app.demo.carpeta import rechazar_ajena, reclamar
from app.demo.origen import VARIABLE, Origen, elegir_origen
from nucleo.configuracion import Configuracion, configuracion

GUION = Proceso(nombre="guion", orden=(PYTHON, "-m", "app.demo.guion"), termina=True)


@click.command(help="Demostración de principio a fin con datos inventados; el resultado queda en datos/demo.")
def demo() -> None:
    """Exit code 0 when every stage was done; 1 when one failed or somebody stopped it."""
    conf = configuracion()
    datos = conf.datos if "SOBRE_DATOS" in os.environ else conf.datos / "demo"
    origen = elegir_origen(os.environ.get(VARIABLE))  # refuse a wrong folder before anything starts
    rechazar_ajena(datos)
    sys.exit(_representar(datos, origen))


def _representar(datos: Path, origen: Origen) -> int:
    puerto = puerto_libre_al_azar()
    # The script speaks for the flow; what the engine logs is in its panel.
    # SOBRE_HERMES too: whatever Hermes is configured, the demonstration uses its own stand-in and spends nothing.
    entorno = entorno_motor(datos, puerto) | {
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
        "SOBRE_HERMES": str(datos.resolve() / "hermes-simulado" / "perfiles.json"),
    }
    motor = next(p for p in tabla(Configuracion(prefect_puerto=puerto)) if p.nombre == "prefect")
    diario = datos / "prefect.log"
    diario.write_text("")
    with vigilancia(datos, entorno, lambda quien, linea: _decir(diario, quien, linea)) as supervisor:
        if reclamar(datos, origen.nombre):
            click.echo(
                f"La demostración anterior de {datos} salía de otro sitio: empiezo una nueva.", err=True
            )
        try:
            supervisor.lanzar(motor)
            codigo = supervisor.esperar_a(supervisor.lanzar(GUION))
        except NoArranca as error:
            click.echo(f"{error.mensaje} Sus últimas líneas están en {diario}.", err=True)
            return 1
        if codigo is None:
            click.echo("Interrumpida: cierro lo que estaba en marcha.", err=True)
    return 0 if codigo == 0 else 1


def _decir(diario: Path, quien: str, linea: str) -> None:
    """The script speaks on screen; the engine, to its log."""
    if quien == GUION.nombre:
        click.echo(linea)
    else:
        with diario.open("a", encoding="utf-8") as fichero:
            fichero.write(f"{quien} | {linea}\n")
