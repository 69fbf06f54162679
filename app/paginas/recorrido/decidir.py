"""What a person decides at a step: question, context and what comes after, and the forms that it admits now."""

from __future__ import annotations

import streamlit as st

from app.paginas.recorrido.arreglar import dispensar, reintentar
from app.paginas.recorrido.foto import Foto
from app.paginas.recorrido.mirada import MOTIVO_MAX, Mirada, avisar_si_cambio, quien_decidio
from app.paginas.recorrido.responder import responder
from app.piezas.situaciones import PASOS
from app.piezas.texto import neutralizar
from app.piezas.valores_vistos import tabla_de_valores
from nucleo.recorridos.comandos import TipoComando
from nucleo.recorridos.estado import EstadoPaso, EstadoRecorrido, Situacion
from nucleo.recorridos.plan import ESTRUCTURA, MAQUINA, Paso

RESPUESTAS = frozenset((TipoComando.RESPONDER, TipoComando.APROBAR, TipoComando.RECHAZAR))


def decidir(foto: Foto, mirada: Mirada) -> None:
    """The whole tab."""
    with st.container(key="aviso_de_cambio"):  # always there, so that what follows keeps its place
        avisar_si_cambio(foto, mirada)
    _pregunta(mirada)
    verbos = mirada.verbos
    if RESPUESTAS & set(verbos):
        responder(foto, mirada)
    if TipoComando.REINTENTAR in verbos:
        reintentar(foto, mirada)
    if TipoComando.DISPENSAR in verbos:
        dispensar(foto, mirada)
    if not verbos:
        st.markdown(por_que_nada(foto, mirada.paso))


def _pregunta(mirada: Mirada) -> None:
    interaccion = mirada.paso.interaccion
    if interaccion is not None:
        st.markdown(f"**{neutralizar(interaccion.pregunta)}**")
        if interaccion.contexto:
            st.markdown(neutralizar(interaccion.contexto))
    elif mirada.paso.descripcion:
        st.markdown(neutralizar(mirada.paso.descripcion))
    if mirada.entradas and mirada.verbos:
        tabla_de_valores(mirada.entradas, mirada.paso.entradas)
    if interaccion is not None and interaccion.despues:
        st.caption(f"Después: {neutralizar(interaccion.despues)}")


def por_que_nada(foto: Foto, paso: Paso) -> str:
    """Why there is nothing to decide here, and who decided or has the ball."""
    estado = foto.recorrido.pasos[paso.id]
    if foto.recorrido.estado is EstadoRecorrido.PAUSADO and estado.estado is Situacion.ESPERANDO:
        return "El recorrido está en pausa: cuando siga, se podrá decidir aquí."
    palabra = foto.ultima_palabra(paso.id)
    if palabra is not None and (frase := quien_decidio(palabra)):
        return f"Nada que decidir aquí: {frase}"
    if estado.decidido_por:
        motivo = f": «{neutralizar(estado.resultado, MOTIVO_MAX)}»" if estado.resultado else ""
        return f"Lo decidió **{neutralizar(estado.decidido_por, 80)}**{motivo}."
    return _de_quien_es(paso, estado)


def _de_quien_es(paso: Paso, estado: EstadoPaso) -> str:
    palabra = PASOS[estado.estado].palabra.lower()
    if paso.clase in ESTRUCTURA:
        return "Este paso lo resuelve el programa según el plan."
    if estado.estado is Situacion.BLOQUEADO:
        return "Todavía no le toca: antes van otros pasos."
    if paso.clase in MAQUINA:
        resultado = f" Dijo: «{neutralizar(estado.resultado, MOTIVO_MAX)}»." if estado.resultado else ""
        return f"No hay nada que decidir: {palabra}.{resultado}"
    return f"Nada que puedas decidir: {palabra}."
