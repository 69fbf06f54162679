"""`sobre agente`: give an agent its token, change it, take it away, and see what each one has called."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime

import click

from app.cli.comun import NUMERO, escribir_json, opcion_json
from nucleo import registro
from nucleo.agentes import auditoria, servicio
from nucleo.agentes.modelo import PERSONAL, Agente, Desenlace, FiltroLlamadas, Llamada
from nucleo.agentes.servicio import Credencial
from nucleo.bd import conectar
from nucleo.configuracion import configuracion
from nucleo.reloj import MADRID, reloj_del_sistema


@contextmanager
def _base() -> Iterator[sqlite3.Connection]:
    with closing(conectar(registro.preparar(configuracion().datos))) as con:
        yield con


@click.group(help="Los agentes de IA que pueden entrar por MCP, y lo que han hecho.")
def agente() -> None:
    """Root of the commands about agents."""


@agente.command(help="Crea un agente y enseña su token, esta única vez.")
@click.argument("nombre")
@click.option(
    "--permiso",
    "permisos",
    multiple=True,
    required=True,
    metavar="PERMISO",
    help="«leer:DOMINIO», «proponer:DOMINIO» o «personal». Se puede repetir.",
)
@opcion_json
def crear(nombre: str, permisos: tuple[str, ...], en_json: bool) -> None:
    """A new agent."""
    with _base() as con:
        credencial = servicio.crear(con, nombre, permisos, reloj_del_sistema())
    _avisar_sin_herramienta(credencial.agente.permisos)
    _mostrar_token(credencial, en_json)


@agente.command(help="Cambia el token de un agente; el anterior deja de valer ya.")
@click.argument("nombre")
@opcion_json
def rotar(nombre: str, en_json: bool) -> None:
    """A new token under the same name."""
    with _base() as con:
        credencial = servicio.rotar(con, nombre, reloj_del_sistema())
    _mostrar_token(credencial, en_json)


@agente.command(help="Quita el token a un agente: deja de entrar ya.")
@click.argument("nombre")
@opcion_json
def revocar(nombre: str, en_json: bool) -> None:
    """No token, no entry."""
    with _base() as con:
        revocado = servicio.revocar(con, nombre, reloj_del_sistema())
    if en_json:
        escribir_json(_agente_en_json(revocado))
    else:
        click.echo(f"El agente «{nombre}» ya no puede entrar.")


@agente.command(help="Lista los agentes, sus permisos y cuándo vinieron por última vez.")
@opcion_json
def listar(en_json: bool) -> None:
    """Every agent."""
    with _base() as con:
        agentes = servicio.listar(con)
    if en_json:
        escribir_json([_agente_en_json(a) for a in agentes])
        return
    if not agentes:
        click.echo(
            "Aún no hay agentes: crea uno con «sobre agente crear NOMBRE --permiso leer:licitaciones»."
        )
    for uno in agentes:
        estado = f"revocado {_hora(uno.revocado)}" if uno.revocado else f"visto {_hora(uno.visto) or 'nunca'}"
        click.echo(f"{uno.nombre}: {', '.join(sorted(uno.permisos))} · {estado}")


@agente.command(help="Lo que han llamado los agentes, de lo más nuevo a lo más viejo.")
@click.option("--agente", "nombre", metavar="NOMBRE", help="Solo las de un agente.")
@click.option("--herramienta", metavar="NOMBRE", help="Solo las de una herramienta.")
@click.option(
    "--desenlace", type=click.Choice([d.value for d in Desenlace]), help="Solo las que acabaron así."
)
@click.option("--texto", metavar="TEXTO", help="Que lo tengan en la herramienta o en los argumentos.")
@click.option(
    "--desde",
    type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M"]),
    help="Desde este momento (hora de Madrid).",
)
@click.option("--limite", type=click.IntRange(1, 1000), default=50, show_default=True, help="Cuántas.")
@click.option("--hasta", type=NUMERO, metavar="N", help="Desde la número N hacia atrás, para seguir leyendo.")
@opcion_json
def llamadas(  # noqa: PLR0913, PLR0917 - one parameter per option of the command
    nombre: str | None,
    herramienta: str | None,
    desenlace: str | None,
    texto: str | None,
    desde: datetime | None,
    limite: int,
    hasta: int | None,
    en_json: bool,
) -> None:
    """The record of calls."""
    filtro = FiltroLlamadas(
        agente=nombre,
        herramienta=herramienta,
        desenlace=Desenlace(desenlace) if desenlace else None,
        texto=texto,
        desde=desde.replace(tzinfo=MADRID) if desde else None,
        hasta_id=hasta,
        limite=limite,
    )
    with _base() as con:
        halladas = auditoria.buscar(con, filtro)
    if en_json:
        escribir_json([_llamada_en_json(numero, llamada) for numero, llamada in halladas])
        return
    for numero, una in halladas:
        fin = f"{una.desenlace}{f' ({una.codigo})' if una.codigo else ''}"
        click.echo(f"{numero} {_hora(una.instante)} {una.agente} {una.herramienta} {fin} {una.ms:.0f} ms")
        click.echo(f"    {una.argumentos[:200]}")


def _avisar_sin_herramienta(permisos: Iterable[str]) -> None:
    from app.mcp.herramientas import CATALOGO  # noqa: PLC0415 - loads every domain, and only this needs it

    for permiso in sorted(set(permisos) - CATALOGO.permisos() - {PERSONAL}):
        click.echo(f"Aviso: hoy ninguna herramienta pide el permiso «{permiso}».", err=True)


def _mostrar_token(credencial: Credencial, en_json: bool) -> None:
    if en_json:
        escribir_json(_agente_en_json(credencial.agente) | {"token": credencial.token})
        return
    click.echo(credencial.token)
    click.echo("Guárdalo ahora: no se puede volver a ver, solo cambiar («sobre agente rotar»).", err=True)


def _agente_en_json(uno: Agente) -> dict[str, object]:
    return uno.model_dump(mode="json") | {"permisos": sorted(uno.permisos)}


def _llamada_en_json(numero: int, llamada: Llamada) -> dict[str, object]:
    return {"n": numero} | llamada.model_dump(mode="json", exclude={"nonce"})


def _hora(instante: datetime | None) -> str | None:
    return f"{instante.astimezone(MADRID):%d/%m/%Y %H:%M:%S}" if instante else None
