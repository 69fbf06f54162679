"""Every tool of this installation, gathered from the domains."""

from __future__ import annotations

from dominios.licitaciones.herramientas import HERRAMIENTAS as DE_LICITACIONES
from nucleo.agentes.herramientas import Catalogo
from nucleo.cola.herramientas import HERRAMIENTAS as DE_COLA
from nucleo.empresa.herramientas import HERRAMIENTAS as DE_EMPRESA

CATALOGO = Catalogo((*DE_COLA, *DE_EMPRESA, *DE_LICITACIONES))
