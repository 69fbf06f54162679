"""Every step of the present plan, with what went in and what came out."""

from __future__ import annotations

from nucleo.recorridos.estado import EstadoPaso
from nucleo.recorridos.exportar.marcado import Html, Pieza, elemento, juntar, parrafo, seccion, tabla
from nucleo.recorridos.exportar.modelo import Evidencia
from nucleo.recorridos.exportar.palabras import CLASES, SITUACIONES, codigo, cuando, valores
from nucleo.recorridos.plan import Paso

CABECERAS = ("Paso", "Estado", "Entró", "Salió")


def pasos(evidencia: Evidencia) -> Html:
    """A table per job, in the plan's order; steps of no job go first."""
    titulos = {t.id: t.titulo for t in evidencia.plan.trabajos}
    grupos: dict[str | None, list[Paso]] = {None: []} | {t: [] for t in titulos}
    for paso in evidencia.plan.pasos:
        grupos.setdefault(paso.trabajo, []).append(paso)
    return seccion(
        "pasos",
        "Pasos",
        *(
            juntar(
                (
                    elemento("h3", titulos.get(trabajo, trabajo) if trabajo else "Sin trabajo"),
                    tabla(CABECERAS, (_fila(evidencia, p) for p in suyos), "Ninguno."),
                )
            )
            for trabajo, suyos in grupos.items()
            if suyos
        ),
    )


def _fila(evidencia: Evidencia, paso: Paso) -> tuple[Pieza, ...]:
    estado = evidencia.recorrido.pasos[paso.id]
    return (
        juntar(
            (
                elemento("strong", paso.titulo),
                parrafo(codigo(paso.id), f" · {CLASES[paso.clase]}", clase="menor"),
            )
        ),
        juntar(
            (
                SITUACIONES[estado.estado],
                *(parrafo(frase, clase="menor") for frase in _detalles(evidencia, paso, estado)),
            )
        ),
        valores(estado.entradas, paso.entradas),
        valores(estado.salidas, paso.salidas),
    )


def _detalles(evidencia: Evidencia, paso: Paso, estado: EstadoPaso) -> list[str]:
    titulos = {p.id: p.titulo for p in evidencia.plan.pasos}
    frases = []
    if estado.ramas is not None:
        frases.append("Eligió: " + ", ".join(titulos.get(r, r) for r in estado.ramas))
    if estado.decidido_por:
        frases.append(f"Lo decidió {estado.decidido_por}")
    if estado.intento:
        frases.append(f"Intentos: {estado.intento}")
    if estado.rehechos:
        frases.append(f"Rechazado y rehecho: {estado.rehechos} de {paso.max_rehechos} veces")
    if estado.resultado:
        frases.append(estado.resultado)
    return frases


def intentos(evidencia: Evidencia) -> Html:
    """Every try at a machine step, the failed ones too."""
    titulos = {p.id: p.titulo for v in evidencia.planes for p in v.plan.pasos}
    filas = (
        (
            titulos.get(i.paso, i.paso),
            str(i.n),
            str(i.estado).replace("_", " "),
            i.trabajador,
            cuando(i.iniciado),
            cuando(i.terminado),
            juntar(
                (i.mensaje or "—", *(parrafo(r, clase="menor") for r in _referencias(i.ref.model_dump())))
            ),
        )
        for i in evidencia.intentos
    )
    cabeceras = ("Paso", "Nº", "Estado", "Quién", "Empezó", "Terminó", "Qué dijo")
    return seccion("intentos", "Intentos", tabla(cabeceras, filas, "Ningún paso de máquina se ha intentado."))


def _referencias(ref: dict[str, object]) -> list[str]:
    return [f"{nombre.replace('_', ' ')}: {dato}" for nombre, dato in ref.items() if dato is not None]
