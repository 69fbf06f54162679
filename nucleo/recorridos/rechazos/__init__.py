"""Evidence of what was refused: late or foreign reports, and attempts at what one may not do."""

from nucleo.recorridos.rechazos.anotar import anotar_rechazo

__all__ = ["anotar_rechazo"]
