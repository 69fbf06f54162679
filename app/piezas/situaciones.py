"""States of runs and steps on screen: a sign and a word for each, so that colour only repeats what they say."""

from __future__ import annotations

from typing import NamedTuple

from app.piezas.texto import neutralizar
from nucleo.recorridos.estado import EstadoIntento, EstadoRecorrido, Situacion
from nucleo.recorridos.plan import Clase


class Rotulo(NamedTuple):
    """`color` is one of Streamlit's badge colours."""

    signo: str
    palabra: str
    color: str


PASOS = {
    Situacion.BLOQUEADO: Rotulo("○", "Pendiente", "gray"),
    Situacion.LISTO: Rotulo("▷", "Listo, sin empezar", "blue"),
    Situacion.ESPERANDO: Rotulo("◆", "Espera a una persona", "violet"),
    Situacion.EN_CURSO: Rotulo("▶", "En curso", "blue"),
    Situacion.DUDOSO: Rotulo("?", "Dudoso", "orange"),
    Situacion.FALLIDO: Rotulo("✗", "Fallido", "red"),
    Situacion.COMPLETADO: Rotulo("✓", "Hecho", "green"),
    Situacion.OMITIDO: Rotulo("–", "Omitido", "gray"),
    Situacion.DISPENSADO: Rotulo("≈", "Dispensado", "yellow"),
    Situacion.RECHAZADO: Rotulo("⊘", "Rechazado", "red"),
}
RECORRIDOS = {
    EstadoRecorrido.ACTIVO: Rotulo("▶", "Activo", "blue"),
    EstadoRecorrido.PAUSADO: Rotulo("‖", "Pausado", "orange"),
    EstadoRecorrido.COMPLETADO: Rotulo("✓", "Completado", "green"),
    EstadoRecorrido.RECHAZADO: Rotulo("⊘", "Rechazado", "red"),
    EstadoRecorrido.CANCELADO: Rotulo("✗", "Cancelado", "gray"),
}
INTENTOS = {
    EstadoIntento.EN_CURSO: Rotulo("▶", "En curso", "blue"),
    EstadoIntento.COMPLETADO: Rotulo("✓", "Completado", "green"),
    EstadoIntento.FALLIDO: Rotulo("✗", "Fallido", "red"),
    EstadoIntento.DUDOSO: Rotulo("?", "Dudoso", "orange"),
    EstadoIntento.ABANDONADO: Rotulo("–", "Abandonado", "gray"),
}
CLASES = {
    Clase.INICIO: "inicio",
    Clase.FIN: "fin",
    Clase.COMPUERTA: "compuerta",
    Clase.AGENTE: "agente",
    Clase.CODIGO: "código",
    Clase.MANUAL: "persona",
    Clase.APROBACION: "aprobación",
}


def distintivo(rotulo: Rotulo) -> str:
    """The state as a badge, as Markdown."""
    return f":{rotulo.color}-badge[{neutralizar(rotulo.signo)} {rotulo.palabra}]"
