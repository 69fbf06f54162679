"""What slipped past the criba and somebody followed won: which edit of which profile would have let it in."""

from __future__ import annotations

import sqlite3

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.permisos import Accion
from app.piezas import base, enlaces, escritura, formato
from app.piezas.texto import neutralizar
from dominios.licitaciones.criba.fallos import servicio
from dominios.licitaciones.criba.fallos.modelo import Cambio, Donde, Fallo, Quien

MOSTRADAS = 50
_DESCARTO = {Donde.PREFILTRO: "las reglas del prefiltro", Donde.CRIBA: "el agente de la criba"}
NINGUNA = (
    "Nada de lo descartado lo ha ganado la empresa ni un competidor que el perfil siga. Se mira en cada pasada de la"
    " criba, entre lo que se juzgó en su día y se ha adjudicado después."
)


def sin_atender(con: sqlite3.Connection) -> int:
    """How many wait for a person."""
    return sum(f.atendido is None for f in servicio.fallos(con))


def mostrar(inicio: StreamlitPage) -> None:
    """Those that nobody has looked at first."""
    with base.conexion() as con:
        todos = servicio.fallos(con)
    if not todos:
        st.markdown(NINGUNA)
        return
    st.caption("Ningún perfil cambia solo: haz aquí el cambio que veas bien, y da lo visto por atendido.")
    with st.container(key="escapadas"):
        for fallo in todos[:MOSTRADAS]:
            _uno(inicio, fallo)
    if len(todos) > MOSTRADAS:
        st.caption(f"Hay {len(todos)} en total: «sobre criba fallos» las lista todas.")


def _uno(inicio: StreamlitPage, fallo: Fallo) -> None:
    with st.container(key=f"escapada_{fallo.id}", border=True):
        st.page_link(
            inicio,
            label=neutralizar(fallo.objeto, 160) or "Sin objeto",
            query_params=enlaces.a_licitacion(fallo.entrada_id),
        )
        gano = (
            "la empresa"
            if fallo.quien is Quien.NOSOTROS
            else f"un competidor, {neutralizar(fallo.ganador, 120)}"
        )
        st.markdown(f"La ha ganado {gano}, y la descartó {_DESCARTO[fallo.donde]}.")
        propuestos = [_frase(c) for c in fallo.cambios] or ["No hay un cambio concreto que proponer."]
        st.markdown("\n".join(f"- {frase}" for frase in propuestos))
        if fallo.atendido is not None:
            st.caption(
                f"Atendida por {neutralizar(fallo.persona or '', 120)}, {formato.fecha_hora(fallo.atendido)}."
            )
        elif st.button("Dar por atendida", key=f"atender_{fallo.id}"):
            _atender(fallo.id)


def _frase(cambio: Cambio) -> str:
    valor = f" «{neutralizar(cambio.valor, 200)}»" if cambio.valor else ""
    porque = f" ({neutralizar(cambio.porque, 600)})" if cambio.porque else ""
    donde = f"Perfil de {neutralizar(cambio.perfil)}, {neutralizar(cambio.campo)}"
    return f"{donde}: **{neutralizar(cambio.accion)}**{valor}{porque}"


def _atender(numero: int) -> None:
    with escritura.en_licitaciones(Accion.ATENDER_FALLO, f"fallo {numero}") as firma:
        servicio.atender(firma.con, numero, firma.persona, base.ahora())
    st.rerun()
