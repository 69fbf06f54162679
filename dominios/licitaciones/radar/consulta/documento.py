"""The document of a tender: what was published, literally, and what follows from it now (contract of `ver --json`)."""

from __future__ import annotations

from typing import NamedTuple

from dominios.licitaciones.radar.literal import Entrada
from dominios.licitaciones.radar.material import Cambio
from dominios.licitaciones.radar.modelo import Licitacion, Modelo


class GanadorVisto(Modelo):
    """A winner of one lot."""

    lote: str | None
    nombre: str | None
    nif: str | None
    es_ute: bool
    miembros: tuple[str, ...]


class Derivado(Modelo):
    """The derived part. Money as text with the published decimals; times ISO 8601."""

    vigente: bool
    baja: str | None
    tipo_baja: str | None
    ultimo_estado: str | None
    n_versiones: int
    tipo_registro: str
    fecha_publicacion: str | None
    es_oportunidad_abierta: bool
    presupuesto_efectivo: str | None
    importe_para_filtro: str | None
    desenlace: str
    adjudicado_sin_iva_total: str | None
    lotes_sin_adjudicar: tuple[str, ...]
    lotes_deducidos: tuple[str, ...]
    adjudicatarios: tuple[GanadorVisto, ...]
    avisos: tuple[str, ...]


class VersionVista(Modelo):
    """A version and its material changes against the one before; `xml_octetos` of its canonical XML."""

    updated: str
    estado: str | None
    cambios: tuple[Cambio, ...]
    xml_octetos: int


class Documento(NamedTuple):
    """Literal part, derived part, and the whole model it came from."""

    entrada: Entrada
    derivado: Derivado
    detalle: Licitacion
