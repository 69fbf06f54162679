"""The stand-in as a program, and as something that the demonstration and the tests start inside themselves."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import click

from app.hermes.agente import Guion, crear_agente, saludar
from app.hermes.api import Ajustes, ApiSimulada
from app.hermes.guiones import GUIONES
from app.hermes.memoria import Contrato
from app.hermes.servir import servir


class Conexion(NamedTuple):
    """The key of its API, and our MCP server with the token of its profile."""

    clave: str
    mcp: str
    token: str


@contextmanager
def hermes_simulado(
    conexion: Conexion,
    contrato: Contrato = Contrato.V019,
    guiones: tuple[Guion, ...] = GUIONES,
    puerto: int = 0,
) -> Iterator[str]:
    """A profile of the stand-in, on this machine, until the end of the block; yields its base URL."""
    agente = crear_agente(conexion.mcp, conexion.token, guiones)
    ajustes = Ajustes(contrato, fondo=lambda: saludar(conexion.mcp, conexion.token))
    api = ApiSimulada(conexion.clave, agente, ajustes)
    with servir(api.app, puerto) as base:
        yield base


@click.command()
@click.option("--puerto", type=click.IntRange(1, 65535), default=8642, help="Puerto en 127.0.0.1.")
@click.option("--mcp", default="http://127.0.0.1:8080/mcp", help="Dirección de nuestro servidor MCP.")
@click.option("--contrato", type=click.Choice([c.value for c in Contrato]), default=Contrato.V019.value)
def principal(puerto: int, mcp: str, contrato: str) -> None:
    """Sustituto de Hermes, SIMULADO: sigue reglas sencillas, no piensa. Claves, en API_SERVER_KEY y TOKEN_MCP."""
    clave, token = os.environ.get("API_SERVER_KEY", ""), os.environ.get("TOKEN_MCP", "")
    if not clave or not token:
        raise click.ClickException("Faltan API_SERVER_KEY (la clave de este perfil) o TOKEN_MCP (su token).")
    fin = threading.Event()
    for senal in (signal.SIGINT, signal.SIGTERM):
        signal.signal(senal, lambda *_: fin.set())
    try:
        with hermes_simulado(Conexion(clave, mcp, token), Contrato(contrato), puerto=puerto) as base:
            click.echo(f"Hermes SIMULADO en {base}: nada de lo que diga es de un modelo.")
            fin.wait()
    except OSError as error:
        raise click.ClickException(
            f"No se puede abrir el puerto {puerto}: {error.strerror or error}."
        ) from error


if __name__ == "__main__":
    principal()
