"""Addresses: of our own views, and of the sites that a page may link to."""

from __future__ import annotations

from urllib.parse import quote

import streamlit as st

from app.piezas.texto import neutralizar
from dominios.licitaciones.radar.sincronizar.fuentes import HOSTS
from nucleo.errores import DestinoProhibido
from nucleo.red.destinos import crear_politica, examinar

VISTA = "vista"
LICITACION = "licitacion"
PERFIL = "perfil"
AGENTES = "agentes"
COLA = "cola"
BANDEJA = "bandeja"
RECORRIDOS = "recorridos"
RECORRIDO = "recorrido"
USUARIOS = "usuarios"
_DIRECCION = "direccion"
_POLITICA = crear_politica(HOSTS)


def a_licitacion(entrada_id: str) -> dict[str, str]:
    """Query of the page of a tender."""
    return {VISTA: LICITACION, "id": entrada_id}


def a_trabajo(trabajo_id: int) -> dict[str, str]:
    """Query of the page of a job of the queue."""
    return {VISTA: COLA, "id": str(trabajo_id)}


def a_recorrido(rid: str, paso: str | None = None) -> dict[str, str]:
    """Query of the page of a run, with one of its steps in view."""
    return {VISTA: RECORRIDO, "id": rid} | ({"paso": paso} if paso else {})


def a_objeto(dominio: str, objeto_id: str) -> dict[str, str] | None:
    """Query of the page of what a run is about; None when it has none."""
    return a_licitacion(objeto_id) if dominio == "licitaciones" and objeto_id else None


def direccion_segura(url: str | None) -> str | None:
    """The URL, rebuilt from its checked parts, when it is https and of a site we trust; else None.

    File names with spaces are published inside addresses: any browser would encode them, and so do we.
    """
    if url is None:
        return None
    try:
        return examinar(url.strip().replace(" ", "%20"), _POLITICA).url
    except DestinoProhibido:
        return None


def enlace_externo(rotulo: str, url: str | None) -> str:
    """Markdown of a link with our own label when the site is trusted; otherwise the address as plain text."""
    segura = direccion_segura(url)
    if segura is not None:
        return f"[{rotulo}]({quote(segura, safe=_EN_DESTINO)})"
    return f"{neutralizar(url, 160)} (sin enlace: sitio no verificado)" if url else "sin dirección"


# Whatever could end a Markdown link or begin something else goes percent-encoded.
_EN_DESTINO = ":/?&=%#,;@+~-._!'"


def mantener_direccion() -> None:
    """Write the address bar again when a link of ours was followed.

    Streamlit gives the script the parameters of a page link to the page it is on, but leaves the address as it was;
    whoever copied it would share another list.
    """
    parametros = st.query_params.to_dict()
    if st.session_state.get(_DIRECCION) != parametros:
        st.session_state[_DIRECCION] = parametros
        st.query_params.from_dict(parametros)
