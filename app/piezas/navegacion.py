"""The links between views, at the top of each one: quiet, and in the order in which the work goes."""

from __future__ import annotations

from html import escape

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.permisos import PAGINAS
from app.piezas import enlaces, sesion
from nucleo.personas.modelo import Usuario

LISTA_DE_LA_QUE_VIENE = "lista_de_la_que_viene"
"""Key in the session: the parameters of the list, to come back to it from anywhere."""
ROTULOS = {
    None: "Oportunidades",
    enlaces.BANDEJA: "Bandeja",
    enlaces.RECORRIDOS: "Recorridos",
    enlaces.PERFIL: "Perfil",
    enlaces.AGENTES: "Agentes",
    enlaces.COLA: "Cola de IA",
    enlaces.USUARIOS: "Usuarios",
}


_VISTA = "vista_presente"
_RECIEN = "recien_llegado"


def anotar_vista(actual: str | None) -> None:
    """Remember which view this tab shows; call once per run, before showing it."""
    st.session_state[_RECIEN] = st.session_state.get(_VISTA, "") != actual
    st.session_state[_VISTA] = actual


def recien_llegado() -> bool:
    """Whether this tab has just come to the view it shows: what was half typed in it is gone."""
    return bool(st.session_state.get(_RECIEN, True))


def enlaces_entre_vistas(inicio: StreamlitPage, actual: str | None) -> None:
    """One link per view; the present one in bold. Going back to the list finds it as it was left."""
    usuario = sesion.quien()
    with st.container(key="navegacion", horizontal=True, gap="small"):
        de_la_lista = enlaces.RECORRIDOS if actual == enlaces.RECORRIDO else actual
        for vista, rotulo in ROTULOS.items():
            if not usuario.rol.alcanza(PAGINAS[vista]):
                continue
            consulta = {enlaces.VISTA: vista} if vista else st.session_state.get(LISTA_DE_LA_QUE_VIENE, {})
            st.page_link(
                inicio,
                label=f"**{rotulo}**" if vista == de_la_lista else rotulo,
                query_params=consulta,
                width="content",
            )
        _salida(usuario)


def _salida(usuario: Usuario) -> None:
    """Who is here, and the way out: a form, since only what is sent from a page of ours closes a session."""
    st.html(
        f'<form class="salida" method="post" action="/salir"><span>{escape(usuario.nombre)} · {usuario.rol}</span>'
        ' <a href="/entrar/clave" target="_self">Contraseña</a> <button type="submit">Salir</button></form>'
    )
