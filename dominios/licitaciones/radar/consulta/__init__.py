"""Asking for one tender: find it, see it as it stands now, see how it changed."""

from dominios.licitaciones.radar.consulta.documento import Derivado, Documento, GanadorVisto, VersionVista
from dominios.licitaciones.radar.consulta.ver import localizar, ver, versiones

__all__ = ["Derivado", "Documento", "GanadorVisto", "VersionVista", "localizar", "ver", "versiones"]
