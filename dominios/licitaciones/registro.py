"""What the outside knows of this domain: where its database is and how it is opened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dominios.licitaciones.criba.fallos.migraciones import migraciones as fallos
from dominios.licitaciones.criba.migraciones import migraciones as criba
from dominios.licitaciones.criba.trabajo import tipo_criba
from dominios.licitaciones.oferta.casa import casa_de_ofertas
from dominios.licitaciones.oportunidades.migraciones import migraciones as oportunidades
from dominios.licitaciones.prefiltro.migraciones import migraciones as prefiltro
from dominios.licitaciones.radar.historico.migraciones import migraciones as historico
from dominios.licitaciones.radar.migraciones import migraciones as radar
from dominios.licitaciones.radar.salud.modelo import Salud
from dominios.licitaciones.radar.salud.servicio import examinar
from dominios.licitaciones.radar.sincronizar.fuentes import limites
from dominios.licitaciones.radar.sincronizar.migraciones import migraciones as sincronizar
from nucleo.bd import migrar, mirar, revisar
from nucleo.cola.modelo import TipoTrabajo
from nucleo.configuracion import Configuracion
from nucleo.recorridos.casa import Casa
from nucleo.reloj import Reloj

DOMINIO = "licitaciones"
"""How its guided runs name it."""
FICHERO = "licitaciones.db"
CONJUNTOS = (radar, historico, sincronizar, prefiltro, criba, fallos, oportunidades)
"""Schema of each phase, in the order in which they read one another."""


def preparar(datos: Path) -> Path:
    """Create or upgrade the domain's database under the data folder and return its path."""
    fichero = datos / FICHERO
    migrar(fichero, *CONJUNTOS)
    return fichero


def tipos_de_trabajo(datos: Path) -> tuple[TipoTrabajo, ...]:
    """The AI jobs of this domain, over its database under the data folder."""
    return (tipo_criba(datos / FICHERO),)


def recorridos(datos: Path) -> Casa:
    """What this domain gives to the guided runs, over its database under the data folder."""
    return casa_de_ofertas(datos / FICHERO)


def salud(datos: Path, fuentes: Sequence[str], reloj: Reloj) -> Salud:
    """How this domain's part of the installation is, at a glance; it changes nothing."""
    fichero = datos / FICHERO
    return examinar(fichero, mirar(fichero, CONJUNTOS), limites(fuentes, {}), reloj)


def salud_a_fondo(conf: Configuracion, reloj: Reloj) -> Salud:
    """The same, with the whole database read and checked."""
    fichero = conf.datos / FICHERO
    horas = limites(conf.fuentes, conf.radar_frescura_horas)
    return examinar(fichero, revisar(fichero, CONJUNTOS), horas, reloj)
