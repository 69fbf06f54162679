"""Who is looking at the page, asked again in every run: a socket outlives a session, and a tab may change hands."""

from __future__ import annotations

import streamlit as st

from app.entrar import galletas
from app.piezas import base
from nucleo.errores import ErrorSobre
from nucleo.personas import servicio
from nucleo.personas.modelo import Rol, SesionViva, Usuario

_DE = "sesion_de_esta_pestana"
_TERMINADA = "Tu sesión ha terminado: entra otra vez para seguir."


class SinPermiso(ErrorSobre):
    """This person may not do that."""

    codigo = "sin_permiso"


def abrir() -> bool:
    """Whether there is a session; call first in every run. What a former user left in this tab is thrown away."""
    sesion = _buscar()
    huella = None if sesion is None else sesion.huella
    if st.session_state.get(_DE) not in (None, huella):
        st.session_state.clear()
    if huella is not None:
        st.session_state[_DE] = huella
    return huella is not None


def cerrada() -> None:
    """What stays on the screen when a session ends."""
    st.info("Sesión cerrada. Lo que había en esta página se ha borrado de la pantalla.")
    st.html('<a href="/entrar" target="_self">Entrar otra vez</a>')


def de_esta_pestana() -> str:
    """Hash of the session of this run, for what is done later in another thread. Raises SinPermiso without one."""
    huella: str | None = st.session_state.get(_DE)
    if huella is None:
        raise SinPermiso(_TERMINADA)
    return huella


def quien(huella: str | None = None) -> Usuario:
    """The person of that session (by default, of this run), asked of the store now. Raises SinPermiso when it ended."""
    with base.nucleo() as con:
        sesion = servicio.viva(con, huella or de_esta_pestana(), base.ahora())
    if sesion is None:
        raise SinPermiso(_TERMINADA)
    return sesion.usuario


def desde() -> str:
    """The address from which this page is being looked at, as the server (or the proxy it trusts) says."""
    return st.context.ip_address or "127.0.0.1"  # Streamlit says nothing of this machine's own


def exigir(minimo: Rol) -> Usuario:
    """The person of this run, who has at least that role. Raises SinPermiso."""
    usuario = quien()
    if not usuario.rol.alcanza(minimo):
        raise SinPermiso(
            f"Tu cuenta es de {usuario.rol}: para esto hace falta ser {minimo}. Pídeselo a quien administra."
        )
    return usuario


def puede(minimo: Rol) -> bool:
    """Whether to offer something to this person; doing it asks again."""
    return quien().rol.alcanza(minimo)


def _buscar() -> SesionViva | None:
    token = _token()
    if token is None:
        return None
    with base.nucleo() as con:
        sesion = servicio.sesion_de(con, token, base.ahora())
    return sesion if sesion is not None and not sesion.usuario.cambiar_clave else None


def _token() -> str | None:
    cookies = st.context.cookies
    return cookies.get(galletas.NOMBRE_SEGURO) or cookies.get(galletas.NOMBRE)
