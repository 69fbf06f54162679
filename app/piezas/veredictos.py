"""Verdicts of the criba on screen: a word and a colour for each, and whose it is."""

from __future__ import annotations

from app.piezas.texto import neutralizar
from dominios.licitaciones.criba.consulta import Resumen
from dominios.licitaciones.criba.modelo import Situacion

ROTULOS = {
    Situacion.ENCAJA: "Encaja",
    Situacion.DUDA: "Duda",
    Situacion.NO_ENCAJA: "No encaja",
    Situacion.SIN_VEREDICTO: "Sin veredicto",
    Situacion.PENDIENTE: "Por juzgar",
}
_COLORES = {
    Situacion.ENCAJA: "green",
    Situacion.DUDA: "orange",
    Situacion.NO_ENCAJA: "gray",
    Situacion.SIN_VEREDICTO: "violet",
    Situacion.PENDIENTE: "blue",
}
LARGO_DE_MOTIVO = 240


def distintivo(situacion: Situacion) -> str:
    """The verdict as a badge, by its word and not by colour alone."""
    return f":{_COLORES[situacion]}-badge[{ROTULOS[situacion]}]"


def en_una_linea(resumen: Resumen) -> str:
    """«Encaja · según quien lo decidió: el motivo», as Markdown."""
    de_quien = f"decidido por {neutralizar(resumen.persona, 60)}" if resumen.persona else ""
    motivo = neutralizar(resumen.motivo, LARGO_DE_MOTIVO) if resumen.motivo else ""
    porque = ": ".join(p for p in (de_quien, motivo) if p)
    return f"{distintivo(resumen.situacion)} {porque}".rstrip()
