"""Usuarios: who has an account, with which role, and what everybody did; only for who administers."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.permisos import Accion
from app.piezas import base, escritura, formato
from app.piezas.escritura import Firma
from app.piezas.tablas import celda, tabla
from app.piezas.texto import neutralizar
from nucleo.errores import ErrorSobre
from nucleo.personas import administrar, auditoria
from nucleo.personas.auditoria import Busqueda
from nucleo.personas.modelo import AltaUsuario, Rol, Usuario

HECHOS = 50
ROLES = {Rol.LECTOR: "Lector: solo mira", Rol.EDITOR: "Editor: decide y escribe", Rol.ADMIN: "Administra"}
_DICHO = "usuarios_dicho"
_CLAVE = "usuarios_clave"


def mostrar(inicio: StreamlitPage) -> None:
    """The whole view."""
    with base.nucleo() as con:
        usuarios = administrar.listar(con)
    with st.container(key="vista"):
        st.header("Usuarios", anchor=False)
        _decir()
        tabla(
            ("Usuario", "Nombre", "Rol", "Alta", "Estado"),
            (
                (celda(u.usuario), celda(u.nombre), u.rol.value, formato.fecha_hora(u.creado), _estado(u))
                for u in usuarios
            ),
        )
        _cambiar(usuarios)
        _alta()
        st.subheader("Qué se ha hecho", anchor=False)
        _hechos()


def _estado(usuario: Usuario) -> str:
    if usuario.desactivado is not None:
        return ":gray-badge[Desactivado]"
    return ":orange-badge[Debe cambiar la contraseña]" if usuario.cambiar_clave else ":green-badge[Activo]"


def _decir() -> None:
    if dicho := st.session_state.pop(_DICHO, None):
        st.error(neutralizar(dicho))
    if clave := st.session_state.pop(_CLAVE, None):
        st.success(
            "Contraseña de un solo uso: apúntala ahora, no se vuelve a mostrar. Al entrar habrá que cambiarla."
        )
        st.code(clave, language=None)


def _cambiar(usuarios: tuple[Usuario, ...]) -> None:
    por_nombre = {u.usuario: u for u in usuarios}
    with st.container(key="cambiar_usuario", horizontal=True, vertical_alignment="bottom"):
        nombre = st.selectbox("Cuenta", list(por_nombre), index=None, placeholder="Elige una", width=260)
        if nombre is None:
            return
        usuario = por_nombre[nombre]
        rol = st.selectbox(
            "Rol", list(Rol), list(Rol).index(usuario.rol), format_func=ROLES.__getitem__, width=240
        )
        if rol is not None and st.button("Cambiar el rol", disabled=rol is usuario.rol):
            _hacer(
                lambda f: administrar.cambiar_rol(f.con, nombre, rol, f.persona, base.ahora()),
            )
        if st.button("Nueva contraseña"):
            _hacer(
                lambda f: _guardar_clave(administrar.restablecer(f.con, nombre, f.persona, base.ahora())),
            )
        if st.button("Cerrar sus sesiones"):
            _hacer(
                lambda f: administrar.revocar_todas(f.con, nombre, f.persona, base.ahora()),
            )
        if usuario.desactivado is None and st.button("Desactivar"):
            _hacer(
                lambda f: administrar.desactivar(f.con, nombre, f.persona, base.ahora()),
            )
        if usuario.desactivado is not None and st.button("Activar"):
            _hacer(lambda f: administrar.activar(f.con, nombre, f.persona, base.ahora()))


def _alta() -> None:
    with st.expander("Dar de alta"), st.form("alta_usuario"):
        usuario = st.text_input(
            "Usuario", max_chars=64, help="Con lo que entra: letras, cifras, punto, guion o arroba."
        )
        nombre = st.text_input("Nombre", max_chars=120)
        rol = st.selectbox("Rol ", list(Rol), format_func=ROLES.__getitem__)
        if st.form_submit_button("Crear la cuenta") and rol is not None:
            _hacer(lambda f: _crear(f, usuario, nombre, rol))


def _crear(firma: Firma, usuario: str, nombre: str, rol: Rol) -> None:
    """The account and its one-time password, which only the new person will know once it is changed."""
    alta = AltaUsuario(usuario=usuario, nombre=nombre, rol=rol)
    _guardar_clave(administrar.invitar(firma.con, alta, firma.persona, base.ahora()))


def _guardar_clave(clave: str) -> None:
    st.session_state[_CLAVE] = clave


def _hacer(cambio: Callable[[Firma], object]) -> None:
    try:
        with escritura.en_personas(Accion.ADMINISTRAR_USUARIOS) as firma:
            cambio(firma)
    except ErrorSobre as error:
        st.session_state[_DICHO] = error.mensaje
    st.rerun()


def _hechos() -> None:
    texto = st.text_input("Buscar", max_chars=100, placeholder="Quién, qué o sobre qué", key="hechos_texto")
    with base.nucleo() as con:
        hechos = auditoria.buscar(con, Busqueda(texto=texto.strip() or None, limite=HECHOS))
    if not hechos:
        st.markdown("Nada todavía." if not texto else "Nada que lo diga.")
        return
    tabla(
        ("Cuándo", "Quién", "Qué", "Sobre qué", "Desde dónde"),
        (
            (formato.fecha_hora(h.cuando), celda(h.quien), celda(h.que), celda(h.objeto), celda(h.desde))
            for h in hechos
        ),
    )
