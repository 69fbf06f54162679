"""Every tool of this installation, gathered from the domains and the common rooms."""

from __future__ import annotations

from dominios.licitaciones.herramientas import HERRAMIENTAS as DE_LICITACIONES
from nucleo.agentes.herramientas import Catalogo
from nucleo.cola.herramientas import HERRAMIENTAS as DE_COLA
from nucleo.empresa.herramientas import HERRAMIENTAS as DE_EMPRESA
from nucleo.recorridos.herramientas import herramientas as de_recorridos
from tasks.casa import casa

CATALOGO = Catalogo((*DE_COLA, *DE_EMPRESA, *DE_LICITACIONES, *de_recorridos(casa)))
