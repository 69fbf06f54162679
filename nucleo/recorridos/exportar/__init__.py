"""A run told whole, outside the program: as JSON that reads back the same, and as one inert page to read and print."""

from nucleo.recorridos.exportar.modelo import Evidencia, PlanDe, de_json, en_json
from nucleo.recorridos.exportar.pagina import en_html
from nucleo.recorridos.exportar.reunir import evidencia

__all__ = ["Evidencia", "PlanDe", "de_json", "en_html", "en_json", "evidencia"]
