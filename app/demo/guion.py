"""The stages of the demonstration, told as they happen (`python -m app.demo.guion`, started by `sobre demo`)."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from pathlib import Path

import click
from prefect.exceptions import PrefectException

from app.arriba.hijo import responde
from app.demo import relato
from app.demo.criba import cribar
from app.demo.origen import VARIABLE, Origen, elegir_origen
from app.demo.sustituto import cabeceras_en, sustituto_de_placsp
from dominios.licitaciones import registro
from dominios.licitaciones.radar.muestra.servir import paginas
from flows.carpeta import InformeCarpeta, carpeta
from flows.radar import InformeRadar, radar
from nucleo.configuracion import Configuracion, configuracion
from nucleo.errores import ErrorRed, ErrorSobre
from nucleo.reloj import reloj_del_sistema

ESPERA_MOTOR_S = 150.0


def principal() -> None:
    """Exit code 1 with one sentence when a stage fails."""
    try:
        representar(configuracion(), elegir_origen(os.environ.get(VARIABLE)))
    except (ErrorSobre, PrefectException) as error:
        click.echo(f"La demostración se para aquí: {error}")
        sys.exit(1)


def representar(conf: Configuracion, origen: Origen) -> None:
    """Every stage in order. The engine starts meanwhile: whoever launched this launched it too."""
    click.echo("Sobre Abierto · demostración, del radar a la primera decisión\n")
    fichero = registro.preparar(conf.datos)
    if not conf.fichero_perfil.exists():
        shutil.copyfile(Path(__file__).with_name("perfil.yaml"), conf.fichero_perfil)
    click.echo(f"1 Base de datos   {fichero}\n  Perfil          {conf.fichero_perfil}")
    click.echo(f"2 Motor           Prefect embebido, listo en {_esperar_motor():.1f} s")
    relato.contar(conf, asyncio.run(_traer(origen)))
    cribar(conf)
    relato.decir_donde(conf)


def _esperar_motor() -> float:
    """Seconds until it answered. Raises ErrorRed when it does not in time."""
    salud = f"{os.environ['PREFECT_API_URL']}/health"
    inicio = time.monotonic()
    while not responde(salud):
        if time.monotonic() - inicio > ESPERA_MOTOR_S:
            raise ErrorRed(f"el motor no responde tras {ESPERA_MOTOR_S:.0f} segundos; repite la orden.")
        time.sleep(0.2)
    return time.monotonic() - inicio


async def _traer(origen: Origen) -> InformeRadar | InformeCarpeta:
    return await _importar(origen) if origen.clase == "carpeta" else await _leer(origen)


async def _importar(origen: Origen) -> InformeCarpeta:
    click.echo(f"3 Radar           {len(origen.ficheros)} ficheros de la carpeta que has dado")
    return await carpeta(origen.ficheros)


async def _leer(origen: Origen) -> InformeRadar:
    if origen.clase == "url":
        click.echo(f"3 Radar           leyendo {origen.url}")
        return await _pasada([origen.fuente], {origen.fuente: origen.url})
    publicadas = paginas(reloj_del_sistema())
    with sustituto_de_placsp(publicadas) as base:
        click.echo(
            f"3 Radar           {len(publicadas)} páginas de la muestra incluida: datos INVENTADOS, servidos en\n"
            f"                  {base} por un sustituto de PLACSP; no se sale de esta máquina"
        )
        return await _pasada(None, cabeceras_en(base, publicadas))


async def _pasada(fuentes: list[str] | None, cabeceras: dict[str, str]) -> InformeRadar:
    """The real flow. Raises ErrorRed when nothing could be read."""
    estado = await radar(fuentes, cabeceras, return_state=True)
    informe = await estado.aresult(raise_on_failure=False)
    if not isinstance(informe, InformeRadar) or estado.is_failed():
        raise ErrorRed(estado.message or "el flow no ha terminado.")
    return informe


if __name__ == "__main__":
    principal()
