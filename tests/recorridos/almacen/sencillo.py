"""A plain run: an agent's task, a person's question, and the end; and ways to move it."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from itertools import count

from nucleo.recorridos import servicio
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import Actor, Comando, TipoComando
from nucleo.recorridos.peticiones import PeticionCrear, Recibo
from nucleo.recorridos.plan import Clase, Interaccion, Paso, Plan, Puerto, Tipo
from tests.recorridos.partida import INICIO
from tests.recorridos.secuencias import ANA, HERMES

CON_CONECTOR = Casa(conector=lambda quien: "prueba" if quien == "hermes" else None)
SIN_CONECTOR = Casa()
PLAN = Plan(
    titulo="Un recorrido sencillo",
    contexto={},
    pasos=(
        Paso(id="ini", titulo="Inicio", clase=Clase.INICIO),
        Paso(
            id="redactar",
            titulo="Redactar",
            clase=Clase.AGENTE,
            dependencias=("ini",),
            salidas=(Puerto(nombre="documento", tipo=Tipo.ARTEFACTO),),
        ),
        Paso(
            id="revisar",
            titulo="Revisar",
            clase=Clase.MANUAL,
            dependencias=("redactar",),
            interaccion=Interaccion(pregunta="¿Está bien?"),
            salidas=(Puerto(nombre="firmado", tipo=Tipo.ARTEFACTO),),
        ),
        Paso(id="fin", titulo="Fin", clase=Clase.FIN, dependencias=("revisar",)),
    ),
)
_NUMEROS = count(1)


def crear(
    con: sqlite3.Connection,
    casa: Casa = CON_CONECTOR,
    actor: Actor = HERMES,
    ahora: datetime = INICIO,
    **partes: object,
) -> Recibo:
    """A new run of the plain plan, led by the agent."""
    peticion = {"comando_id": f"nace{next(_NUMEROS)}", "plan": PLAN, "coordinador": "hermes", **partes}
    return servicio.crear(con, casa, PeticionCrear.model_validate(peticion), actor, ahora)


def mandar(  # noqa: PLR0917 - a command and where it goes
    con: sqlite3.Connection,
    rid: str,
    tipo: TipoComando,
    actor: Actor = HERMES,
    ahora: datetime = INICIO,
    casa: Casa = CON_CONECTOR,
    **partes: object,
) -> Recibo:
    """One command, with an identifier of its own unless it is given."""
    comando = Comando.model_validate({"comando_id": f"m{next(_NUMEROS)}", "tipo": tipo, **partes})
    return servicio.mandar(con, casa, rid, comando, actor, ahora)


def iniciar(con: sqlite3.Connection, rid: str, ahora: datetime = INICIO) -> Recibo:
    """The agent takes its task."""
    return mandar(con, rid, TipoComando.INICIAR, ahora=ahora, paso="redactar")


def completar(con: sqlite3.Connection, rid: str, intento: int = 1, ahora: datetime = INICIO) -> Recibo:
    """The agent ends its task."""
    return mandar(
        con, rid, TipoComando.COMPLETAR, ahora=ahora, paso="redactar", intento=intento, mensaje="Hecho"
    )


def acabar(con: sqlite3.Connection, rid: str) -> Recibo:
    """A person cancels the run."""
    return mandar(con, rid, TipoComando.CANCELAR, ANA)
