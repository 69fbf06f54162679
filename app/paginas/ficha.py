"""Everything that the page of a tender shows, read once per run."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from app.piezas import etiquetas
from app.piezas.formato import NO_CONSTA
from dominios.licitaciones.criba.historia import Historia
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
    historia: Historia | None
    """What the criba says of it; None when it has nothing to say."""
    ahora: datetime

    @property
    def estado(self) -> str:
        """Name of the published state, with what the clock adds to it."""
        estado = self.licitacion.estado
        nombre = etiquetas.estado(estado, self.derivado.tipo_registro) or f"Estado: {NO_CONSTA}"
        vencida = estado == "PUB" and self.oportunidad.plazo is not None and not self.oportunidad.en_plazo
        return f"{nombre} según la fuente; el plazo ya cerró" if vencida else nombre
