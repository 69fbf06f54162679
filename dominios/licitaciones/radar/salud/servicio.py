"""The one examination of the radar's health, the same for the command, the page and the API."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from dominios.licitaciones.radar.salud import almacen
from dominios.licitaciones.radar.salud.modelo import Pendiente, Salud, SaludFuente
from nucleo.bd import EstadoBase, conectar_lectura
from nucleo.reloj import MADRID, Reloj

SIN_PASAR = timedelta(hours=1)
"""The radar passes every quarter of an hour; after four that did not happen something is stopped."""

DISCO_MINIMO = 1_000_000_000
"""Bytes. An upgrade copies the database first, and its log grows while history is being loaded."""


def examinar(fichero: Path, base: EstadoBase, limites: Mapping[str, int], reloj: Reloj) -> Salud:
    """Look at everything without changing anything. `limites`: datasets to look at → hours they may stand still."""
    ahora = reloj()
    fuentes: tuple[SaludFuente, ...] = ()
    pendiente: Pendiente | None = None
    if base.sana and not base.pendientes:
        with closing(conectar_lectura(fichero)) as con:
            lecturas = almacen.lecturas(con)
            fuentes = tuple(_fuente(f, horas, lecturas.get(f), ahora) for f, horas in limites.items())
            pendiente = almacen.pendiente(con)
    libre = shutil.disk_usage(_carpeta_que_existe(fichero)).free
    problemas = _problemas(base, libre)
    avisos = _avisos(base, fuentes, pendiente, ahora)
    return Salud(
        estado="mal" if problemas else "avisos" if avisos else "bien",
        instante=ahora,
        base=base,
        disco_libre=libre,
        fuentes=fuentes,
        pendiente=pendiente,
        problemas=problemas,
        avisos=avisos,
    )


def _fuente(fuente: str, limite_h: int, lectura: almacen.Lectura | None, ahora: datetime) -> SaludFuente:
    publicada = lectura.publicada if lectura else None
    edad = ahora - publicada if publicada else None
    parada = edad is not None and edad > timedelta(hours=limite_h)
    return SaludFuente(
        fuente=fuente,
        estado="sin_leer" if edad is None else "parada" if parada else "al_dia",
        publicada=publicada,
        edad_h=None if edad is None else round(edad / timedelta(hours=1), 1),
        limite_h=limite_h,
        pasada=lectura.pasada if lectura else None,
        error=lectura.error if lectura else None,
    )


def _problemas(base: EstadoBase, libre: int) -> tuple[str, ...]:
    dichos = []
    if not base.existe:
        dichos.append(f"No existe {base.fichero}: ejecuta «sobre init».")
    elif base.fallo:
        dichos.append(f"{base.fichero} está dañada ({base.fallo}): restaura una copia.")
    if base.futuras:
        dichos.append(f"{base.fichero} es de una versión más nueva del programa: actualízalo.")
    if libre < DISCO_MINIMO:
        dichos.append(f"Quedan {libre / 1e6:.0f} MB libres en el disco: haz sitio antes de seguir.")
    return tuple(dichos)


def _avisos(
    base: EstadoBase, fuentes: tuple[SaludFuente, ...], pendiente: Pendiente | None, ahora: datetime
) -> tuple[str, ...]:
    dichos = []
    if base.sana and base.pendientes:
        dichos.append(f"{base.fichero} se actualizará al arrancar («sobre init» lo hace ahora).")
    for fuente in fuentes:
        dichos += _avisos_de_fuente(fuente, ahora)
    if pendiente and pendiente.cuarentena:
        dichos.append(f"En cuarentena: {pendiente.cuarentena} («sobre radar cuarentena»).")
    if pendiente and pendiente.incidencias:
        dichos.append(f"Incidencias abiertas: {pendiente.incidencias}.")
    return tuple(dichos)


def _avisos_de_fuente(fuente: SaludFuente, ahora: datetime) -> Iterator[str]:
    if fuente.estado == "parada":
        yield (
            f"La fuente {fuente.fuente} no se mueve desde hace {fuente.edad_h} h, aunque responda"
            f" (se esperan menos de {fuente.limite_h})."
        )
    if fuente.error:
        yield f"La última pasada por la fuente {fuente.fuente} no pudo leerla: {fuente.error}"
    if fuente.pasada and ahora - fuente.pasada > SIN_PASAR:
        yield (
            f"Nadie pasa por la fuente {fuente.fuente} desde {fuente.pasada.astimezone(MADRID):%d/%m/%Y %H:%M}:"
            " comprueba que «make up» está en marcha."
        )


def _carpeta_que_existe(fichero: Path) -> Path:
    return next(carpeta for carpeta in fichero.absolute().parents if carpeta.is_dir())
