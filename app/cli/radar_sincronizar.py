"""`sobre radar sincronizar`: one pass over a live channel."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import click

from app.cli.comun import base_licitaciones, escribir_json, opcion_json
from dominios.licitaciones.radar.historico.plan import Zip
from dominios.licitaciones.radar.sincronizar.fuentes import CONJUNTOS, Canal, canal, reglas
from dominios.licitaciones.radar.sincronizar.medios import Medios
from dominios.licitaciones.radar.sincronizar.pasada import ResumenPasada, pasar
from nucleo.configuracion import configuracion
from nucleo.red.cliente import ClienteSeguro
from nucleo.reloj import reloj_del_sistema


@click.command(help="Lee lo nuevo de una fuente de PLACSP y sigue con lo que quedó pendiente.")
@click.option("--fuente", type=click.Choice(list(CONJUNTOS)), default="643", show_default=True)
@click.option("--url", help="Otra cabecera: de un sitio permitido (https) o de esta máquina.")
@opcion_json
def sincronizar(fuente: str, url: str | None, en_json: bool) -> None:
    """One pass; see docs/radar.md for what each alarm asks for."""
    elegido = canal(fuente, url, configuracion())
    with base_licitaciones() as con:
        resumen = asyncio.run(_pasar(con, elegido))
    if en_json:
        escribir_json(resumen.model_dump())
        return
    click.echo(
        f"Fuente {resumen.fuente}: {resumen.paginas} páginas, {resumen.entradas} entradas,"
        f" {resumen.lapidas} lápidas; {resumen.versiones_nuevas} versiones nuevas,"
        f" {resumen.sin_cambios} sin cambios, {resumen.cuarentena} en cuarentena."
    )
    click.echo(
        "Zona conocida alcanzada."
        if resumen.zona_conocida_alcanzada
        else "Queda un tramo por leer: la próxima pasada sigue desde ahí."
    )
    for alarma in resumen.alarmas:
        click.echo(f"Aviso [{alarma.codigo}]: {alarma.mensaje}", err=True)


async def _pasar(con: sqlite3.Connection, elegido: Canal) -> ResumenPasada:
    conf = configuracion()
    async with ClienteSeguro(elegido.politica, pausa_s=conf.red_pausa_segundos) as cliente:
        medios = Medios(
            obtener=cliente.obtener,
            reloj=reloj_del_sistema,
            descargar=_descargar(cliente, conf.datos / "historico"),
            avance=lambda linea: click.echo(linea, err=True),
        )
        return await pasar(con, elegido, medios, reglas(conf))


def _descargar(cliente: ClienteSeguro, carpeta: Path) -> Callable[[Zip], Awaitable[Path | None]]:
    async def descargar(fichero: Zip) -> Path | None:
        carpeta.mkdir(parents=True, exist_ok=True)
        ruta = carpeta / f"rescate_{fichero.nombre}"
        respuesta = await cliente.descargar(fichero.url, ruta)
        return ruta if respuesta.estado == 200 else None

    return descargar
