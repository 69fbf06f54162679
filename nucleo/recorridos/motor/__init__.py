"""The rules of a run, without effects: a snapshot and a command give a new snapshot or a refusal."""

from nucleo.recorridos.motor.aplicar import aplicar
from nucleo.recorridos.motor.crear import Nuevo, crear
from nucleo.recorridos.motor.diferencia import Diferencia, PasoCambiado, diferencia
from nucleo.recorridos.motor.reproducir import reproducir
from nucleo.recorridos.motor.vista import Pelota, Posibles, contexto_disponible, pelota, posibles

__all__ = [
    "Diferencia",
    "Nuevo",
    "PasoCambiado",
    "Pelota",
    "Posibles",
    "aplicar",
    "contexto_disponible",
    "crear",
    "diferencia",
    "pelota",
    "posibles",
    "reproducir",
]
