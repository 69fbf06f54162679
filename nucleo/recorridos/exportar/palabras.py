"""How instants, actors, states and values are said in the evidence."""

from __future__ import annotations

import json
from datetime import datetime

from pydantic import JsonValue

from nucleo.recorridos.comandos import Actor, ClaseActor, TipoComando
from nucleo.recorridos.estado import EstadoRecorrido, Situacion
from nucleo.recorridos.exportar.marcado import Html, Pieza, elemento, pares
from nucleo.recorridos.plan import Clase, Puerto, Valores
from nucleo.reloj import MADRID

SITUACIONES = {
    Situacion.BLOQUEADO: "○ pendiente",
    Situacion.LISTO: "▷ listo, sin empezar",
    Situacion.ESPERANDO: "◆ espera a una persona",
    Situacion.EN_CURSO: "▶ en curso",
    Situacion.DUDOSO: "? dudoso: puede haber ocurrido",
    Situacion.FALLIDO: "✗ fallido",
    Situacion.COMPLETADO: "✓ hecho",
    Situacion.OMITIDO: "– omitido: no se eligió su rama",
    Situacion.DISPENSADO: "≈ dispensado por una persona",
    Situacion.RECHAZADO: "⊘ rechazado",
}
ESTADOS = {
    EstadoRecorrido.ACTIVO: "▶ activo",
    EstadoRecorrido.PAUSADO: "‖ en pausa",
    EstadoRecorrido.COMPLETADO: "✓ completado",
    EstadoRecorrido.RECHAZADO: "⊘ rechazado",
    EstadoRecorrido.CANCELADO: "✗ cancelado",
}
CLASES = {
    Clase.INICIO: "inicio",
    Clase.FIN: "fin",
    Clase.COMPUERTA: "compuerta",
    Clase.AGENTE: "agente",
    Clase.CODIGO: "código",
    Clase.MANUAL: "persona",
    Clase.APROBACION: "aprobación de una persona",
}
ACTORES = {
    ClaseActor.PERSONA: "persona",
    ClaseActor.AGENTE: "agente",
    ClaseActor.EJECUTOR: "el programa",
    ClaseActor.RELOJ: "el programa",
}
DECISIONES = {
    TipoComando.RESPONDER: "respondió",
    TipoComando.APROBAR: "aprobó",
    TipoComando.RECHAZAR: "rechazó",
    TipoComando.DISPENSAR: "dispensó el paso",
    TipoComando.REINTENTAR: "mandó reintentar",
    TipoComando.PAUSAR: "puso en pausa",
    TipoComando.REANUDAR: "reanudó",
    TipoComando.CANCELAR: "canceló",
    TipoComando.ACEPTAR_PLAN: "aceptó el plan propuesto",
    TipoComando.DESCARTAR_PLAN: "descartó el plan propuesto",
    TipoComando.ARCHIVAR: "archivó",
    TipoComando.DESARCHIVAR: "sacó del archivo",
}
"""What a person may do to a run."""


def cuando(instante: datetime | None) -> str:
    """In the time of Madrid, with its offset."""
    return "—" if instante is None else instante.astimezone(MADRID).isoformat(sep=" ", timespec="seconds")


def quien(actor: Actor) -> str:
    """Name, kind and role."""
    papel = f", {actor.rol}" if actor.rol else ""
    return f"{actor.nombre} ({ACTORES[actor.clase]}{papel})"


def valor(dato: JsonValue) -> Pieza:
    """A value as a person reads it; what has parts, as JSON."""
    match dato:
        case None | []:
            return "ninguno"
        case bool():
            return "Sí" if dato else "No"
        case str():
            return dato
        case list() if all(isinstance(x, str) for x in dato):
            return elemento("ul", *(elemento("li", str(x)) for x in dato))
        case list() | dict():
            return elemento("pre", json.dumps(dato, ensure_ascii=False, indent=1))
        case _:
            return json.dumps(dato)


def valores(datos: Valores | None, puertos: tuple[Puerto, ...]) -> Pieza:
    """Each with the label of its port; «—» when there are none."""
    if not datos:
        return "—"
    rotulos = {p.nombre: rotulo(p) for p in puertos}
    return pares((rotulos.get(nombre, nombre), valor(dato)) for nombre, dato in datos.items())


def rotulo(puerto: Puerto) -> str:
    """What a form calls it."""
    etiqueta = puerto.formulario.etiqueta if puerto.formulario else ""
    return etiqueta or puerto.nombre.replace("_", " ")


def codigo(texto: str) -> Html:
    """An identifier or a fingerprint."""
    return elemento("code", texto)
