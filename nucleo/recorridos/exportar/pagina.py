"""The evidence as one page that needs nothing else and does nothing: no script, no form, no reference outside."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from nucleo.recorridos.exportar.marcado import Html, elemento, juntar, pares, parrafo
from nucleo.recorridos.exportar.modelo import Evidencia, huella_de
from nucleo.recorridos.exportar.palabras import ESTADOS, codigo, cuando
from nucleo.recorridos.exportar.secciones import anejos, decisiones, pasos, planes

POLITICA = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Content-Security-Policy of the page, in case somebody changes it on the way: even so it can load and run nothing."""
INDICE = {
    "decisiones": "Decisiones de las personas",
    "pasos": "Pasos",
    "intentos": "Intentos",
    "planes": "Versiones del plan",
    "artefactos": "Artefactos",
    "enlaces": "Otros recorridos",
    "entregas": "Avisos y continuaciones",
    "rechazos": "Comandos rechazados",
    "actividad": "Todo lo que pasó",
}


def en_html(evidencia: Evidencia) -> str:
    """A whole HTML document in Spanish. Every text of the run is foreign: it goes escaped and its controls in sight."""
    titulo = evidencia.plan.titulo
    cabeza = elemento(
        "head",
        Html('<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{POLITICA}">'),
        Html('<meta name="referrer" content="no-referrer">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        elemento("title", f"{titulo}: evidencia"),
        elemento("style", _estilo()),
    )
    cuerpo = elemento(
        "body",
        _portada(evidencia, titulo),
        elemento(
            "main",
            decisiones.decisiones(evidencia),
            pasos.pasos(evidencia),
            pasos.intentos(evidencia),
            planes.planes(evidencia),
            anejos.artefactos(evidencia),
            anejos.enlaces(evidencia),
            anejos.entregas(evidencia),
            anejos.rechazos(evidencia),
            anejos.actividad(evidencia),
        ),
    )
    return f"<!doctype html>\n{elemento('html', cabeza, cuerpo, lang='es')}\n"


def _portada(evidencia: Evidencia, titulo: str) -> Html:
    r = evidencia.recorrido
    indice = elemento(
        "ul", *(elemento("li", elemento("a", nombre, href=f"#{ancla}")) for ancla, nombre in INDICE.items())
    )
    return elemento(
        "header",
        elemento("h1", titulo),
        parrafo("Evidencia de un recorrido de Sobre Abierto. No cambia sola: es lo que constaba al sacarla."),
        pares(
            (
                ("Estado", ESTADOS[r.estado]),
                ("Recorrido", codigo(r.id)),
                ("Dominio y objeto", f"{r.dominio} · {r.objeto_id or '—'}"),
                ("Plantilla", evidencia.plan.plantilla or "ninguna"),
                ("Coordina", r.coordinador),
                ("Plazo", cuando(r.vence)),
                ("Creado", cuando(r.creado)),
                ("Último cambio", cuando(r.actualizado)),
                ("Archivado", cuando(r.archivado)),
                (
                    "Revisión",
                    f"{r.revision}, con {r.secuencia} sucesos y el plan en su versión {r.plan_version}",
                ),
                ("SHA-256 de la evidencia en JSON", codigo(huella_de(evidencia))),
            )
        ),
        juntar(
            (
                parrafo(
                    "Lo que no redacta el programa (respuestas, informes de agentes, nombres de fichero) va tal cual. "
                    "Las horas son las de Madrid.",
                    clase="aviso",
                ),
            )
        ),
        elemento("nav", elemento("h2", "Índice"), indice),
    )


@lru_cache(maxsize=1)
def _estilo() -> Html:
    return Html(files(__package__).joinpath("estilo.css").read_text("utf-8"))
