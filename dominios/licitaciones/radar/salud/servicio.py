"""The one examination of the radar's health, the same for the command, the page and the API."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from dominios.licitaciones.radar.salud import almacen
from dominios.licitaciones.radar.salud.modelo import Pendiente, Salud, SaludFuente
from nucleo.bd import EstadoBase, conectar_lectura, revisar
from nucleo.migraciones import Migrations
from nucleo.reloj import Reloj

EDAD_MAXIMA = timedelta(hours=48)
"""The sources move every working day, but not at weekends; a head three days old has been seen answering 200."""

DISCO_MINIMO = 1_000_000_000
"""Bytes. An upgrade copies the database first, and its log grows while history is being loaded."""


def examinar(fichero: Path, conjuntos: Iterable[Migrations], fuentes: Sequence[str], reloj: Reloj) -> Salud:
    """Look at everything without changing anything; it does not raise for a missing or damaged database."""
    ahora = reloj()
    base = revisar(fichero, conjuntos)
    estados: tuple[SaludFuente, ...] = ()
    pendiente: Pendiente | None = None
    if base.integra and not base.pendientes:
        with closing(conectar_lectura(fichero)) as con:
            leidas = almacen.paginas_en_vivo(con)
            estados = tuple(_fuente(f, leidas.get(f), ahora) for f in fuentes)
            pendiente = almacen.pendiente(con)
    libre = shutil.disk_usage(_carpeta_que_existe(fichero)).free
    problemas = _problemas(base, libre)
    avisos = _avisos(base, estados, pendiente)
    return Salud(
        estado="mal" if problemas else "avisos" if avisos else "bien",
        instante=ahora,
        base=base,
        disco_libre=libre,
        fuentes=estados,
        pendiente=pendiente,
        problemas=problemas,
        avisos=avisos,
    )


def _fuente(fuente: str, lectura: tuple[datetime | None, datetime] | None, ahora: datetime) -> SaludFuente:
    publicada, leida = lectura or (None, None)
    if publicada is None:
        return SaludFuente(fuente=fuente, estado="sin_leer", publicada=None, leida=leida, edad_h=None)
    edad = ahora - publicada
    return SaludFuente(
        fuente=fuente,
        estado="parada" if edad > EDAD_MAXIMA else "al_dia",
        publicada=publicada,
        leida=leida,
        edad_h=round(edad / timedelta(hours=1), 1),
    )


def _problemas(base: EstadoBase, libre: int) -> tuple[str, ...]:
    dichos = []
    if not base.existe:
        dichos.append(f"No existe {base.fichero}: ejecuta «sobre init».")
    elif not base.integra:
        dichos.append(f"{base.fichero} está dañada ({base.fallo}): restaura una copia.")
    if base.futuras:
        dichos.append(f"{base.fichero} es de una versión más nueva del programa: actualízalo.")
    if libre < DISCO_MINIMO:
        dichos.append(f"Quedan {libre / 1e6:.0f} MB libres en el disco: haz sitio antes de seguir.")
    return tuple(dichos)


def _avisos(
    base: EstadoBase, fuentes: tuple[SaludFuente, ...], pendiente: Pendiente | None
) -> tuple[str, ...]:
    dichos = []
    if base.existe and base.integra and base.pendientes:
        dichos.append(f"{base.fichero} se actualizará al arrancar («sobre init» lo hace ahora).")
    dichos += [
        f"La fuente {f.fuente} no se mueve desde hace {f.edad_h:.0f} h, aunque responda."
        for f in fuentes
        if f.estado == "parada" and f.edad_h is not None
    ]
    if pendiente and pendiente.cuarentena:
        dichos.append(f"En cuarentena: {pendiente.cuarentena} («sobre radar cuarentena»).")
    if pendiente and pendiente.incidencias:
        dichos.append(f"Incidencias abiertas: {pendiente.incidencias}.")
    return tuple(dichos)


def _carpeta_que_existe(fichero: Path) -> Path:
    return next(carpeta for carpeta in fichero.absolute().parents if carpeta.is_dir())
