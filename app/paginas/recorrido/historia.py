"""What has happened in a run, newest first, and what was refused in it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.paginas.recorrido.foto import Foto
from app.piezas import formato
from app.piezas.tablas import celda, tabla
from app.piezas.texto import neutralizar
from nucleo.recorridos.estado import Evento
from nucleo.recorridos.exportar.palabras import ACTORES, DECISIONES

FILAS = 100
SUCESOS = {
    "creado": "creó el recorrido",
    "ruta": "el plan siguió",
    "fin": "terminó",
    "artefacto": "dejó un fichero",
    "iniciar": "empezó",
    "anotar": "anotó",
    "completar": "completó",
    "fallar": "no pudo",
    "vencer": "dejó de dar señales",
    "proponer_plan": "propuso otro plan",
}
"""Kind of event → what happened, besides what people decide."""


def historia(foto: Foto) -> None:
    """Both tables, folded."""
    with st.expander("Historia del recorrido"):
        tabla_de_eventos(foto.eventos, "Todavía no ha pasado nada.")
        if foto.recorrido.secuencia > len(foto.eventos):
            st.caption("Solo lo último; entera, en el expediente que se descarga arriba.")
    if foto.vista.rechazos:
        with st.expander(f"Lo que se rechazó ({foto.vista.rechazos})"):
            _rechazos(foto)


def tabla_de_eventos(eventos: Sequence[Evento], sin_nada: str) -> None:
    """At most FILAS of them."""
    if not eventos:
        st.markdown(sin_nada)
        return
    tabla(("Cuándo", "Quién", "Qué", "Detalle"), [_fila(e) for e in reversed(eventos[-FILAS:])])


def _fila(evento: Evento) -> tuple[str, ...]:
    donde = f" ({neutralizar(evento.paso)})" if evento.paso else ""
    intento = f", intento {evento.intento}" if evento.intento else ""
    return (
        formato.fecha_hora(evento.en),
        f"{neutralizar(evento.actor.nombre, 80)}, {ACTORES[evento.actor.clase]}",
        f"{_que(evento)}{donde}{intento}",
        neutralizar(evento.mensaje, 600) or "—",
    )


def _que(evento: Evento) -> str:
    if evento.comando is not None and evento.comando.tipo in DECISIONES:
        return DECISIONES[evento.comando.tipo]
    return SUCESOS.get(evento.tipo) or neutralizar(evento.tipo)


def _rechazos(foto: Foto) -> None:
    hallados = foto.cliente.rechazos(foto.recorrido.id).rechazos
    tabla(
        ("Cuándo", "Quién", "Qué se pidió", "Por qué no"),
        [
            (
                formato.fecha_hora(r.en),
                celda(r.actor.nombre),
                celda(r.comando.tipo.value if r.comando else None),
                celda(r.mensaje),
            )
            for r in hallados
        ],
    )
