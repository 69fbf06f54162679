"""A served /mcp over a data folder, with tools made for the tests, and the official client to talk to it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import httpx
import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from pydantic import Field

from app.hermes.servir import servir
from app.mcp.montaje import aplicacion_sola
from nucleo import registro
from nucleo.agentes import auditoria, servicio
from nucleo.agentes.herramientas import Catalogo, Contexto, Herramienta
from nucleo.agentes.modelo import FiltroLlamadas, Llamada
from nucleo.bd import conectar, transaccion
from nucleo.errores import ErrorBaseDatos, ErrorEntrada
from nucleo.modelo import Modelo
from nucleo.reloj import reloj_del_sistema

SECRETO = "/ruta/secreta/de/la/casa"


class Nota(Modelo):
    """What the proposing tool takes."""

    nonce: Annotated[str, Field(max_length=40)]
    texto: Annotated[str, Field(min_length=1, max_length=2000)]
    puntos: Annotated[int, Field(ge=0, le=100)]


class Vacio(Modelo):
    """No arguments."""


class Hecho(Modelo):
    """An answer."""

    dicho: str


def proponer_nota(contexto: Contexto, nota: Nota) -> Hecho:
    """Two rows or none; the same note of the same attempt is kept once."""
    with closing(conectar(contexto.datos / "notas.db")) as con, transaccion(con):
        con.execute("INSERT OR IGNORE INTO nota VALUES (?, ?)", (nota.nonce, nota.texto))
        con.execute("INSERT OR IGNORE INTO puntos VALUES (?, ?)", (nota.nonce, nota.puntos))
    return Hecho(dicho="guardada")


def romperse(contexto: Contexto, _: Vacio) -> Hecho:
    raise RuntimeError(f"fallo con {SECRETO}")


def no_poder(contexto: Contexto, _: Vacio) -> Hecho:
    raise ErrorBaseDatos(f"no se puede abrir {SECRETO}")


def negarse(contexto: Contexto, _: Vacio) -> Hecho:
    raise ErrorEntrada("Hoy no toca.")


def hablar_mucho(contexto: Contexto, _: Vacio) -> Hecho:
    return Hecho(dicho="ñ" * 3_000_000)


def hacer(nombre: str, permiso: str, ejecutar: Callable[[Contexto, Vacio], Modelo]) -> Herramienta[Vacio]:
    return Herramienta(nombre, permiso, f"Prueba {nombre}.", Vacio, ejecutar)


CATALOGO = Catalogo(
    [
        Herramienta("proponer_nota", "proponer:notas", "Propone una nota.", Nota, proponer_nota),
        hacer("romperse", "leer:notas", romperse),
        hacer("no_poder", "leer:notas", no_poder),
        hacer("negarse", "leer:notas", negarse),
        hacer("hablar_mucho", "leer:notas", hablar_mucho),
        hacer("ver_curriculo", "personal", lambda c, _: Hecho(dicho=c.agente.nombre)),
    ]
)


@dataclass
class Casa:
    """`url` is the endpoint; `fichero` the shared database."""

    datos: Path
    url: str

    @property
    def fichero(self) -> Path:
        return self.datos / registro.FICHERO

    def agente(self, nombre: str, *permisos: str) -> str:
        """A new agent's token."""
        with closing(conectar(self.fichero)) as con:
            return servicio.crear(con, nombre, permisos, reloj_del_sistema()).token

    def llamadas(self) -> list[Llamada]:
        """Oldest first."""
        with closing(conectar(self.fichero)) as con:
            return [c for _, c in reversed(auditoria.buscar(con, FiltroLlamadas(limite=1000)))]

    def notas(self) -> tuple[list[tuple[str, str]], list[tuple[str, int]]]:
        with closing(conectar(self.datos / "notas.db")) as con:
            notas = con.execute("SELECT * FROM nota ORDER BY nonce").fetchall()
            return notas, con.execute("SELECT * FROM puntos ORDER BY nonce").fetchall()

    @asynccontextmanager
    async def cliente(self, token: str) -> AsyncIterator[Client]:
        cabeceras = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=cabeceras) as http,
            Client(streamable_http_client(self.url, http_client=http)) as cliente,
        ):
            yield cliente

    async def pedir(self, token: str, nombre: str, argumentos: dict[str, object]) -> dict[str, object]:
        """The parsed answer of one call with the official client."""
        async with self.cliente(token) as cliente:
            resultado = await cliente.call_tool(nombre, argumentos)
        assert not resultado.is_error
        (contenido,) = resultado.content
        respuesta: dict[str, object] = json.loads(contenido.text)  # type: ignore[union-attr]
        return respuesta

    def crudo(self, cuerpo: bytes, **cabeceras: str) -> httpx.Response:
        """A raw POST."""
        return httpx.post(self.url, content=cuerpo, headers=CABECERAS | cabeceras, timeout=30)


CABECERAS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def cuerpo(metodo: str, **params: object) -> bytes:
    """A JSON-RPC request."""
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": metodo, "params": params}).encode()


@contextmanager
def abrir_casa(datos: Path, catalogo: Catalogo = CATALOGO) -> Iterator[Casa]:
    """Served until the end of the block."""
    with closing(conectar(datos / "notas.db")) as con:
        con.execute("CREATE TABLE IF NOT EXISTS nota(nonce TEXT PRIMARY KEY, texto TEXT)")
        con.execute("CREATE TABLE IF NOT EXISTS puntos(nonce TEXT PRIMARY KEY, puntos INTEGER)")
    with servir(aplicacion_sola(datos, catalogo)) as base:
        yield Casa(datos, f"{base}/mcp")
