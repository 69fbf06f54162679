"""Runs a profile over the open tenders: only what changed, in batches, and going on where it was interrupted."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime, timedelta

from dominios.licitaciones.prefiltro import almacen
from dominios.licitaciones.prefiltro.evaluar import evaluar
from dominios.licitaciones.prefiltro.modelo import Modelo, Perfil
from nucleo.bd import transaccion
from nucleo.reloj import Reloj

TANDA = 500
"""Tenders per transaction: short enough not to make other writers wait."""


class ResumenPrefiltro(Modelo):
    """What one run judged, and what stands after it."""

    perfil: str
    huella: str
    evaluadas_ahora: int
    dentro: int
    fuera: int


Avance = Callable[[int, int], None]
"""Hears how many are done, of how many."""


def prefiltrar(
    con: sqlite3.Connection, perfil: Perfil, reloj: Reloj, avance: Avance = lambda _hechas, _total: None
) -> ResumenPrefiltro:
    """Judges the open tenders whose current version this profile has not judged yet.

    A changed profile is another profile: it judges everything again. Each batch is one transaction, so that an
    interrupted run loses nothing and the next one goes on.
    """
    ahora = reloj()
    limite_plazo = ahora + timedelta(days=perfil.plazo_minimo_dias)
    claves = almacen.pendientes(con, perfil.huella, ahora, limite_plazo)
    return _juzgar(con, perfil, ahora, claves, avance)


def reevaluar(
    con: sqlite3.Connection, perfil: Perfil, reloj: Reloj, avance: Avance = lambda _hechas, _total: None
) -> ResumenPrefiltro:
    """Judges every open tender again: for when the mapping changed and the versions did not."""
    ahora = reloj()
    return _juzgar(con, perfil, ahora, almacen.abiertas(con, ahora), avance)


def _juzgar(
    con: sqlite3.Connection, perfil: Perfil, ahora: datetime, claves: list[almacen.Clave], avance: Avance
) -> ResumenPrefiltro:
    huella = perfil.huella
    hechas = 0
    for inicio in range(0, len(claves), TANDA):
        tanda = almacen.leer_datos(con, claves[inicio : inicio + TANDA])
        decididas = [(p, evaluar(perfil, p.datos, ahora)) for p in tanda]
        with transaccion(con):
            almacen.guardar(con, huella, decididas, ahora)
        hechas += len(tanda)
        avance(hechas, len(claves))
    total = almacen.volumen(con, huella, ahora)
    return ResumenPrefiltro(
        perfil=perfil.nombre, huella=huella, evaluadas_ahora=hechas, dentro=total.dentro, fuera=total.fuera
    )
