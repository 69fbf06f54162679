"""A served /mcp over a data folder, with tools made for the tests, and the official client to talk to it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Annotated, Any

import httpx
import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from pydantic import Field

from app.hermes.servir import servir
from app.mcp.montaje import aplicacion_sola
from nucleo import registro
from nucleo.agentes import auditoria, servicio
from nucleo.agentes.encargo import Encargo
from nucleo.agentes.herramientas import (
    Catalogo,
    Contexto,
    Herramienta,
    Mesa,
    Proposicion,
    Respuesta,
    rechazo,
)
from nucleo.agentes.modelo import FiltroLlamadas, Llamada
from nucleo.bd import conectar
from nucleo.cola import servicio as cola
from nucleo.cola.modelo import Intento, TipoTrabajo, Trabajo
from nucleo.cola.reglas import Contexto as ContextoCola
from nucleo.cola.reglas import EstadoPerfil
from nucleo.errores import ErrorBaseDatos, ErrorEntrada
from nucleo.modelo import Modelo
from nucleo.reloj import reloj_del_sistema

TIPO = "nota"
"""The type of the jobs whose attempts may leave notes."""
SECRETO = "/ruta/secreta/de/la/casa"


class Nota(Encargo):
    """What the proposing tool takes."""

    texto: Annotated[str, Field(min_length=1, max_length=2000)]
    puntos: Annotated[int, Field(ge=0, le=100)]


class Vacio(Modelo):
    """No arguments."""


class Hecho(Modelo):
    """An answer."""

    dicho: str


def proponer_nota(mesa: Mesa, nota: Nota) -> Hecho | Respuesta:
    """Two rows or none; an attempt leaves one note, and the same one again is the same answer."""
    mesa.con.execute("INSERT OR IGNORE INTO nota VALUES (?, ?)", (nota.nonce, nota.texto))
    mesa.con.execute("INSERT OR IGNORE INTO puntos VALUES (?, ?)", (nota.nonce, nota.puntos))
    unidas = "SELECT texto, puntos FROM nota JOIN puntos USING (nonce) WHERE nonce = ?"
    if mesa.con.execute(unidas, (nota.nonce,)).fetchone() != (nota.texto, nota.puntos):
        return rechazo("texto", "Ya dejaste otra nota.", "ya_propuesta")
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
        Herramienta(
            nombre="proponer_nota",
            permiso="proponer:notas",
            descripcion="Propone una nota.",
            argumentos=Nota,
            ejecutar=Proposicion(tipo=TIPO, fichero="notas.db", dejar=proponer_nota),
        ),
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

    def encargo(self, agente: str) -> dict[str, object]:
        """A new job whose attempt was given to that agent: what its calls must say."""
        with closing(conectar(self.fichero)) as con:
            return encargar(con, agente)

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


def encargar(con: sqlite3.Connection, agente: str, tipo: str = TIPO) -> dict[str, object]:
    """Put a job of that type in the queue and give it to that agent at once."""
    declarado = TipoTrabajo(nombre=tipo, perfil=agente, clase=1, instruir=_sin_usar, comprobar=_sin_usar)
    ahora = reloj_del_sistema()
    puesto = cola.encolar(con, {tipo: declarado}, tipo, token_hex(8), "{}", None, ahora)
    perfil = EstadoPerfil(nombre=agente, proveedor="imaginario")
    reclamado = cola.reclamar(con, {tipo: declarado}, ContextoCola(a_la_vez=999, perfiles=(perfil,)), ahora)
    assert reclamado is not None
    assert reclamado.trabajo.id == puesto.id
    return {"trabajo": puesto.id, "nonce": reclamado.intento.nonce}


def _sin_usar(_: Trabajo, __: Intento) -> Any:
    raise AssertionError("nobody runs this job")


@contextmanager
def abrir_casa(datos: Path, catalogo: Catalogo = CATALOGO) -> Iterator[Casa]:
    """Served until the end of the block."""
    crear_notas(datos)
    with servir(aplicacion_sola(datos, catalogo)) as base:
        yield Casa(datos, f"{base}/mcp")


def crear_notas(datos: Path) -> None:
    """The database that `proponer_nota` writes."""
    with closing(conectar(datos / "notas.db")) as con:
        con.execute("CREATE TABLE IF NOT EXISTS nota(nonce TEXT PRIMARY KEY, texto TEXT)")
        con.execute("CREATE TABLE IF NOT EXISTS puntos(nonce TEXT PRIMARY KEY, puntos INTEGER)")
