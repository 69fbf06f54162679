"""Plans for the pages: one with every class of step and every type of value, and one whose words are all hostile."""

from __future__ import annotations

import json
from typing import Any

from nucleo.recorridos.plan import Plan

PREGUNTA = {
    "pregunta": "¿A quién va dirigida la guía?",
    "contexto": "La guía de bienvenida se reparte el primer día.",
    "despues": "Con tu respuesta, un agente escribe el borrador.",
}


def puerto(nombre: str, tipo: str = "texto", requerido: bool = True, **mas: Any) -> dict[str, Any]:
    """A port."""
    return {"nombre": nombre, "tipo": tipo, "requerido": requerido, **mas}


def de_paso(nombre: str, paso: str, salida: str, tipo: str = "texto", **mas: Any) -> dict[str, Any]:
    """An input read from another step."""
    return puerto(nombre, tipo, **mas) | {"origen": {"de": "paso", "paso": paso, "salida": salida}}


def paso(ident: str, clase: str, *dependencias: str, titulo: str = "", **mas: Any) -> dict[str, Any]:
    """A step."""
    return {
        "id": ident,
        "titulo": titulo or ident,
        "clase": clase,
        "dependencias": list(dependencias),
        **mas,
    }


def ruta(destino: str, cuando: tuple[str, str, object] | None = None, etiqueta: str = "") -> dict[str, Any]:
    """A way out of a gate."""
    condicion = {"cuando": dict(zip(("paso", "salida", "valor"), cuando, strict=True))} if cuando else {}
    return {"destino": destino, "etiqueta": etiqueta, **condicion}


def leer(titulo: str, pasos: list[dict[str, Any]], **mas: Any) -> Plan:
    """The plan, as it would come in JSON."""
    return Plan.model_validate_json(json.dumps({"titulo": titulo, "pasos": pasos, **mas}))


def guia(titulo: str = "Guía de bienvenida") -> Plan:
    """Person chooses → agent drafts, beside a branch that is only for outsiders → person reviews → end."""
    publico = puerto(
        "publico",
        "opcion",
        opciones=["plantilla", "visitas"],
        formulario={"etiqueta": "Público", "ayuda": "Quién la va a leer"},
    )
    tono = puerto("tono", requerido=False, formulario={"etiqueta": "Tono", "ejemplo": "Cercano"})
    return leer(
        titulo,
        [
            paso("inicio", "inicio", titulo="Inicio"),
            paso(
                "elegir",
                "manual",
                "inicio",
                titulo="Elegir el público",
                interaccion=PREGUNTA,
                salidas=[publico, tono],
                trabajo="idea",
            ),
            paso(
                "segun",
                "compuerta",
                "elegir",
                titulo="Según el público",
                compuerta={
                    "tipo": "exclusiva",
                    "sentido": "abre",
                    "por_defecto": "borrador",
                    "rutas": [
                        ruta("avisar", ("elegir", "publico", "visitas"), "Visitas"),
                        ruta("borrador", None, "Plantilla"),
                    ],
                },
            ),
            paso("avisar", "agente", "segun", titulo="Avisar a recepción", trabajo="texto"),
            paso(
                "borrador",
                "agente",
                "segun",
                titulo="Escribir el borrador",
                trabajo="texto",
                salidas=[puerto("texto"), puerto("fichero", "artefacto", requerido=False)],
                entradas=[
                    de_paso("publico", "elegir", "publico", "opcion", opciones=["plantilla", "visitas"])
                ],
            ),
            paso(
                "revisar",
                "aprobacion",
                "borrador",
                titulo="Revisar el borrador",
                rehacer_desde="borrador",
                entradas=[de_paso("texto", "borrador", "texto")],
                interaccion={
                    "pregunta": "¿Vale este borrador?",
                    "despues": "Si no vale, se vuelve a escribir.",
                },
                trabajo="texto",
            ),
            paso(
                "juntar",
                "compuerta",
                "avisar",
                "revisar",
                titulo="Juntar",
                compuerta={"tipo": "exclusiva", "sentido": "cierra", "abre": "segun"},
            ),
            paso("fin", "fin", "juntar", titulo="Fin"),
        ],
        peticion="Haz una guía de bienvenida",
        trabajos=[{"id": "idea", "titulo": "Idea"}, {"id": "texto", "titulo": "Texto"}],
    )


def de_todo(titulo: str = "De todo", **mas: Any) -> Plan:
    """One question with every type of value, beside a step of an agent that goes on meanwhile."""
    salidas = [
        puerto("titulo"),
        puerto("importe", "importe", formulario={"etiqueta": "Precio total"}),
        puerto("unidades", "entero"),
        puerto("indice", "numero", requerido=False),
        puerto(
            "urgente",
            "booleano",
            formulario={"etiqueta": "¿Corre prisa?", "si": "Sí, mucha", "no": "No, ninguna"},
        ),
        puerto("dia", "fecha", requerido=False),
        puerto("nombres", "lista", requerido=False),
        puerto("extra", "objeto", requerido=False),
        puerto("prueba", "artefacto", requerido=False),
    ]
    bloque = {"tipo": "paralela", "sentido": "abre", "rutas": [ruta("pedir"), ruta("buscar")]}
    return leer(
        titulo,
        [
            paso("inicio", "inicio", titulo="Inicio"),
            paso("a_la_vez", "compuerta", "inicio", titulo="A la vez", compuerta=bloque),
            paso("pedir", "manual", "a_la_vez", titulo="Pedir de todo", salidas=salidas),
            paso("buscar", "agente", "a_la_vez", titulo="Buscar ejemplos"),
            paso(
                "juntar",
                "compuerta",
                "pedir",
                "buscar",
                titulo="Juntar",
                compuerta={"tipo": "paralela", "sentido": "cierra", "abre": "a_la_vez"},
            ),
            paso("fin", "fin", "juntar", titulo="Fin"),
        ],
        **mas,
    )


def hostil(textos: tuple[str, ...]) -> Plan:
    """A text of those in every place of a plan that a page shows."""
    uno, dos, tres = textos[0], textos[1], textos[2]
    opciones = [t[:150] for t in textos]
    return leer(
        uno,
        [
            paso("inicio", "inicio", titulo=textos[-1][:160]),
            paso(
                "pedir",
                "manual",
                "inicio",
                titulo=dos[:160],
                descripcion=tres,
                trabajo="malo",
                interaccion={"pregunta": uno, "contexto": dos, "despues": tres},
                entradas=[puerto("antes") | {"origen": {"de": "literal", "valor": uno}}],
                salidas=[
                    puerto(
                        "eleccion",
                        "opcion",
                        opciones=opciones,
                        formulario={"etiqueta": uno[:160], "ayuda": dos[:240]},
                    ),
                    puerto(
                        "signo",
                        "booleano",
                        formulario={"etiqueta": tres[:160], "si": uno[:60], "no": dos[:60]},
                    ),
                    puerto("libre", formulario={"etiqueta": dos[:160], "ejemplo": uno[:160]}),
                ],
            ),
            paso("fin", "fin", "pedir", titulo=tres[:160]),
        ],
        peticion=uno,
        trabajos=[{"id": "malo", "titulo": uno[:160], "descripcion": dos}],
    )
