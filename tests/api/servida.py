"""A served API (and /mcp) over an empty installation, with one of each kind of who may ask."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute

from app import llave
from app.api.montaje import MontajeApi
from app.entrar.acceso import Acceso
from app.hermes.servir import servir
from app.mcp.herramientas import CATALOGO
from app.mcp.montaje import MontajeMcp
from app.seguridad import Puerta
from nucleo import registro
from nucleo.agentes import servicio
from nucleo.bd import conectar
from nucleo.recorridos.api.despacho import Entorno
from nucleo.recorridos.api.mensajes import Identidad
from nucleo.recorridos.api.rutas import API
from nucleo.recorridos.cliente import Cliente
from nucleo.recorridos.comandos import Actor, ClaseActor
from nucleo.recorridos.transporte import TransporteHttp, TransporteInterno
from nucleo.reloj import reloj_del_sistema
from tasks.casa import casa
from tests.agentes.casa import CABECERAS, cuerpo

PERSONA = "persona"
NADIE = "nadie"
REVOCADO = "revocado"
PERMISOS = {
    "guia": ("leer:recorridos", "proponer:recorridos"),
    "otro": ("leer:recorridos", "proponer:recorridos"),
    "lector": ("leer:recorridos",),
    "autor": ("proponer:recorridos",),
    "ajeno": ("leer:licitaciones",),
    "sistema": ("leer:recorridos", "proponer:recorridos"),
    REVOCADO: ("leer:recorridos", "proponer:recorridos"),
}
"""Agents by name. One of them is called as our own process is, and is nobody for that."""


@dataclass
class Servida:
    """`tokens`: what each one sends. `url` without final slash."""

    datos: Path
    url: str
    tokens: dict[str, str]
    abiertos: dict[str, httpx.Client] = field(default_factory=dict)

    @contextmanager
    def http(self, quien: str) -> Iterator[httpx.Client]:
        """Connections as that one, kept for the next time: to make a client costs more than what is asked with it."""
        if quien not in self.abiertos:
            token = self.tokens.get(quien)
            cabeceras = {"Authorization": f"Bearer {token}"} if token else {}
            self.abiertos[quien] = httpx.Client(
                base_url=self.url, headers=cabeceras, timeout=30, trust_env=False
            )
        yield self.abiertos[quien]

    @contextmanager
    def por_http(self, quien: str) -> Iterator[Cliente]:
        """The client over the socket."""
        with self.http(quien) as http:
            yield Cliente(TransporteHttp(http))

    @contextmanager
    def dentro(self, quien: str) -> Iterator[Cliente]:
        """The client inside this process."""
        with closing(conectar(self.datos / registro.FICHERO)) as con:
            entorno = Entorno(con, casa(self.datos), self.datos, reloj_del_sistema)
            yield Cliente(TransporteInterno(API, lambda: entorno, identidad_de(quien)))

    def herramienta(self, quien: str, nombre: str, argumentos: dict[str, object]) -> dict[str, Any]:
        """What a tool answers that agent; `{"ok": False, "codigo": …}` too when there is none for it."""
        mensaje = cuerpo("tools/call", name=nombre, arguments=argumentos)
        with self.http(quien) as http:
            respuesta = http.post("/mcp", content=mensaje, headers=CABECERAS)
        if respuesta.status_code == 401:
            return {"ok": False, "codigo": "SIN_IDENTIDAD"}
        leida = respuesta.json()
        if "error" in leida:
            return {"ok": False, "codigo": "PROHIBIDO"}
        dicho: dict[str, Any] = json.loads(leida["result"]["content"][0]["text"])
        return dicho


def identidad_de(quien: str) -> Identidad:
    """As the process knows them."""
    if quien == PERSONA:
        return Identidad(actor=Actor(clase=ClaseActor.PERSONA, nombre="persona", rol="admin"))
    actor = Actor(clase=ClaseActor.AGENTE, nombre=quien)
    return Identidad(actor=actor, permisos=frozenset(PERMISOS[quien]))


@contextmanager
def servida(datos: Path, *otras: BaseRoute) -> Iterator[Servida]:
    """Until the end of the block, behind the same door as the real one; `otras`: routes of a test."""
    acceso = Acceso()
    api, mcp = MontajeApi(casa, acceso.sesion), MontajeMcp(CATALOGO)

    @asynccontextmanager
    async def vida(_: Starlette) -> AsyncIterator[None]:
        async with mcp.vida(datos), acceso.vida(datos), api.vida(datos):
            yield

    puerta = Middleware(Puerta, acceso=acceso)
    app = Starlette(routes=[*otras, *api.rutas, *mcp.rutas], lifespan=vida, middleware=[puerta])
    with servir(app) as url:
        tokens = dict(_agentes(datos))
        tokens[PERSONA] = llave.leer(datos) or ""
        abierta = Servida(datos, url, tokens)
        yield abierta
        for http in abierta.abiertos.values():
            http.close()


def _agentes(datos: Path) -> Iterator[tuple[str, str]]:
    with closing(conectar(datos / registro.FICHERO)) as con:
        for nombre, permisos in PERMISOS.items():
            yield nombre, servicio.crear(con, nombre, permisos, reloj_del_sistema()).token
        servicio.revocar(con, REVOCADO, reloj_del_sistema())
