"""Freeze a set, ask it to whatever model the profile has now, and compare models and instructions over it."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path

from pydantic import ValidationError

from dominios.licitaciones.criba import almacen as criba
from dominios.licitaciones.criba.almacen import Elemento
from dominios.licitaciones.criba.encolar import encolar_tandas
from dominios.licitaciones.criba.evaluacion import almacen
from dominios.licitaciones.criba.evaluacion.modelo import CASOS_MAX, NOMBRE_MAX, Conjunto, Contestado, Fila
from dominios.licitaciones.criba.evaluacion.reglas import medir
from dominios.licitaciones.criba.formar import huella_de
from dominios.licitaciones.criba.modelo import Situacion, Veredicto
from dominios.licitaciones.criba.reglas import en_tandas
from dominios.licitaciones.criba.trabajo import TIPO, objeto_de
from nucleo.bd import transaccion
from nucleo.cola.gasto.almacen import Uso, usos
from nucleo.cola.modelo import Tipos
from nucleo.empresa.almacen import PerfilGuardado
from nucleo.empresa.lineas import lineas
from nucleo.errores import ErrorEntrada, NoEncontrado

TAMANO_MAXIMO = 20_000_000
"""Bytes of a frozen set's file."""
SIN_SABER = "—"

Clave = tuple[str, str]
"""Model and version of the instructions."""


def congelar(con: sqlite3.Connection, nombre: str, perfil: PerfilGuardado) -> Conjunto:
    """A set with the tenders that people labelled and the profile in force.

    Raises NoEncontrado when there is none, ErrorEntrada for a name that is too long.
    """
    if not 0 < len(nombre) <= NOMBRE_MAX:
        raise ErrorEntrada(f"El nombre de un conjunto va de 1 a {NOMBRE_MAX} caracteres.")
    casos = almacen.etiquetadas(con)[-CASOS_MAX:]
    if not casos:
        raise NoEncontrado("Aún no hay licitaciones cribadas sobre las que haya decidido una persona.")
    return Conjunto(
        nombre=nombre,
        perfil_version=perfil.cabecera.version,
        perfil=lineas(perfil.empresa),
        casos=tuple(casos),
    )


def leer(fichero: Path) -> Conjunto:
    """The set of that file. Raises NoEncontrado or ErrorEntrada."""
    if not fichero.is_file():
        raise NoEncontrado(f"No hay ningún fichero {fichero}: «sobre evaluar congelar {fichero}» crea uno.")
    if fichero.stat().st_size > TAMANO_MAXIMO:
        raise ErrorEntrada(f"{fichero.name} es demasiado grande para ser un conjunto congelado.")
    try:
        return Conjunto.model_validate_json(fichero.read_bytes())
    except ValidationError as error:
        donde = ".".join(map(str, error.errors()[0]["loc"])) or "el documento"
        raise ErrorEntrada(f"{fichero.name} no es un conjunto congelado: revisa {donde}.") from error


def preguntar(
    con: sqlite3.Connection, cola: sqlite3.Connection, tipos: Tipos, conjunto: Conjunto, ahora: datetime
) -> int:
    """Put a new round in the queue: every case, in batches like the live ones; how many. The live ones ignore it.

    Raises ErrorEntrada while another round of the same set waits: its answers could not be told apart.
    """
    huella = conjunto.huella
    elementos = [
        Elemento(
            n, None, None, c.vista.model_copy(update={"numero": n}), huella_de(c.vista.model_dump_json())
        )
        for n, c in enumerate(conjunto.casos, 1)
    ]
    tandas = list(en_tandas(elementos))
    with transaccion(con):
        if esperan := almacen.abiertas(con, huella):
            raise ErrorEntrada(
                f"Aún esperan {esperan} tandas de este conjunto: cuando acaben, lanza otra ronda."
            )
        for tanda in tandas:
            criba.crear_tanda(con, huella, conjunto.perfil_version, conjunto.perfil, huella, tanda, ahora)
    encolar_tandas(con, cola, tipos, ahora)
    return len(tandas)


def esperan(con: sqlite3.Connection, conjunto: Conjunto) -> int:
    """Batches of the set that wait for an answer."""
    return almacen.abiertas(con, conjunto.huella)


def comparar(con: sqlite3.Connection, cola: sqlite3.Connection, conjunto: Conjunto) -> tuple[Fila, ...]:
    """One row per model and version of the instructions that has answered, the one that loses least at the top."""
    gastos = usos(cola, TIPO, [objeto_de(t) for t in almacen.tandas(con, conjunto.huella)])
    modelos = {u.intento_id: u.modelo or SIN_SABER for u in gastos}
    pares: dict[Clave, list[tuple[Veredicto, Situacion]]] = defaultdict(list)
    for contestado in almacen.contestados(con, conjunto.huella):
        etiqueta = conjunto.casos[contestado.numero - 1].etiqueta
        pares[_clave(contestado, modelos)].append((etiqueta, contestado.situacion))
    por_clave: dict[Clave, list[Uso]] = defaultdict(list)
    for uso in gastos:
        por_clave[uso.modelo or SIN_SABER, uso.version or SIN_SABER].append(uso)
    filas = [_fila(clave, parejas, por_clave[clave]) for clave, parejas in pares.items()]
    return tuple(
        sorted(filas, key=lambda f: (-(f.medida.a_la_vista or 0), -(f.medida.precision or 0), f.modelo))
    )


def _clave(contestado: Contestado, modelos: dict[int, str]) -> Clave:
    modelo = SIN_SABER if contestado.intento_id is None else modelos.get(contestado.intento_id, SIN_SABER)
    return modelo, contestado.instrucciones or SIN_SABER


def _fila(clave: Clave, pares: Sequence[tuple[Veredicto, Situacion]], gastos: Sequence[Uso]) -> Fila:
    conocidos = [u.coste for u in gastos if u.coste is not None]
    return Fila(
        modelo=clave[0],
        instrucciones=clave[1],
        medida=medir(pares),
        intentos=len(gastos),
        coste=sum(conocidos, Decimal(0)) if conocidos else None,
        sin_coste=len(gastos) - len(conocidos),
    )
