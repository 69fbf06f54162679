"""Everything that the criba knows of one tender: the verdict, what it rests on, who gave it, what people said."""

from __future__ import annotations

import sqlite3

from dominios.licitaciones.criba import almacen
from dominios.licitaciones.criba.modelo import Juzgada, Palabra, Situacion
from dominios.licitaciones.criba.reglas import situacion
from nucleo.cola import vista
from nucleo.cola.vista import Autoria
from nucleo.empresa.lineas import Linea
from nucleo.modelo import Modelo


class Historia(Modelo):
    """`lineas` are the ones that the verdict cites, as the agent read them in that version of the profile."""

    situacion: Situacion
    juzgada: Juzgada | None
    lineas: tuple[Linea, ...]
    perfil_version: int | None
    autoria: Autoria | None
    palabras: tuple[Palabra, ...]
    """Newest first; the first one counts."""


def historia(con: sqlite3.Connection, con_cola: sqlite3.Connection, licitacion_id: int) -> Historia | None:
    """None when neither an agent was asked about it nor a person spoke of it."""
    juzgada = almacen.juzgadas(con, [licitacion_id]).get(licitacion_id)
    palabras = almacen.palabras(con, licitacion_id)
    if juzgada is None and not palabras:
        return None
    tanda = almacen.leer_tanda(con, juzgada.tanda) if juzgada else None
    intento = almacen.intento_de(con, juzgada.tanda, licitacion_id) if juzgada else None
    citadas = set(juzgada.lineas) if juzgada else set()
    return Historia(
        situacion=situacion(palabras[0] if palabras else None, juzgada),
        juzgada=juzgada,
        lineas=tuple(x for x in tanda.lineas if x.clave in citadas) if tanda else (),
        perfil_version=tanda.perfil_version if tanda else None,
        autoria=vista.autoria(con_cola, intento) if intento is not None else None,
        palabras=palabras,
    )
