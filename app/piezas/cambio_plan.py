"""What a proposed plan changes, field by field, before a person accepts or discards it."""

from __future__ import annotations

import json

import streamlit as st

from app.piezas.situaciones import CLASES
from app.piezas.tablas import tabla
from app.piezas.texto import neutralizar, plano
from nucleo.recorridos.motor import Diferencia, diferencia
from nucleo.recorridos.plan import Paso, Plan

LARGO_DE_VALOR = 4_000
"""Any text of a step fits. Of what does not, it is said how much is not shown."""
ANTES_DEL_CAMBIO = 60
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
DE_LA_FRASE = frozenset(("titulo", "clase", "dependencias"))
"""What a step's own sentence and name already tell."""


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
        ("≠ Cambia", f"El plan: {CAMPOS.get(c, c)}", *_par(antes, despues, c)) for c in cambio.plan
    ]
    lineas += [("+ Nuevo", _nombre(nuevos[i]), "—", _ficha(nuevos[i])) for i in cambio.anadidos]
    for c in cambio.cambiados:
        viejo, nuevo = viejos[c.paso], nuevos[c.paso]
        lineas += [
            ("≠ Cambia", f"{_nombre(nuevo)}: {CAMPOS.get(campo, campo)}", *_par(viejo, nuevo, campo))
            for campo in c.campos
        ]
    lineas += [("− Se quita", _nombre(viejos[i]), _ficha(viejos[i]), "—") for i in cambio.quitados]
    return lineas


def _cuantos(cuantos: int, que: str) -> str:
    return f"{cuantos or 'ningún'} paso{'s' if cuantos > 1 else ''} {que}{'s' if cuantos > 1 else ''}"


def _nombre(paso: Paso) -> str:
    return f"**{neutralizar(paso.titulo, 160)}** ({neutralizar(paso.id)})"


def _ficha(paso: Paso) -> str:
    """All that the step says: what is not told here is accepted unseen."""
    despues_de = ", ".join(paso.dependencias) or "nada"
    resto = [
        f"{CAMPOS[c]}: {_recortado(valor)}"
        for c in CAMPOS
        if c in Paso.model_fields and c not in DE_LA_FRASE and (valor := _valor(paso, c)) != "—"
    ]
    return " · ".join([f"{CLASES[paso.clase]}, va después de {neutralizar(despues_de)}", *resto])


def _par(viejo: Plan | Paso, nuevo: Plan | Paso, campo: str) -> tuple[str, str]:
    """Both whole, or from a little before where they part."""
    antes, despues = _valor(viejo, campo), _valor(nuevo, campo)
    if max(len(antes), len(despues)) <= LARGO_DE_VALOR:
        return _recortado(antes), _recortado(despues)
    iguales = next((i for i, (a, b) in enumerate(zip(antes, despues, strict=False)) if a != b), 0)
    desde = max(0, iguales - ANTES_DEL_CAMBIO)
    return _recortado(antes, desde), _recortado(despues, desde)


def _valor(modelo: Plan | Paso, campo: str) -> str:
    valor = modelo.model_dump(mode="json", exclude_defaults=True).get(campo)
    if valor in (None, "", [], {}):
        return "—"
    return plano(valor if isinstance(valor, str) else json.dumps(valor, ensure_ascii=False))


def _recortado(texto: str, desde: int = 0) -> str:
    trozo = texto[desde : desde + LARGO_DE_VALOR]
    faltan = len(texto) - desde - len(trozo)
    cola = f"… [{faltan} caracteres más, que no se ven aquí]" if faltan else ""
    return neutralizar(f"{'…' if desde else ''}{trozo}{cola}")
