"""The criba as a job of the queue: what the agent is told, and how to know that it left its verdicts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from dominios.licitaciones.criba import almacen
from dominios.licitaciones.criba.modelo import Tanda
from dominios.licitaciones.criba.proponer import tanda as leer_tanda
from nucleo.bd import conectar_lectura
from nucleo.cola.modelo import Comprobacion, Instrucciones, Intento, TipoTrabajo, Trabajo
from nucleo.errores import ErrorEntrada

TIPO = "criba"
PERFIL = "licitaciones"
"""Hermes profile that does it."""
CLASE = 30
"""Offers under preparation and the study of new tenders go before."""


def tipo_criba(fichero: Path) -> TipoTrabajo:
    """The job type over the domain's database."""

    def instruir(trabajo: Trabajo, _: Intento) -> Instrucciones:
        version, texto = instrucciones()
        with _tanda(fichero, trabajo) as (tanda, pendientes):
            if tanda.cerrada is not None:
                raise ErrorEntrada(
                    f"La tanda {tanda.id} ya está cerrada: «sobre criba repetir» vuelve a preguntar lo que"
                    " haya quedado sin veredicto."
                )
            entrada = (
                f"Tanda {tanda.id}: quedan {pendientes} licitaciones por juzgar. Pídelas con criba_lote."
            )
        return Instrucciones(version=version, texto=texto, entrada=entrada)

    def comprobar(trabajo: Trabajo, _: Intento) -> Comprobacion:
        with _tanda(fichero, trabajo) as (tanda, pendientes):
            hecho = tanda.cerrada is not None
        detalle = (
            f"Tanda {tanda.id} juzgada." if hecho else f"Tanda {tanda.id}: quedan {pendientes} por juzgar."
        )
        return Comprobacion(hecho=hecho, detalle=detalle)

    return TipoTrabajo(nombre=TIPO, perfil=PERFIL, clase=CLASE, instruir=instruir, comprobar=comprobar)


@lru_cache(maxsize=1)
def instrucciones() -> tuple[str, str]:
    """(version, text): the version is the text's own hash, so that no change goes unnoticed."""
    texto = files(__package__).joinpath("instrucciones.md").read_text("utf-8")
    return sha256(texto.encode()).hexdigest()[:12], texto


def datos_de(tanda_id: int) -> str:
    """The job's input."""
    return json.dumps({"tanda": tanda_id})


def objeto_de(tanda_id: int) -> str:
    """What the job is about, as the queue shows it."""
    return f"tanda {tanda_id}"


def tanda_de(trabajo: Trabajo) -> int:
    """The batch of a job. Raises ErrorEntrada when it is not one of the criba."""
    if trabajo.tipo != TIPO:
        raise ErrorEntrada(f"El trabajo {trabajo.id} no es de la criba.")
    return tanda_en(trabajo.datos)


def tanda_en(datos: str) -> int:
    """The batch that a job's input names. Raises ErrorEntrada when it names none."""
    leidos = json.loads(datos)
    tanda = leidos.get("tanda") if isinstance(leidos, dict) else None
    if not isinstance(tanda, int):
        raise ErrorEntrada("Los datos del trabajo no dicen qué tanda de la criba es.")
    return tanda


@contextmanager
def _tanda(fichero: Path, trabajo: Trabajo) -> Iterator[tuple[Tanda, int]]:
    with closing(conectar_lectura(fichero)) as con:
        tanda = leer_tanda(con, tanda_de(trabajo))
        yield tanda, len(almacen.pendientes(con, tanda.id))
