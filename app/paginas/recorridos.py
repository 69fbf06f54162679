"""Recorridos: every guided run, newest first, with what waits for a person in each."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.piezas import base, enlaces, formato, recorridos
from app.piezas.situaciones import RECORRIDOS, distintivo
from app.piezas.texto import neutralizar
from nucleo.errores import ErrorSobre
from nucleo.recorridos import lectura
from nucleo.recorridos.estado import EstadoRecorrido
from nucleo.recorridos.lectura.modelo import FiltroRecorridos, Resumen

FILAS = 50
TEXTO_MAX = 160
_P = "r_"
_APLICADO = "recorridos_aplicado"
ARCHIVADOS = "archivados"
SIN_NINGUNO = (
    "**Aún no hay ningún recorrido.** Los crea un agente (`recorrido_crear`), una persona con `sobre recorrido crear`,"
    " o el programa al decidir sobre una licitación. `docs/recorridos.md` explica qué son."
)


def mostrar(inicio: StreamlitPage) -> None:
    """The whole view."""
    parametros = st.query_params.to_dict()
    filtro = leer_filtro(parametros)
    with base.nucleo() as con:
        visto = lectura.ultimo_cambio(con)
    with st.container(key="vista"):
        st.header("Recorridos", anchor=False)
        st.caption("Lo que espera a una persona está en la bandeja; aquí están todos, los últimos primero.")
        _controles(filtro)
        with recorridos.cliente() as cliente:
            try:
                pagina = cliente.listar(filtro)
            except ErrorSobre as error:
                st.error(neutralizar(error.mensaje))
                return
        _lista(inicio, pagina.recorridos, filtro)
        if pagina.siguiente is not None or filtro.antes is not None:
            _paginas(inicio, parametros, pagina.siguiente)
    recorridos.vigilar(None, visto)


def leer_filtro(parametros: dict[str, str]) -> FiltroRecorridos:
    """What a link says; what is not understood is left out, as if it did not say it."""
    nombres = [n for n in parametros.get("estado", "").split(",") if n in set(EstadoRecorrido)]
    return FiltroRecorridos(
        estados=tuple(EstadoRecorrido(n) for n in nombres),
        texto=parametros.get("texto", "")[:TEXTO_MAX],
        archivados=parametros.get(ARCHIVADOS) == "1",
        antes=parametros.get("antes") or None,
        limite=FILAS,
    )


def _controles(filtro: FiltroRecorridos) -> None:
    _poner(filtro)
    with st.container(key="controles", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.multiselect(
            "Estado",
            [e.value for e in EstadoRecorrido],
            format_func=lambda e: RECORRIDOS[EstadoRecorrido(e)].palabra,
            key=_P + "estado",
            placeholder="Todos",
            on_change=_al_enlace,
            width=320,
        )
        st.text_input(
            "Título",
            key=_P + "texto",
            max_chars=TEXTO_MAX,
            placeholder="Parte del título",
            on_change=_al_enlace,
            width=280,
        )
        st.checkbox("Archivados", key=_P + ARCHIVADOS, on_change=_al_enlace)


def _poner(filtro: FiltroRecorridos) -> None:
    """A link that the controls did not write sets them."""
    del_enlace = _escrito(filtro.estados, filtro.texto, archivados=filtro.archivados)
    if st.session_state.get(_APLICADO) == del_enlace and _P + "texto" in st.session_state:
        return
    st.session_state[_APLICADO] = del_enlace
    st.session_state[_P + "estado"] = [e.value for e in filtro.estados]
    st.session_state[_P + "texto"] = filtro.texto
    st.session_state[_P + ARCHIVADOS] = filtro.archivados


def _escrito(estados: Sequence[str], texto: str, *, archivados: bool) -> dict[str, str]:
    dicho = {"estado": ",".join(estados), "texto": texto.strip(), ARCHIVADOS: "1" if archivados else ""}
    return {nombre: valor for nombre, valor in dicho.items() if valor}


def _al_enlace() -> None:
    """What the controls say becomes the link, back at the first page."""
    estado = st.session_state
    nuevo = _escrito(estado[_P + "estado"], estado[_P + "texto"], archivados=estado[_P + ARCHIVADOS])
    estado[_APLICADO] = nuevo
    st.query_params.from_dict({enlaces.VISTA: enlaces.RECORRIDOS} | nuevo)


def _lista(inicio: StreamlitPage, hallados: Sequence[Resumen], filtro: FiltroRecorridos) -> None:
    if not hallados:
        con_filtro = filtro != FiltroRecorridos(limite=FILAS)
        st.info("Ningún recorrido cumple todo eso." if con_filtro else SIN_NINGUNO)
        return
    with st.container(key="lista_recorridos", gap=None):
        for uno in hallados:
            with st.container(key=f"fila_{uno.id}", gap=None):
                st.page_link(inicio, label=neutralizar(uno.titulo), query_params=enlaces.a_recorrido(uno.id))
                st.markdown(_detalle(uno))
                st.markdown("\n".join(f"- {dato}" for dato in _a_la_derecha(uno)))


def _detalle(uno: Resumen) -> str:
    esperan = {0: "nada espera a una persona", 1: "**1 cosa espera a una persona**"}.get(
        uno.esperan, f"**{uno.esperan} cosas esperan a una persona**"
    )
    objeto = f" · {neutralizar(uno.dominio)} {neutralizar(uno.objeto_id, 80)}" if uno.objeto_id else ""
    return f"{distintivo(RECORRIDOS[uno.estado])} {esperan} · coordina {neutralizar(uno.coordinador, 60)}{objeto}"


def _a_la_derecha(uno: Resumen) -> tuple[str, str, str]:
    vence = f"**vence {formato.fecha(uno.vence)}**" if uno.vence else "**sin plazo**"
    return (
        f"{vence} *creado el {formato.fecha(uno.creado)}*",
        f"**{uno.resueltos} de {uno.pasos}** *pasos resueltos*",
        f"movido el {formato.fecha_hora(uno.actualizado)}",
    )


def _paginas(inicio: StreamlitPage, parametros: dict[str, str], siguiente: str | None) -> None:
    sin_antes = {k: v for k, v in parametros.items() if k != "antes"}
    with st.container(key="paginador_abajo", horizontal=True, width="content", gap="small"):
        if "antes" in parametros:
            st.page_link(inicio, label="Los últimos", query_params=sin_antes)
        if siguiente is not None:
            st.page_link(inicio, label="Anteriores", query_params=sin_antes | {"antes": siguiente})
