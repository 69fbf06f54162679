"""The section of a tender's page where the criba explains itself, and where a person decides."""

from __future__ import annotations

import streamlit as st

from app.paginas.ficha import Ficha
from app.permisos import Accion
from app.piezas import base, escritura, formato, sesion
from app.piezas.tablas import celda, tabla
from app.piezas.tablas import datos as tabla_de_datos
from app.piezas.veredictos import ROTULOS, distintivo
from dominios.licitaciones.criba.consulta import MOTIVO_MAX, decidir
from dominios.licitaciones.criba.historia import Historia
from dominios.licitaciones.criba.modelo import Palabra, Situacion, Veredicto

SIN_JUZGAR = (
    "Nadie ha juzgado esta licitación: no ha pasado el prefiltro, o aún no le ha tocado."
    " Se puede decidir igual."
)


def criba(ficha: Ficha) -> None:
    """The verdict with what it rests on, what people said, and the form to decide."""
    historia = ficha.historia
    if historia is None:
        st.markdown(SIN_JUZGAR)
    else:
        _veredicto(historia)
        _palabras(historia)
    _formulario(ficha)


def _veredicto(historia: Historia) -> None:
    juzgada = historia.juzgada
    quien = "según una persona" if historia.palabras else "según el agente"
    st.markdown(f"{distintivo(historia.situacion)} {quien}")
    if juzgada is None:
        st.markdown("Ningún agente la ha juzgado.")
        return
    if juzgada.situacion is Situacion.PENDIENTE:
        st.markdown("Está preguntada: espera a que un agente conteste.")
        return
    autoria = historia.autoria
    tabla_de_datos(
        [
            ("Lo que dijo el agente", ROTULOS[juzgada.situacion]),
            ("Motivo", celda(juzgada.motivo or None)),
            ("Agente", celda(autoria.perfil if autoria else None)),
            ("Modelo", celda(autoria.modelo if autoria else None)),
            ("Instrucciones, versión", celda(juzgada.instrucciones)),
            ("Cuándo", formato.fecha_hora(juzgada.instante) if juzgada.instante else celda(None)),
            ("Perfil de la empresa, versión", celda(str(historia.perfil_version))),
            ("Trabajo de la cola", celda(str(autoria.trabajo_id) if autoria else None)),
        ]
    )
    _lineas(historia)


def _lineas(historia: Historia) -> None:
    st.subheader("Líneas del perfil en que se apoya", anchor=False)
    if historia.lineas:
        tabla(("Línea", "Texto"), ((celda(x.clave), celda(x.texto)) for x in historia.lineas))
    else:
        st.markdown("No cita ninguna.")


def _palabras(historia: Historia) -> None:
    st.subheader("Lo que han decidido las personas", anchor=False)
    if not historia.palabras:
        st.markdown("Nadie ha decidido nada todavía.")
        return
    tabla(
        ("Decisión", "Motivo", "Quién", "Cuándo"),
        (
            (
                ROTULOS[Situacion(p.veredicto.value)],
                celda(p.motivo or None),
                celda(p.persona),
                formato.fecha_hora(p.creada),
            )
            for p in historia.palabras
        ),
    )
    st.caption("Cuenta la primera de la tabla. Las anteriores no se borran.")


def _formulario(ficha: Ficha) -> None:
    st.subheader("Decidir", anchor=False)
    numero = ficha.oportunidad.id
    with st.form(f"decidir_{numero}", clear_on_submit=True):
        veredicto = st.radio(
            "Decisión",
            [v.value for v in Veredicto],
            format_func=lambda v: ROTULOS[Situacion(v)],
            index=None,
            horizontal=True,
        )
        motivo = st.text_area("Motivo", max_chars=MOTIVO_MAX, height=80, placeholder="Por qué (opcional)")
        pulsado = st.form_submit_button("Guardar la decisión")
        st.caption(
            f"Se anota como «{sesion.quien().usuario}». Tu palabra gana a la del agente; se puede volver a decidir."
        )
    if pulsado and veredicto is None:
        st.error("Elige antes qué decides: encaja, no encaja o duda.")
    elif pulsado:
        _guardar(numero, Veredicto(veredicto), motivo)


def _guardar(licitacion_id: int, veredicto: Veredicto, motivo: str) -> None:
    with escritura.en_licitaciones(Accion.DECIDIR_CRIBA, f"licitación {licitacion_id}") as firma:
        palabra = Palabra(
            veredicto=veredicto, motivo=" ".join(motivo.split()), persona=firma.persona, creada=base.ahora()
        )
        decidir(firma.con, licitacion_id, palabra)
    st.toast(f"Anotado: {ROTULOS[Situacion(veredicto.value)].lower()}.")
    st.rerun()
