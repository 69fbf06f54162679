"""Bandeja: everything that waits for a person, across runs, the nearest deadline first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.piezas import base, enlaces, formato, recorridos
from app.piezas.situaciones import Rotulo, distintivo
from app.piezas.texto import neutralizar
from nucleo.recorridos import lectura
from nucleo.recorridos.lectura.modelo import FiltroBandeja, Pendiente, Pide

FILAS = 100
DESDE = "desde"
"""Parameter of the link: how many are skipped."""
COMILLAS = str.maketrans("«»", "“”")
"""Those inside others."""
ROTULOS = {
    Pide.PREGUNTA: Rotulo("◆", "Pregunta", "violet"),
    Pide.DUDOSO: Rotulo("?", "Paso dudoso", "orange"),
    Pide.FALLIDO: Rotulo("✗", "Paso fallido", "red"),
    Pide.PROPUESTA: Rotulo("≠", "Plan propuesto", "blue"),
    Pide.PAUSA: Rotulo("‖", "En pausa", "gray"),
    Pide.ENTREGA: Rotulo("?", "Aviso incierto", "orange"),
}
QUE_HACER = {
    Pide.PREGUNTA: "Espera tu decisión.",
    Pide.DUDOSO: "Puede haber empezado: hay que comprobarlo antes de repetirlo.",
    Pide.FALLIDO: "No se pudo hacer: reintentar, dispensar o cambiar el plan.",
    Pide.PROPUESTA: "Hay otro plan propuesto: aceptar o descartar.",
    Pide.PAUSA: "Está en pausa: nada nuevo empieza hasta que alguien lo reanude.",
    Pide.ENTREGA: "No se sabe si quien coordina recibió el aviso.",
}
VACIA = (
    "**Nada espera por ti.** Aquí sale, por orden de plazo, lo que un recorrido pregunta a una persona, lo que falló y"
    " lo que quedó a medias. Los recorridos que siguen solos están en «Recorridos»."
)


def mostrar(inicio: StreamlitPage) -> None:
    """The whole view."""
    desde = _desde(st.query_params.get(DESDE, ""))
    with base.nucleo() as con:
        visto = lectura.ultimo_cambio(con)
    with recorridos.cliente() as cliente:
        hallados = cliente.bandeja(FiltroBandeja(desde=desde, limite=FILAS + 1)).pendientes
    with st.container(key="vista"):
        st.header("Bandeja", anchor=False)
        st.caption(_resumen(hallados, desde))
        if hallados:
            _lista(inicio, hallados[:FILAS])
        elif desde:
            st.info("No hay nada más: vuelve al principio.")
        else:
            st.info(VACIA)
        _paginas(inicio, desde, hay_mas=len(hallados) > FILAS)
    recorridos.vigilar(None, visto)


def _desde(escrito: str) -> int:
    """A number that is not one begins at the beginning."""
    return int(escrito) if escrito.isascii() and escrito.isdecimal() and len(escrito) < 9 else 0


def _resumen(hallados: Sequence[Pendiente], desde: int) -> str:
    if not hallados:
        return "Se renueva sola."
    cuantos = f"más de {FILAS}" if len(hallados) > FILAS else str(len(hallados))
    cosas = "cosa espera" if len(hallados) == 1 else "cosas esperan"
    donde = f", desde la {desde + 1}" if desde else ""
    return (
        f"{cuantos} {cosas} a una persona{donde} · por plazo; lo que no lo tiene, al final · se renueva sola"
    )


def _lista(inicio: StreamlitPage, pendientes: Sequence[Pendiente]) -> None:
    ahora = base.ahora()
    with st.container(key="lista_bandeja", gap=None):
        for numero, uno in enumerate(pendientes):
            with st.container(key=f"fila_bandeja_{numero}", gap=None):
                st.page_link(
                    inicio,
                    label=neutralizar(_titulo(uno), 300),
                    query_params=enlaces.a_recorrido(uno.recorrido, uno.paso),
                )
                st.markdown(_detalle(uno))
                st.markdown("\n".join(f"- {dato}" for dato in _a_la_derecha(uno, ahora)))
                if consulta := enlaces.a_objeto(uno.dominio, uno.objeto_id):
                    st.page_link(inicio, label="Ver la licitación", query_params=consulta)


def _titulo(uno: Pendiente) -> str:
    """The question itself when there is one; else the step, or the run."""
    if uno.pide is Pide.PREGUNTA and uno.pregunta:
        return uno.pregunta
    return uno.titulo_paso or uno.titulo


def _detalle(uno: Pendiente) -> str:
    """What it is, what to do, of which run, and what was said of it; as Markdown."""
    dentro = uno.pregunta.translate(COMILLAS)
    dicho = f" «{neutralizar(dentro, 200)}»" if dentro and uno.pide is not Pide.PREGUNTA else ""
    objeto = f" · {neutralizar(uno.dominio)} {neutralizar(uno.objeto_id, 80)}" if uno.objeto_id else ""
    papel = " · solo quien administra" if uno.rol == "admin" else ""
    de_que = f"{neutralizar(uno.titulo, 160)}{objeto}{papel}"
    return f"{distintivo(ROTULOS[uno.pide])} {QUE_HACER[uno.pide]}{dicho} · {de_que}"


def _a_la_derecha(uno: Pendiente, ahora: datetime) -> tuple[str, str]:
    if uno.vence is None:
        plazo = "**sin plazo**"
    else:
        fuera = "fuera de plazo" if uno.vence <= ahora else formato.faltan(uno.vence, ahora)
        plazo = f"**{fuera}** *{formato.fecha_hora(uno.vence)}*"
    return (
        plazo,
        f"**espera desde hace {formato.duracion(ahora - uno.desde)}** *{formato.fecha_hora(uno.desde)}*",
    )


def _paginas(inicio: StreamlitPage, desde: int, *, hay_mas: bool) -> None:
    if not desde and not hay_mas:
        return
    with st.container(key="paginador_abajo", horizontal=True, width="content", gap="small"):
        sitio = {enlaces.VISTA: enlaces.BANDEJA}
        if desde:
            st.page_link(inicio, label="Al principio", query_params=sitio)
        if hay_mas:
            st.page_link(inicio, label="Siguientes", query_params=sitio | {DESDE: str(desde + FILAS)})
