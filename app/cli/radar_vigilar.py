"""`sobre radar vigilar`: between passes, start one as soon as a source moves; runs until it is told to stop."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
from contextlib import AsyncExitStack

import click

from app.cli.comun import base_licitaciones
from app.motor.api import Motor, motor_del_entorno
from app.motor.aviso_cola import AvisoCola, empezables
from app.motor.aviso_recorridos import AvisoRecorridos
from app.motor.mirador import Mirador
from app.motor.vigia import Vigia
from dominios.licitaciones.radar.sincronizar.almacen import Clave, leer_estado
from dominios.licitaciones.radar.sincronizar.fuentes import Canal, cabecera, canal
from nucleo import registro
from nucleo.cola.ajustes import contexto_configurado
from nucleo.configuracion import Configuracion, configuracion
from nucleo.red.cliente import ClienteSeguro, Condicion, Entorno
from nucleo.reloj import reloj_del_sistema
from tasks.tipos import tipos_de_trabajo


@click.command(
    help="Vigila las cabeceras de PLACSP y pide una pasada cuando se mueven; también repasa el motor."
)
@click.option("--fuente", "fuentes", multiple=True, help="Solo estas (por defecto, SOBRE_FUENTES).")
@click.option("--url", help="Otra cabecera, de esta máquina, para la única fuente elegida.")
def vigilar(fuentes: tuple[str, ...], url: str | None) -> None:
    """Ends with 0 on SIGTERM or Ctrl-C."""
    conf = configuracion()
    elegidas = fuentes or conf.fuentes
    if url is not None and len(elegidas) != 1:
        raise click.UsageError("--url vale para una sola fuente: dila con --fuente.")
    canales = {f: canal(f, url, conf) for f in elegidas}
    asyncio.run(_vigilar(conf, canales, _conocidas(canales)))


def _conocidas(canales: dict[str, Canal]) -> dict[str, Condicion]:
    """What the last pass kept of each head: a restart of the watch asks for nothing that is already in."""
    conocidas = {}
    with base_licitaciones() as con:
        for fuente, elegido in canales.items():
            guardada = leer_estado(con, Clave(fuente, elegido.url)).cabecera
            if guardada is not None:
                conocidas[fuente] = Condicion(guardada.etag, guardada.last_modified)
    return conocidas


async def _vigilar(conf: Configuracion, canales: dict[str, Canal], conocidas: dict[str, Condicion]) -> None:
    motor = motor_del_entorno(conf.prefect_puerto)
    async with AsyncExitStack() as pila:
        pila.callback(motor.cerrar)
        # No retries: the next look is the retry.
        con_cliente = {
            fuente: (
                c,
                await pila.enter_async_context(
                    ClienteSeguro(c.politica, conf.red_pausa_segundos, Entorno(esperas_s=()))
                ),
            )
            for fuente, c in canales.items()
        }
        mirador = Mirador(con_cliente, conocidas, click.echo)
        otras = {f: c.url for f, c in canales.items() if c.url != cabecera(f)}
        vigia = Vigia(motor, mirador.mirar, reloj_del_sistema, click.echo, otras)
        bucle = asyncio.get_running_loop()
        for senal in (signal.SIGTERM, signal.SIGINT):
            bucle.add_signal_handler(senal, vigia.parar.set)
        click.echo(f"vigilo {', '.join(canales)} cada {conf.vigilancia_segundos} s")
        recorridos = AvisoRecorridos(
            motor, registro.preparar(conf.datos), lambda: tipos_de_trabajo(conf.datos), click.echo
        )
        for vigilar in (_aviso(conf, motor).vigilar, recorridos.vigilar):
            pila.callback(asyncio.create_task(vigilar()).cancel)
        await vigia.vigilar(list(canales), conf.vigilancia_segundos)


def _aviso(conf: Configuracion, motor: Motor) -> AvisoCola:
    """The queue of agents is asked for from here too: this is the process that is always awake."""

    def mirada(con: sqlite3.Connection) -> tuple[int, ...]:
        tipos = tipos_de_trabajo(conf.datos)
        return empezables(con, tipos, contexto_configurado(conf), reloj_del_sistema())

    return AvisoCola(motor, registro.preparar(conf.datos), mirada, click.echo)
