"""What a proposed plan changes, field by field, before a person accepts or discards it."""

from __future__ import annotations

import json

import streamlit as st

from app.piezas.situaciones import CLASES
from app.piezas.tablas import tabla
from app.piezas.texto import neutralizar
from nucleo.recorridos.motor import Diferencia, diferencia
from nucleo.recorridos.plan import Paso, Plan

LARGO_DE_VALOR = 600
CAMPOS = {
    "titulo": "título",
    "clase": "clase",
    "descripcion": "descripción",
    "trabajo": "trabajo",
    "dependencias": "va después de",
    "entradas": "entradas",
    "salidas": "salidas",
    "compuerta": "compuerta",
    "interaccion": "pregunta",
    "ejecutor": "quién lo hace",
    "rol": "papel mínimo",
    "rehacer_desde": "si se rechaza, se rehace desde",
    "max_rehechos": "veces que se puede rehacer",
    "trabajos": "trabajos",
    "plantilla": "plantilla",
    "peticion": "petición",
    "contexto": "contexto",
}


def ver_cambio(antes: Plan, despues: Plan) -> None:
    """A sentence and a table; every word of a plan is foreign."""
    cambio = diferencia(antes, despues)
    st.markdown(resumen(cambio))
    if lineas := filas(antes, despues, cambio):
        tabla(("Qué", "Dónde", "Antes", "Después"), lineas)


def resumen(cambio: Diferencia) -> str:
    """«2 pasos nuevos, 1 cambiado, ninguno quitado.»"""
    return (
        f"{_cuantos(len(cambio.anadidos), 'nuevo')}, {_cuantos(len(cambio.cambiados), 'cambiado')} y"
        f" {_cuantos(len(cambio.quitados), 'quitado')}."
    )


def filas(antes: Plan, despues: Plan, cambio: Diferencia) -> list[tuple[str, ...]]:
    """Whole first, then new, changed and removed steps."""
    viejos = {p.id: p for p in antes.pasos}
    nuevos = {p.id: p for p in despues.pasos}
    lineas: list[tuple[str, ...]] = [
        ("≠ Cambia", f"El plan: {CAMPOS.get(c, c)}", _valor(antes, c), _valor(despues, c))
        for c in cambio.plan
    ]
    lineas += [("+ Nuevo", _nombre(nuevos[i]), "—", _ficha(nuevos[i])) for i in cambio.anadidos]
    for c in cambio.cambiados:
        viejo, nuevo = viejos[c.paso], nuevos[c.paso]
        lineas += [
            (
                "≠ Cambia",
                f"{_nombre(nuevo)}: {CAMPOS.get(campo, campo)}",
                _valor(viejo, campo),
                _valor(nuevo, campo),
            )
            for campo in c.campos
        ]
    lineas += [("− Se quita", _nombre(viejos[i]), _ficha(viejos[i]), "—") for i in cambio.quitados]
    return lineas


def _cuantos(cuantos: int, que: str) -> str:
    return f"{cuantos or 'ningún'} paso{'s' if cuantos > 1 else ''} {que}{'s' if cuantos > 1 else ''}"


def _nombre(paso: Paso) -> str:
    return f"**{neutralizar(paso.titulo, 160)}** ({neutralizar(paso.id)})"


def _ficha(paso: Paso) -> str:
    despues_de = ", ".join(paso.dependencias) or "nada"
    pregunta = (
        f" · pregunta: {neutralizar(paso.interaccion.pregunta, LARGO_DE_VALOR)}" if paso.interaccion else ""
    )
    descripcion = f" · {neutralizar(paso.descripcion, LARGO_DE_VALOR)}" if paso.descripcion else ""
    return f"{CLASES[paso.clase]}, va después de {neutralizar(despues_de)}{pregunta}{descripcion}"


def _valor(modelo: Plan | Paso, campo: str) -> str:
    valor = modelo.model_dump(mode="json", exclude_defaults=True).get(campo)
    if valor in (None, "", [], {}):
        return "—"
    texto = valor if isinstance(valor, str) else json.dumps(valor, ensure_ascii=False)
    return neutralizar(texto, LARGO_DE_VALOR)
