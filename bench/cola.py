"""What the queue adds to each job over calling Hermes directly, and giving a turn among thousands that wait."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

from pydantic import SecretStr

from app.hermes.api import Ajustes, ApiSimulada
from app.hermes.curso import Curso
from app.hermes.memoria import Contrato
from app.hermes.servir import servir
from bench.tabla import Fila, como_mucho
from nucleo import registro
from nucleo.bd import conectar
from nucleo.cola import servicio
from nucleo.cola.almacen import asegurar_disco
from nucleo.cola.corredor import Corredor, Ritmo
from nucleo.cola.modelo import Comprobacion, Instrucciones, Intento, TipoTrabajo, Trabajo
from nucleo.cola.perfiles import Perfiles
from nucleo.cola.reglas import Contexto, EstadoPerfil
from nucleo.hermes.cliente import ClienteHermes
from nucleo.hermes.desenlace import clasificar
from nucleo.hermes.perfiles import Hermes, Perfil
from nucleo.reloj import reloj_del_sistema

TRABAJOS = 40
ESPERAN = 5_000
MIRADA_S = 0.005
"""Between two looks at a run, in both: what is compared is the rest."""
CLAVE = "clave-de-medida-0123456789"
CONTEXTO = Contexto(a_la_vez=1, perfiles=(EstadoPerfil(nombre="licitaciones", proveedor="ninguno"),))


def instruir(trabajo: Trabajo, intento: Intento) -> Instrucciones:
    """The shortest."""
    return Instrucciones(version="1", texto="Haz lo que se pide.", entrada=trabajo.objeto)


def comprobar(trabajo: Trabajo, intento: Intento) -> Comprobacion:
    """It is always there."""
    return Comprobacion(hecho=True, detalle="")


TIPOS = {"criba": TipoTrabajo("criba", "licitaciones", 2, instruir, comprobar)}


async def _agente(_curso: Curso) -> str:
    return "Hecho."


def medir() -> list[Fila]:
    """Both rows in milliseconds; one job at a time, every commit on disk."""
    with tempfile.TemporaryDirectory() as carpeta:
        fichero = registro.preparar(Path(carpeta))
        with closing(conectar(fichero)) as con:
            asegurar_disco(con)
            directo = min(_con_hermes(_directo) for _ in range(2))
            por_cola = min(_con_hermes(lambda url: _por_cola(con, url)) for _ in range(2))
            turno = _turno(con)
    return [
        como_mucho(
            "cola: lo que añade a cada trabajo",
            1000 * (por_cola - directo) / TRABAJOS,
            50.0,
            "ms",
            f"{TRABAJOS} trabajos: {1000 * por_cola / TRABAJOS:.1f} ms por la cola,"
            f" {1000 * directo / TRABAJOS:.1f} ms directos; sin contar la tarea del motor",
        ),
        como_mucho(
            f"cola: dar turno con {ESPERAN} esperando, mediana", turno, 50.0, "ms", "reclamar, en disco"
        ),
    ]


def _con_hermes(hacer: Callable[[str], Awaitable[None]]) -> float:
    """Seconds that it takes, against a stand-in of its own with the contract of today."""
    with servir(ApiSimulada(CLAVE, _agente, Ajustes(Contrato.V021)).app) as url:
        inicio = time.perf_counter()
        asyncio.run(_esperar(hacer(url)))
        return time.perf_counter() - inicio


async def _esperar(pedido: Awaitable[None]) -> None:
    await pedido


async def _directo(url: str) -> None:
    async with ClienteHermes(url, CLAVE) as cliente:
        await cliente.capacidades()
        for numero in range(TRABAJOS):
            sesion = f"medida-{numero:04d}"
            lanzado = await cliente.lanzar("Haz lo que se pide.", "objeto", sesion, sesion)
            while not clasificar(await cliente.consultar(lanzado.run_id)).final:
                await asyncio.sleep(MIRADA_S)
            await cliente.sesion(sesion)


async def _por_cola(con: sqlite3.Connection, url: str) -> None:
    perfil = Perfil(nombre="licitaciones", url=url, clave=SecretStr(CLAVE), proveedor="ninguno")
    async with Perfiles(Hermes(perfiles=(perfil,)), lambda _con, _nombre: None) as perfiles:
        corredor = Corredor(con, TIPOS, perfiles, reloj_del_sistema, ritmo=Ritmo(MIRADA_S, MIRADA_S))
        marca = time.time_ns()
        for numero in range(TRABAJOS):
            objeto = f"{marca}-{numero}"
            servicio.encolar(con, TIPOS, "criba", objeto, "{}", None, reloj_del_sistema())
        while dado := servicio.reclamar(con, TIPOS, CONTEXTO, reloj_del_sistema()):
            await corredor.seguir(dado.intento.id)


def _turno(con: sqlite3.Connection) -> float:
    """Milliseconds of giving a turn, the median of some."""
    for numero in range(ESPERAN):
        servicio.encolar(con, TIPOS, "criba", f"espera-{numero}", "{}", None, reloj_del_sistema())
    muestras = []
    for veces in range(20):
        sitio = CONTEXTO.model_copy(update={"a_la_vez": 100 + veces})
        inicio = time.perf_counter()
        servicio.reclamar(con, TIPOS, sitio, reloj_del_sistema())
        muestras.append(1000 * (time.perf_counter() - inicio))
    return sorted(muestras)[len(muestras) // 2]
