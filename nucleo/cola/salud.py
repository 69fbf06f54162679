"""How the agents' part of an installation is: its database, its profiles, and the jobs that no profile can do."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from nucleo.bd import EstadoBase, conectar_lectura
from nucleo.cola import almacen
from nucleo.cola.ajustes import contexto_configurado
from nucleo.cola.modelo import EstadoTrabajo, Tipos
from nucleo.configuracion import Configuracion
from nucleo.errores import ErrorConfiguracion
from nucleo.modelo import Modelo


class SaludAgentes(Modelo):
    """`perfiles`: names of the configured ones. `esperan`: pending jobs; `sin_perfil`: those that none of them does."""

    base: EstadoBase
    perfiles: tuple[str, ...]
    esperan: int
    sin_perfil: int
    problemas: tuple[str, ...]
    avisos: tuple[str, ...]


def examinar(fichero: Path, base: EstadoBase, conf: Configuracion, tipos: Tipos) -> SaludAgentes:
    """Look without changing anything, and without asking any Hermes. A missing database is one not needed yet."""
    problemas = _problemas(base)
    perfiles: tuple[str, ...] = ()
    try:
        perfiles = tuple(p.nombre for p in contexto_configurado(conf).perfiles)
    except ErrorConfiguracion as error:
        problemas.append(error.mensaje)
    esperan = _pendientes(fichero) if base.sana and not base.pendientes else {}
    sin_perfil = sum(n for t, n in esperan.items() if t not in tipos or tipos[t].perfil not in perfiles)
    return SaludAgentes(
        base=base,
        perfiles=perfiles,
        esperan=sum(esperan.values()),
        sin_perfil=sin_perfil,
        problemas=tuple(problemas),
        avisos=tuple(_avisos(base, sin_perfil)),
    )


def _problemas(base: EstadoBase) -> list[str]:
    dichos = []
    if base.fallo:
        dichos.append(f"{base.fichero} está dañada ({base.fallo}): restaura una copia.")
    if base.futuras:
        dichos.append(f"{base.fichero} es de una versión más nueva del programa: actualízalo.")
    return dichos


def _avisos(base: EstadoBase, sin_perfil: int) -> list[str]:
    dichos = []
    if base.sana and base.pendientes:
        dichos.append(f"{base.fichero} se actualizará al arrancar («sobre init» lo hace ahora).")
    if sin_perfil:
        dichos.append(
            f"Trabajos de agentes que esperan sin que ningún Hermes configurado pueda hacerlos: {sin_perfil}."
            " Di dónde está con SOBRE_HERMES (docs/hermes.md)."
        )
    return dichos


def _pendientes(fichero: Path) -> dict[str, int]:
    """Job type → how many wait."""
    with closing(conectar_lectura(fichero)) as con:
        return {tipo: n for (tipo, en), n in almacen.contar(con).items() if en == EstadoTrabajo.PENDIENTE}
