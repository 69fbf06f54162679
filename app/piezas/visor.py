"""Files of a run on screen: what is known of each, a look at it that can do nothing, and its text."""

from __future__ import annotations

from datetime import timedelta

import streamlit as st

from app.api.pase import direccion_de_vista
from app.piezas import base, formato, recorridos, sesion
from app.piezas.tablas import datos
from app.piezas.texto import neutralizar, plano
from nucleo.configuracion import configuracion
from nucleo.recorridos.api.lecturas import VISIBLES
from nucleo.recorridos.artefactos.modelo import Artefacto
from nucleo.recorridos.cliente import Cliente

ALTO = 480
CODIGO_MAX = 200_000
"""Characters of a text file that are shown."""
DE_TEXTO = frozenset((*(t for t in VISIBLES if not t.startswith("image/")), "image/svg+xml"))
_RENOVAR = timedelta(minutes=5)
_DIRECCIONES = "artefactos_direcciones"


def ver_artefactos(cliente: Cliente, artefactos: tuple[Artefacto, ...], clave: str) -> None:
    """One to choose, and all of it."""
    nombres = {a.id: plano(f"{a.nombre} ({a.id[-6:]})") for a in artefactos}
    elegido = st.selectbox("Fichero", list(nombres), format_func=nombres.__getitem__, key=f"{clave}_cual")
    uno = next(a for a in artefactos if a.id == elegido)
    datos(
        [
            ("Nombre", neutralizar(uno.nombre)),
            ("Tipo y tamaño", f"{neutralizar(uno.tipo_medio)}, {formato.entero(uno.bytes)} bytes"),
            ("Quién y cuándo", f"{neutralizar(uno.actor.nombre, 80)}, {formato.fecha_hora(uno.creado)}"),
            ("Huella (sha256)", neutralizar(uno.sha256)),
        ]
    )
    huella = sesion.de_esta_pestana()
    st.download_button(
        "Descargar",
        lambda: _bytes(huella, uno.id),
        uno.nombre,
        uno.tipo_medio,
        key=f"{clave}_bajar_{uno.id}",
        on_click="ignore",
    )
    _mirar(cliente, uno)


def _bytes(huella: str, artefacto: str) -> bytes:
    """Read when it is asked for, by then in another thread."""
    with recorridos.cliente(huella) as cliente:
        return cliente.abrir_artefacto(artefacto)


def _mirar(cliente: Cliente, uno: Artefacto) -> None:
    if uno.tipo_medio not in VISIBLES:
        st.caption("Este tipo de fichero no se puede mirar aquí: descárgalo.")
        return
    vista, texto = st.tabs(("Vista", "Código"), key=f"visor_{uno.id}", on_change="rerun")
    with vista:
        st.iframe(_direccion(uno), height=ALTO, alt=f"Vista de {plano(uno.nombre)}")
        st.caption("Lo escribió otro: aquí no puede ejecutar nada ni pedir nada fuera.")
    with texto:
        if not texto.open:  # read only when somebody wants it
            return
        if uno.tipo_medio in DE_TEXTO:
            escrito = cliente.abrir_artefacto(uno.id).decode("utf-8", "replace")
            st.code(escrito[:CODIGO_MAX], language=None, wrap_lines=True, height=ALTO)
            if len(escrito) > CODIGO_MAX:
                st.caption("Se muestra solo el principio; entero, en la descarga.")
        else:
            st.caption("Es una imagen: no tiene texto.")


def _direccion(uno: Artefacto) -> str:
    """The same address for some minutes, so that drawing the page again does not load the frame again."""
    ahora = base.ahora()
    guardadas = st.session_state.setdefault(_DIRECCIONES, {})
    if uno.id not in guardadas or ahora - guardadas[uno.id][0] > _RENOVAR:
        guardadas[uno.id] = (ahora, direccion_de_vista(configuracion().datos, uno.id, ahora))
    return str(guardadas[uno.id][1])
