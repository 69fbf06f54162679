"""What a person may do when a step is stuck: try it again, knowing what happened, or go on without it."""

from __future__ import annotations

import streamlit as st

from app.paginas.recorrido.foto import Foto
from app.paginas.recorrido.mandar import mandar
from app.paginas.recorrido.mirada import MOTIVO_MAX, PLEGADO, Mirada, sobre_el_paso
from app.piezas.texto import neutralizar
from nucleo.recorridos.comandos import TipoComando
from nucleo.recorridos.estado import Situacion
from nucleo.recorridos.plan import Paso


def reintentar(foto: Foto, mirada: Mirada) -> None:
    """A failed step is tried again; a doubtful one, only by who says how it was checked."""
    estado = foto.recorrido.pasos.get(mirada.paso.id)
    ultimo = estado.ultimo if estado else None
    dudoso = estado is not None and estado.estado is Situacion.DUDOSO
    if dudoso:
        st.markdown(
            ":orange-badge[\\? Dudoso] El intento dejó de dar señales: **puede haber empezado, o incluso terminado**."
            f" Antes de repetirlo, comprueba {donde_mirar(foto, mirada.paso)}. Si sigue vivo, su resultado todavía se"
            " admite: no hagas nada."
        )
    elif ultimo is not None:
        st.markdown(f":red-badge[✗ Fallido] {neutralizar(ultimo.mensaje, MOTIVO_MAX)}")
    with st.form(mirada.clave("reintentar"), enter_to_submit=False):
        rotulo = "Qué has comprobado" if dudoso else "Qué ha cambiado (opcional)"
        motivo = st.text_area(rotulo, key=mirada.clave("porque_reintentar"), max_chars=MOTIVO_MAX, height=80)
        boton = "He comprobado que no se hizo: repetirlo" if dudoso else "Reintentar"
        pulsado = st.form_submit_button(boton, type="primary")
    if pulsado and dudoso and not motivo.strip():
        st.error("Di qué has comprobado: queda en el expediente.")
    elif pulsado:
        orden = sobre_el_paso(mirada, TipoComando.REINTENTAR, motivo, reconciliado=dudoso)
        mandar(foto.cliente, mirada.recorrido, orden, "Se vuelve a intentar.")


def donde_mirar(foto: Foto, paso: Paso) -> str:
    """Who was working on it and where it can be looked for, as Markdown."""
    estado = foto.recorrido.pasos[paso.id]
    if estado.ultimo is None:
        return "quién lo llevaba"
    ref = estado.ultimo.ref
    sitios = [
        f"{nombre} {neutralizar(str(valor), 120)}"
        for nombre, valor in (
            ("la ejecución de Prefect", ref.prefect_run),
            ("la de Hermes", ref.hermes_run),
            ("el trabajo de la cola", ref.trabajo),
        )
        if valor is not None
    ]
    return " y ".join([f"qué hizo «{neutralizar(estado.ultimo.trabajador, 80)}»", *sitios])


def dispensar(foto: Foto, mirada: Mirada) -> None:
    """Folded: it is the last thing to think of."""
    plegado = mirada.clave(PLEGADO)
    with st.expander("Dispensar este paso (seguir sin él)", key=plegado, on_change="rerun"):
        with st.form(mirada.clave("dispensar"), enter_to_submit=False, border=False):
            st.caption("No dejará ninguna salida, y quedará dicho quién decidió seguir sin él y por qué.")
            motivo = st.text_area(
                "Por qué se puede seguir sin él",
                key=mirada.clave("porque_dispensar"),
                max_chars=MOTIVO_MAX,
                height=80,
            )
            pulsado = st.form_submit_button("Dispensar")
        if pulsado and not motivo.strip():
            st.error("Di por qué se puede seguir sin este paso.")
        elif pulsado:
            orden = sobre_el_paso(mirada, TipoComando.DISPENSAR, motivo)
            mandar(foto.cliente, mirada.recorrido, orden, "Dispensado.")
