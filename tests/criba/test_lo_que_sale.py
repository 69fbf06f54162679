"""Every byte that leaves for an agent's model, by the launch or by a tool: the profile's private parts never do."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from pydantic import SecretStr
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.hermes.agente import crear_agente
from app.hermes.curso import Curso
from app.hermes.guiones import GUIONES
from app.hermes.mcp import ClienteMcp
from app.hermes.memoria import Contrato
from app.hermes.servir import servir
from app.mcp.herramientas import CATALOGO
from app.mcp.montaje import aplicacion_sola
from nucleo.agentes import servicio as agentes
from nucleo.cola import servicio as cola
from nucleo.cola.corredor import Corredor, Ritmo
from nucleo.cola.perfiles import Perfiles
from nucleo.cola.reglas import Contexto, EstadoPerfil
from nucleo.empresa import servicio as empresa
from nucleo.hermes.perfiles import Hermes, Perfil
from nucleo.reloj import reloj_fijo
from tasks.tipos import tipos_de_trabajo
from tests.criba.taller import Taller
from tests.hermes.doble import CLAVE, Doble

SIN_PERSONAL = tuple(sorted(CATALOGO.permisos() - {"personal"}))
"""All that an agent may be given but people's data."""


@dataclass
class Oyente:
    """ASGI application that keeps what goes in and out of another one."""

    app: ASGIApp
    entra: bytearray = field(default_factory=bytearray)
    sale: bytearray = field(default_factory=bytearray)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def oir() -> Message:
            mensaje = await receive()
            self.entra += mensaje.get("body", b"")
            return mensaje

        async def decir(mensaje: Message) -> None:
            self.sale += mensaje.get("body", b"")
            await send(mensaje)

        await self.app(scope, oir, decir)


def privados(taller: Taller) -> list[str]:
    """What nobody outside this machine is to know."""
    perfil = empresa.vigente(taller.cola).empresa
    dichos = [perfil.nif, perfil.domicilio, str(taller.datos), CLAVE]
    dichos += [v for f in perfil.firmantes for v in (f.nombre, f.nif, f.poder)]
    dichos += [v for r in perfil.rivales for v in (r.nombre, r.nif)]
    return [v for v in dichos if v]


async def curiosear(url: str, token: str, ids: list[str]) -> set[str]:
    """Call every tool that the token opens, with nothing and with each tender; the names of those it opens."""
    async with ClienteMcp(url, token) as mcp:
        for nombre in mcp.herramientas:
            for argumentos in ({}, *({"id": i} for i in ids), {"texto": "NIF", "limite": 50}):
                await mcp.llamar(nombre, argumentos)
        return set(mcp.herramientas)


@pytest.mark.parametrize("contrato", list(Contrato))
async def test_nada_privado_sale_en_ningun_envio(taller: Taller, contrato: Contrato) -> None:
    taller.publicar(*range(1, 6))
    taller.formar()
    token = agentes.crear(taller.cola, "licitaciones", SIN_PERSONAL, taller.ahora).token
    otro = agentes.crear(taller.cola, "critico", SIN_PERSONAL, taller.ahora).token
    oyente = Oyente(aplicacion_sola(taller.datos, CATALOGO))
    encargos: list[str] = []
    with servir(oyente) as base:
        sustituto = crear_agente(f"{base}/mcp", token, GUIONES)

        async def agente(curso: Curso) -> str:
            encargos.append(curso.encargo.instrucciones + curso.encargo.entrada)
            return await sustituto(curso)

        with Doble(contrato, agente).en_marcha() as url:
            estado = await atender(taller, url)
        ids = [c.candidata.entrada_id for c in taller.lista()]
        vistas = await curiosear(f"{base}/mcp", token, ids)
    assert estado == "hecho"
    assert vistas == {h.nombre for h in CATALOGO.todas() if h.permiso in SIN_PERSONAL}
    salido = "\n".join([*encargos, bytes(oyente.sale).decode()])
    salido += json.dumps(salido)  # also as it would look escaped
    assert "Mantenimiento de equipos" in salido
    assert [p for p in (*privados(taller), token, otro) if p in salido] == []


async def atender(taller: Taller, url: str) -> str:
    """One job as the queue does it, on that Hermes; its state at the end."""
    perfil = Perfil(nombre="licitaciones", url=url, clave=SecretStr(CLAVE), proveedor="imaginario")
    tipos = tipos_de_trabajo(taller.datos)
    contexto = Contexto(
        a_la_vez=1, perfiles=(EstadoPerfil(nombre=perfil.nombre, proveedor=perfil.proveedor),)
    )
    reclamado = cola.reclamar(taller.cola, tipos, contexto, taller.ahora)
    assert reclamado is not None
    async with Perfiles(Hermes(perfiles=(perfil,)), agentes.visto) as perfiles:
        corredor = Corredor(taller.cola, tipos, perfiles, reloj_fijo(taller.ahora), ritmo=Ritmo(0.02, 0.1))
        return (await corredor.seguir(reclamado.intento.id)).estado.value
