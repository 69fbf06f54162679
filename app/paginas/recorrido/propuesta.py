"""A plan that an agent proposes, against the one that there is, for a person to accept or to discard."""

from __future__ import annotations

import streamlit as st

from app.paginas.recorrido.foto import Foto
from app.paginas.recorrido.mandar import mandar
from app.piezas.cambio_plan import ver_cambio
from app.piezas.grafo import mermaid
from app.piezas.texto import neutralizar
from nucleo.recorridos.comandos import Comando, TipoComando


def propuesta(foto: Foto) -> None:
    """Nothing when there is none."""
    abierta = foto.recorrido.propuesta
    if abierta is None:
        return
    with st.container(border=True, key="propuesta"):
        st.subheader("Hay otro plan propuesto", anchor=False)
        st.markdown(
            f"Lo propone **{neutralizar(abierta.autor.nombre, 80)}**: «{neutralizar(abierta.motivo, 4000)}»."
            " El recorrido está en pausa hasta que alguien decida."
        )
        ver_cambio(foto.plan, abierta.plan)
        with st.expander("Cómo quedaría"):
            st.mermaid_chart(
                mermaid(abierta.plan, foto.recorrido.pasos),
                alt="Grafo del plan propuesto; la tabla dice lo que cambia",
            )
        with st.container(horizontal=True):
            aceptar = st.button("Aceptar el plan", type="primary", key="aceptar_plan")
            descartar = st.button("Descartarlo y seguir con el de antes", key="descartar_plan")
        if aceptar:
            _decidir(foto, TipoComando.ACEPTAR_PLAN, "Plan aceptado: el recorrido sigue.")
        elif descartar:
            _decidir(foto, TipoComando.DESCARTAR_PLAN, "Plan descartado: el recorrido sigue como estaba.")


def _decidir(foto: Foto, tipo: TipoComando, hecho: str) -> None:
    orden = Comando(comando_id="sin-poner", tipo=tipo, revision=foto.recorrido.revision)
    mandar(foto.cliente, foto.recorrido.id, orden, hecho)
