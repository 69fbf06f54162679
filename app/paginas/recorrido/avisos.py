"""Notices to who leads the run: those that may have arrived, those that nobody can send, and texts to go with them."""

from __future__ import annotations

import streamlit as st

from app.paginas.recorrido.foto import Foto
from app.paginas.recorrido.mandar import intentar
from app.piezas import formato
from app.piezas.recorridos import clave_de
from app.piezas.texto import neutralizar, plano
from nucleo.recorridos.api.documentos import PeticionReconciliar
from nucleo.recorridos.comandos import EJECUTOR
from nucleo.recorridos.continuaciones.modelo import Continuacion, EstadoContinuacion
from nucleo.recorridos.continuaciones.servicio import PeticionContinuacion, PeticionSobreContinuacion
from nucleo.recorridos.entregas.modelo import Entrega, EstadoEntrega
from nucleo.recorridos.estado import TERMINALES

NOTA_MAX = 900


def avisos(foto: Foto) -> None:
    """What is open, each with its buttons."""
    for entrega in foto.vista.entregas:
        if entrega.estado is EstadoEntrega.INCIERTA:
            _incierta(foto, entrega)
        elif entrega.estado is EstadoEntrega.SIN_CONECTOR:
            _sin_conector(foto)


def _incierta(foto: Foto, entrega: Entrega) -> None:
    with st.container(border=True, key=f"incierta_{entrega.id}"):
        st.markdown(
            f":orange-badge[\\? Incierto] El aviso del {formato.fecha_hora(entrega.creada)} a"
            f" «{neutralizar(foto.recorrido.coordinador, 80)}» por «{neutralizar(entrega.conector or 'nadie', 60)}»"
            " **puede haber llegado**: no se repite solo. Comprueba si ha empezado algo."
        )
        with st.form(f"reconciliar_{entrega.id}", border=False, enter_to_submit=False):
            nota = st.text_input("Qué has comprobado", max_chars=NOTA_MAX, key=f"nota_{entrega.id}")
            with st.container(horizontal=True):
                si = st.form_submit_button("Llegó")
                no = st.form_submit_button("No llegó: que se envíe otra vez")
        if (si or no) and not nota.strip():
            st.error("Di qué has comprobado: queda en el expediente.")
        elif si or no:
            peticion = PeticionReconciliar(llego=bool(si), nota=nota.strip())
            intentar(lambda: foto.cliente.reconciliar(entrega.id, peticion), "Anotado.")


def _sin_conector(foto: Foto) -> None:
    quien = neutralizar(foto.recorrido.coordinador, 80)
    with st.expander(f"Copiar petición para «{quien}»: aquí no hay forma de avisarle"):
        st.code(peticion_para(foto), language=None, wrap_lines=True)
        st.caption("El botón de copiar está en la esquina. Dásela tú: en cuanto haga algo, se verá aquí.")


def peticion_para(foto: Foto) -> str:
    """What to give to an agent that nobody here can wake."""
    return (
        f"Sigue con el recorrido {foto.recorrido.id} («{plano(foto.plan.titulo)}»), que coordinas. Léelo con"
        " recorrido_leer, haz los pasos tuyos que estén en «listo» con recorrido_paso y ciérralos con lo que dejan y en"
        " qué te basas. Lo que esperan las personas no es cosa tuya."
    )


def continuaciones(foto: Foto) -> None:
    """Texts for an agent; when the installation leads, there is nobody to write to."""
    if foto.recorrido.coordinador == EJECUTOR.nombre:
        return
    abiertas = foto.vista.continuaciones
    if not abiertas and foto.recorrido.estado in TERMINALES:
        return
    cuantas = f" ({len(abiertas)})" if abiertas else ""
    with st.expander(f"Textos para quien coordina{cuantas}"):
        for una in abiertas:
            _continuacion(foto, una)
        if foto.recorrido.estado not in TERMINALES:
            _nueva(foto)


def _continuacion(foto: Foto, una: Continuacion) -> None:
    st.markdown(f"De **{neutralizar(una.autor.nombre, 80)}**, el {formato.fecha_hora(una.creada)}:")
    st.code(una.texto, language=None, wrap_lines=True)
    if una.estado is not EstadoContinuacion.BORRADOR:
        st.caption("En camino.")
        return
    rid = foto.recorrido.id
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Enviar", key=f"enviar_{una.id}"):
            peticion = PeticionSobreContinuacion(
                comando_id=clave_de(rid, "enviar", una.id), continuacion=una.id
            )
            intentar(lambda: foto.cliente.enviar(rid, peticion), "En camino.")
        if st.button("Descartar", key=f"descartar_{una.id}"):
            peticion = PeticionSobreContinuacion(
                comando_id=clave_de(rid, "descartar", una.id), continuacion=una.id
            )
            intentar(lambda: foto.cliente.descartar(rid, peticion), "Descartado.")
        st.caption("Copiar petición: el botón está en la esquina del texto.")


def _nueva(foto: Foto) -> None:
    rid = foto.recorrido.id
    with st.form("continuacion", enter_to_submit=False, border=False, clear_on_submit=False):
        numero = len(foto.vista.continuaciones)
        texto = st.text_area("Texto nuevo", max_chars=8_000, height=90, key=f"continuacion_{rid}_{numero}")
        pulsado = st.form_submit_button("Guardar el borrador")
    if pulsado and texto.strip():
        peticion = PeticionContinuacion(
            comando_id=clave_de(rid, "continuar", texto, numero), texto=texto.strip()
        )
        intentar(lambda: foto.cliente.continuar(rid, peticion), "Guardado como borrador.")
    elif pulsado:
        st.error("Escribe antes el texto.")
