"""What `sobre recorrido` prints: one JSON document, or lines for people."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime

import click

from app.cli.comun import escribir_json
from nucleo.modelo import Modelo
from nucleo.recorridos.api.documentos import Espera, Pendientes, Recorridos
from nucleo.recorridos.lectura.modelo import Pendiente, Proyeccion, Resumen
from nucleo.recorridos.motor import Pelota
from nucleo.recorridos.peticiones import Recibo
from nucleo.reloj import MADRID

_PELOTA = {
    Pelota.PERSONA: "una persona",
    Pelota.COORDINADOR: "quien coordina",
    Pelota.INSTALACION: "la instalación",
}


def mostrar_recibo(recibo: Recibo, en_json: bool) -> None:
    """Where the run stands after the command."""
    repetido = " (ya estaba hecho)" if recibo.repetido else ""
    paso = f", paso «{recibo.paso}»" if recibo.paso else ""
    intento = f", intento {recibo.intento}" if recibo.intento else ""
    _mostrar(
        recibo,
        [f"{recibo.id}: {recibo.estado}, revisión {recibo.revision}{paso}{intento}{repetido}"],
        en_json,
    )


def mostrar_proyeccion(vista: Proyeccion, en_json: bool) -> None:
    """A run with its steps."""
    _mostrar(vista, _lineas(vista), en_json)


def mostrar_espera(espera: Espera, en_json: bool) -> None:
    """The run, if it changed."""
    lineas = _lineas(espera.recorrido) if espera.recorrido else [f"Sin cambios: revisión {espera.revision}."]
    _mostrar(espera, lineas, en_json)


def mostrar_recorridos(lista: Recorridos, en_json: bool) -> None:
    """A line per run."""
    _mostrar(lista, [_linea(r) for r in lista.recorridos] or ["No hay recorridos así."], en_json)


def mostrar_pendientes(lista: Pendientes, en_json: bool) -> None:
    """A line per thing that waits."""
    _mostrar(lista, [_linea_pendiente(p) for p in lista.pendientes] or ["No espera nada."], en_json)


def _lineas(vista: Proyeccion) -> list[str]:
    actual, plan = vista.recorrido, vista.plan
    toca = ", ".join(_PELOTA[p] for p in vista.pelota) or "nadie"
    lineas = [
        f"{actual.id}: {plan.titulo}",
        f"  {actual.estado}, revisión {actual.revision}, plan {actual.plan_version}; le toca a: {toca}"
        f"{_plazo(actual.vence)}",
    ]
    for paso in plan.pasos:
        estado = actual.pasos[paso.id]
        salidas = f" → {json.dumps(estado.salidas, ensure_ascii=False)}" if estado.salidas else ""
        intento = f" (intento {estado.intento})" if estado.intento else ""
        lineas.append(f"  [{estado.estado}] {paso.id}: {paso.titulo}{intento}{salidas}")
    if actual.propuesta is not None:
        lineas.append(f"  Plan propuesto por {actual.propuesta.autor.nombre}: {actual.propuesta.motivo}")
    return lineas


def _linea(resumen: Resumen) -> str:
    esperan = f", {resumen.esperan} por decidir" if resumen.esperan else ""
    return (
        f"{resumen.id} {resumen.titulo}: {resumen.estado}, {resumen.resueltos} de {resumen.pasos} pasos{esperan}"
        f"{_plazo(resumen.vence)}"
    )


def _linea_pendiente(pendiente: Pendiente) -> str:
    donde = f" · {pendiente.titulo_paso} ({pendiente.paso})" if pendiente.paso else ""
    pregunta = f": {pendiente.pregunta}" if pendiente.pregunta else ""
    return (
        f"{pendiente.recorrido} [{pendiente.pide}] {pendiente.titulo}{donde}{pregunta}"
        f" — revisión {pendiente.revision}{_plazo(pendiente.vence)}"
    )


def _plazo(vence: datetime | None) -> str:
    return f", plazo {vence.astimezone(MADRID):%d/%m/%Y %H:%M}" if vence else ""


def _mostrar(documento: Modelo, lineas: Iterable[str], en_json: bool) -> None:
    if en_json:
        escribir_json(documento.model_dump(mode="json"))
    else:
        click.echo("\n".join(map(_llana, lineas)))


def _llana(linea: str) -> str:
    """Titles and values are foreign text: they do not move the cursor nor dress as other lines."""
    return "".join(letra if letra.isprintable() else " " for letra in linea)
