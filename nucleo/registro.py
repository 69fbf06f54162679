"""Where the shared database is (`nucleo.db`) and how it is opened: agents, audit, queue, company, guided runs."""

from __future__ import annotations

from pathlib import Path

from nucleo.agentes.migraciones import migraciones as agentes
from nucleo.bd import FICHERO_COMUN, migrar, revisar
from nucleo.cola.migraciones import migraciones as cola
from nucleo.cola.modelo import Tipos
from nucleo.cola.salud import SaludAgentes, examinar
from nucleo.configuracion import Configuracion
from nucleo.empresa.migraciones import migraciones as empresa
from nucleo.personas.migraciones import migraciones as personas
from nucleo.recorridos.migraciones import migraciones as recorridos

FICHERO = FICHERO_COMUN
CONJUNTOS = (agentes, cola, empresa, recorridos, personas)
"""Schema of each room that keeps something in it; a room adds its own set here."""


def preparar(datos: Path) -> Path:
    """Create or upgrade the shared database under the data folder and return its path."""
    fichero = datos / FICHERO
    migrar(fichero, *CONJUNTOS)
    return fichero


def salud_agentes(conf: Configuracion, tipos: Tipos) -> SaludAgentes:
    """How the agents' part of the installation is, with the whole shared database read and checked."""
    fichero = conf.datos / FICHERO
    return examinar(fichero, revisar(fichero, CONJUNTOS), conf, tipos)
