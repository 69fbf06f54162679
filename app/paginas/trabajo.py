"""One job of the queue: where it stands and why, its attempts, its cost, and what a person may do with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.paginas.costes import tabla_de_costes
from app.permisos import Accion
from app.piezas import base, enlaces, escritura, formato
from app.piezas.tablas import celda, tabla
from app.piezas.tablas import datos as tabla_de_datos
from app.piezas.texto import neutralizar
from nucleo.cola import servicio, vista
from nucleo.cola.gasto import almacen as gasto
from nucleo.cola.modelo import EstadoTrabajo, Trabajo
from nucleo.cola.reglas import Contexto
from nucleo.cola.vista import Ficha
from nucleo.errores import ErrorEntrada, ErrorSobre

CLASE_MIN, CLASE_MAX = -100, 100
SE_CANCELA = frozenset({EstadoTrabajo.PENDIENTE, EstadoTrabajo.EN_CURSO})
SE_REINTENTA = frozenset({EstadoTrabajo.FALLIDO, EstadoTrabajo.CANCELADO})
_DICHO = "cola_dicho"


def mostrar(inicio: StreamlitPage, pedido: str, contexto: Contexto, moneda: str) -> None:
    """Raises ErrorEntrada or NoEncontrado for the caller to say."""
    st.page_link(
        inicio,
        label="Volver a la cola",
        icon=":material/arrow_back:",
        query_params={enlaces.VISTA: enlaces.COLA},
    )
    if not pedido.isdecimal() or len(pedido) > 18:
        raise ErrorEntrada(f"«{pedido[:40]}» no es el número de un trabajo.")
    with base.nucleo() as con:
        ficha = vista.ficha(con, base.tipos_de_trabajo(), contexto, int(pedido), base.ahora())
        costes = gasto.sumar_objeto(con, ficha.trabajo.objeto)
    uno = ficha.trabajo
    st.header(f"Trabajo {uno.id} · {neutralizar(uno.tipo)} · {neutralizar(uno.objeto, 160)}", anchor=False)
    if dicho := st.session_state.pop(_DICHO, None):
        st.warning(neutralizar(dicho))
    _acciones(uno)
    tabla_de_datos(_datos(uno, ficha.motivo))
    st.subheader("Intentos", anchor=False)
    _intentos(ficha)
    st.subheader("Lo que ha costado su objeto", anchor=False)
    tabla_de_costes(costes, moneda)


def _datos(uno: Trabajo, espera: str | None) -> list[tuple[str, str]]:
    datos = [("Estado", uno.estado.replace("_", " "))]
    if uno.estado is EstadoTrabajo.PENDIENTE:
        datos.append(("Por qué espera", celda(espera) if espera else "Le toca enseguida."))
    return [
        *datos,
        ("Lo último", celda(uno.motivo or None)),
        ("Clase (la menor va antes)", str(uno.clase)),
        ("Vence", formato.fecha_hora(uno.vence) if uno.vence else celda(None)),
        ("Creado", formato.fecha_hora(uno.creado)),
        ("Terminado", formato.fecha_hora(uno.terminado) if uno.terminado else celda(None)),
        ("Fallos que cuentan", f"{uno.gastados} de {uno.intentos} intentos"),
    ]


def _acciones(uno: Trabajo) -> None:
    """Only what its state allows; what the queue refuses meanwhile is said."""
    with st.container(key="acciones", horizontal=True, vertical_alignment="bottom", gap="small"):
        if uno.estado in SE_REINTENTA and st.button("Reintentar"):
            _hacer(uno.id, lambda con: servicio.reintentar(con, uno.id, base.ahora()))
        if uno.estado in SE_CANCELA and st.button("Cancelar el trabajo"):
            _hacer(uno.id, lambda con: servicio.cancelar(con, uno.id, base.ahora()))
        if uno.estado is EstadoTrabajo.PENDIENTE:
            clase = st.number_input(
                "Clase", CLASE_MIN, CLASE_MAX, min(max(uno.clase, CLASE_MIN), CLASE_MAX), 1, width=140
            )
            if st.button("Cambiar la clase"):
                _hacer(uno.id, lambda con: servicio.priorizar(con, uno.id, int(clase)))


def _hacer(numero: int, cambio: Callable[[sqlite3.Connection], Trabajo]) -> None:
    try:
        with escritura.en_comun(Accion.MANDAR_EN_LA_COLA, f"trabajo {numero}") as firma:
            cambio(firma.con)
    except ErrorSobre as error:
        st.session_state[_DICHO] = error.mensaje
    st.rerun()


def _intentos(ficha: Ficha) -> None:
    if not ficha.intentos:
        st.markdown("Todavía ninguno.")
        return
    tabla(
        ("Nº", "Empezó", "Estado", "Perfil", "Modelo", "Instrucciones", "Causa", "Detalle"),
        (
            (
                str(i.numero),
                formato.fecha_hora(i.reservado),
                i.estado.replace("_", " "),
                celda(i.perfil),
                celda(modelo),
                celda(i.version),
                celda(i.causa.replace("_", " ") if i.causa else None),
                celda(i.detalle or None),
            )
            for i, modelo in zip(ficha.intentos, ficha.modelos, strict=True)
        ),
    )
