"""The versions of the plan and what each one changed; also what was proposed and not accepted."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pydantic import JsonValue

from nucleo.recorridos.comandos import TipoComando
from nucleo.recorridos.estado import Evento
from nucleo.recorridos.exportar.bases import plan_en
from nucleo.recorridos.exportar.marcado import Html, Pieza, elemento, juntar, parrafo, seccion, tabla
from nucleo.recorridos.exportar.modelo import Evidencia, PlanDe
from nucleo.recorridos.exportar.palabras import CLASES, cuando, quien
from nucleo.recorridos.motor import diferencia
from nucleo.recorridos.plan import Paso, Plan

CABECERAS = ("Qué", "Dónde", "Antes", "Después")


def planes(evidencia: Evidencia) -> Html:
    """Oldest first: the first one listed, the others by what they change."""
    primera = evidencia.planes[0]
    lista = elemento("ol", *(elemento("li", f"{p.titulo} ({CLASES[p.clase]})") for p in primera.plan.pasos))
    versiones = [
        _version(anterior, nueva)
        for anterior, nueva in zip(evidencia.planes, evidencia.planes[1:], strict=False)
    ]
    return seccion(
        "planes",
        "Versiones del plan",
        elemento("h3", "Versión 1"),
        parrafo(f"{cuando(primera.creado)}, de {quien(primera.autor)}. {primera.motivo}".strip()),
        *_enunciado(primera.plan),
        lista,
        *versiones,
        *_sin_aceptar(evidencia),
    )


def _enunciado(plan: Plan) -> Iterator[Html]:
    for nombre, texto in (("Petición", plan.peticion), ("Descripción", plan.descripcion)):
        if texto:
            yield parrafo(elemento("strong", f"{nombre}: "), texto)
    if plan.contexto:
        yield parrafo(elemento("strong", "Contexto: "))
        yield _json(plan.contexto)


def _version(anterior: PlanDe, nueva: PlanDe) -> Html:
    aceptada = f" La aceptó {quien(nueva.aceptado_por)}." if nueva.aceptado_por else ""
    return juntar(
        (
            elemento("h3", f"Versión {nueva.version}"),
            parrafo(
                f"{cuando(nueva.creado)}, propuesta por {quien(nueva.autor)}.{aceptada} Motivo: {nueva.motivo or '—'}"
            ),
            cambios(anterior.plan, nueva.plan),
        )
    )


def _sin_aceptar(evidencia: Evidencia) -> Iterator[Html]:
    """Proposals that were discarded or still wait."""
    propuesta: Evento | None = None
    for evento in evidencia.eventos:
        match evento.tipo:
            case TipoComando.PROPONER_PLAN:
                propuesta = evento
            case TipoComando.ACEPTAR_PLAN:
                propuesta = None
            case TipoComando.DESCARTAR_PLAN | TipoComando.CANCELAR if propuesta is not None:
                yield _propuesta(evidencia, propuesta, "Propuesta descartada")
                propuesta = None
            case _:
                pass
    if propuesta is not None:
        yield _propuesta(evidencia, propuesta, "Propuesta por decidir")


def _propuesta(evidencia: Evidencia, evento: Evento, titulo: str) -> Html:
    plan = evento.comando.plan if evento.comando else None
    antes = plan_en(evidencia, evento.revision).plan
    return juntar(
        (
            elemento("h3", titulo),
            parrafo(f"{cuando(evento.en)}, de {quien(evento.actor)}. Motivo: {evento.mensaje}"),
            cambios(antes, plan) if plan else "",
        )
    )


def cambios(antes: Plan, despues: Plan) -> Html:
    """Field by field."""
    cambio = diferencia(antes, despues)
    viejos = {p.id: p for p in antes.pasos}
    nuevos = {p.id: p for p in despues.pasos}
    filas: list[tuple[Pieza, ...]] = [
        ("Cambia", f"El plan: {c}", _campo(antes, c), _campo(despues, c)) for c in cambio.plan
    ]
    filas += [("Nuevo", _nombre(nuevos[i]), "—", _json(_llano(nuevos[i]))) for i in cambio.anadidos]
    filas += [
        (
            "Cambia",
            f"{_nombre(nuevos[c.paso])}: {campo}",
            _campo(viejos[c.paso], campo),
            _campo(nuevos[c.paso], campo),
        )
        for c in cambio.cambiados
        for campo in c.campos
    ]
    filas += [("Se quita", _nombre(viejos[i]), _json(_llano(viejos[i])), "—") for i in cambio.quitados]
    return tabla(CABECERAS, filas, "No cambia nada.")


def _nombre(paso: Paso) -> str:
    return f"{paso.titulo} ({paso.id})"


def _campo(modelo: Plan | Paso, campo: str) -> Pieza:
    dato = _llano(modelo).get(campo)
    if dato in (None, "", [], {}):
        return "—"
    return dato if isinstance(dato, str) else _json(dato)


def _llano(modelo: Plan | Paso) -> dict[str, JsonValue]:
    llano: dict[str, JsonValue] = modelo.model_dump(mode="json", exclude_defaults=True)
    return llano


def _json(dato: JsonValue) -> Html:
    return elemento("pre", json.dumps(dato, ensure_ascii=False, indent=1))
