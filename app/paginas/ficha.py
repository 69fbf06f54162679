"""Everything that the page of a tender shows, read once per run."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from app.piezas import etiquetas
from app.piezas.formato import NO_CONSTA
from dominios.licitaciones.oportunidades.modelos import Oportunidad, Procedencia
from dominios.licitaciones.radar.consulta import Derivado, VersionVista
from dominios.licitaciones.radar.modelo import Licitacion


class Ficha(NamedTuple):
    """A tender as published, what follows from it, and when it is looked at."""

    licitacion: Licitacion
    derivado: Derivado
    oportunidad: Oportunidad
    procedencia: Procedencia
    versiones: tuple[VersionVista, ...]
    ahora: datetime

    @property
    def estado(self) -> str:
        """Name of the published state."""
        return etiquetas.estado(self.licitacion.estado, self.derivado.tipo_registro) or f"Estado: {NO_CONSTA}"
