"""A head that answers but no longer moves is an alarm: what is read is whole, and old."""

from __future__ import annotations

from dominios.licitaciones.radar.sincronizar.modelo import HORA, Alarma


def comprobar(publicada: int | None, ahora: int, limite: int) -> Alarma | None:
    """The alarm of a head whose feed/updated is `publicada`; all in microseconds."""
    if publicada is None:
        return Alarma(
            codigo="fuente_parada", mensaje="La cabecera no dice cuándo se generó: no se sabe si está al día."
        )
    edad = ahora - publicada
    if edad <= limite:
        return None
    return Alarma(
        codigo="fuente_parada",
        mensaje=f"La fuente responde, pero no se mueve desde hace {edad // HORA} h (se esperan menos de"
        f" {limite // HORA} h): lo publicado después no está.",
    )
