"""The line that says how old what is shown is, source by source, kept up to date on its own."""

from __future__ import annotations

from datetime import timedelta

import streamlit as st

from app.piezas import base, etiquetas, formato

VIEJA = timedelta(hours=48)
"""An age from which a source deserves to be looked at: they move every working day."""


@st.fragment(run_every=60)
def linea_de_frescura() -> None:
    """One line with the age of each source; the old ones in another colour and with a word, not by colour alone."""
    ahora = base.ahora()
    fuentes = base.frescura()
    if not fuentes:
        st.caption("Aún no se ha leído ninguna fuente.")
        return
    partes = []
    for fuente in fuentes:
        edad = ahora - fuente.ultima
        parte = f"{etiquetas.fuente(fuente.fuente)} hace {formato.duracion(edad)}"
        partes.append(f":orange[{parte} (sin novedades)]" if edad > VIEJA else parte)
    st.caption("Publicado por las fuentes · " + " · ".join(partes))
