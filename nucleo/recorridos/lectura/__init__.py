"""Reading the runs: one whole, lists by pages, and what waits for a person in all of them."""

from nucleo.recorridos.lectura.bandeja import bandeja
from nucleo.recorridos.lectura.historia import (
    artefactos,
    entregas,
    eventos,
    intentos,
    planes,
    rechazos,
    ultimos_eventos,
)
from nucleo.recorridos.lectura.proyeccion import leer, listar, posibles
from nucleo.recorridos.lectura.vigilancia import (
    cambios,
    dudosos,
    en_curso,
    insistentes,
    pulso,
    reclamables,
    ultimo_cambio,
    vencidos,
)

__all__ = [
    "artefactos",
    "bandeja",
    "cambios",
    "dudosos",
    "en_curso",
    "entregas",
    "eventos",
    "insistentes",
    "intentos",
    "leer",
    "listar",
    "planes",
    "posibles",
    "pulso",
    "rechazos",
    "reclamables",
    "ultimo_cambio",
    "ultimos_eventos",
    "vencidos",
]
