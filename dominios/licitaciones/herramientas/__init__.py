"""The tools that agents have over this domain; a phase with tools of its own adds them here."""

from __future__ import annotations

from dominios.licitaciones.herramientas.buscar import BUSCAR
from dominios.licitaciones.herramientas.criba import LOTE, PROPONER
from dominios.licitaciones.herramientas.historia import DOCUMENTOS, VERSIONES
from dominios.licitaciones.herramientas.ver import VER
from nucleo.agentes.herramientas import UnaHerramienta

HERRAMIENTAS: tuple[UnaHerramienta, ...] = (BUSCAR, VER, VERSIONES, DOCUMENTOS, LOTE, PROPONER)
