"""The controls of a form, drawn from its description."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import streamlit as st

from app.piezas.formulario import Campo, Control, Escrito
from app.piezas.texto import neutralizar, plano
from nucleo.recorridos.artefactos.modelo import Artefacto
from nucleo.recorridos.llano import ENTERO_MAXIMO

TEXTO_MAX = 8_000
SIN_CONTESTAR = "Sin contestar"
CORTO = 40
"""Characters under which options go side by side."""
DESDE, HASTA = date(1900, 1, 1), date(2200, 12, 31)
EXTENSIONES = {
    "txt": "text/plain",
    "md": "text/markdown",
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "xml": "application/xml",
    "svg": "image/svg+xml",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "pdf": "application/pdf",
    "zip": "application/zip",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}
"""Ends of names → kinds of file that are kept."""


def dibujar(campo: Campo, clave: str, artefactos: tuple[Artefacto, ...]) -> Escrito:
    """The control of any field but its new file (`subir`), and what it holds."""
    match campo.control:
        case Control.ARTEFACTO:
            return _guardado(campo, clave, artefactos)
        case Control.RADIO | Control.DESPLEGABLE:
            return _elegir(campo, clave)
        case Control.SI_NO:
            dicho = _radio(campo, {"si": campo.si, "no": campo.no}, clave)
            return None if dicho is None else dicho == "si"
    return _escribir(campo, clave)


def _escribir(campo: Campo, clave: str) -> Escrito:
    rotulo, ayuda = _rotulo(campo), neutralizar(campo.ayuda) or None
    match campo.control:
        case Control.FECHA:
            return st.date_input(rotulo, None, DESDE, HASTA, format="DD/MM/YYYY", key=clave, help=ayuda)
        case Control.ENTERO:
            limite = ENTERO_MAXIMO
            return st.number_input(rotulo, -limite, limite, None, 1, key=clave, help=ayuda)
        case Control.LINEA:
            return st.text_input(rotulo, key=clave, max_chars=60, help=ayuda, placeholder=campo.ejemplo)
    return st.text_area(
        rotulo, key=clave, max_chars=TEXTO_MAX, height=96, help=ayuda, placeholder=campo.ejemplo
    )


def subir(campo: Campo, clave: str) -> tuple[str, bytes] | None:
    """A file to bring along: its name and its bytes."""
    fichero = st.file_uploader(
        f"{_rotulo(campo)}: fichero nuevo", type=list(EXTENSIONES), max_upload_size=20, key=clave
    )
    return (fichero.name, fichero.getvalue()) if fichero is not None else None


def tipo_de_fichero(nombre: str) -> str:
    """The kind that the end of the name says; the store looks at the bytes."""
    return EXTENSIONES.get(nombre.rpartition(".")[2].lower(), "application/octet-stream")


def _guardado(campo: Campo, clave: str, artefactos: tuple[Artefacto, ...]) -> str | None:
    nombres = {a.id: plano(f"{a.nombre} ({a.id[-6:]})") for a in artefactos}
    return st.selectbox(
        _rotulo(campo),
        list(nombres),
        index=None,
        format_func=nombres.__getitem__,
        placeholder="Uno de los que ya tiene" if nombres else "El recorrido no tiene ficheros todavía",
        key=clave,
        help=neutralizar(campo.ayuda) or None,
    )


def _elegir(campo: Campo, clave: str) -> str | None:
    if campo.control is Control.RADIO:
        return _radio(campo, {o: o for o in campo.opciones}, clave)
    return st.selectbox(
        _rotulo(campo),
        campo.opciones,
        index=None,
        key=clave,
        help=neutralizar(campo.ayuda) or None,
        placeholder="Elige una opción",
    )


def _radio(campo: Campo, nombres: Mapping[str, str], clave: str) -> str | None:
    """Its options by value; a radio cannot be left blank again, so an optional one has a way to."""
    puestas = {valor: neutralizar(nombre) for valor, nombre in nombres.items()}
    if not campo.requerido:
        puestas[""] = SIN_CONTESTAR
    elegida = st.radio(
        _rotulo(campo),
        list(puestas),
        index=None if campo.requerido else len(puestas) - 1,
        format_func=puestas.__getitem__,
        key=clave,
        help=neutralizar(campo.ayuda) or None,
        horizontal=all(len(p) < CORTO for p in puestas.values()),
    )
    return elegida or None


def _rotulo(campo: Campo) -> str:
    """Its name, as Markdown. A reader of screens says this very text, so parentheses go without escapes: with every
    bracket escaped they are nobody's link."""
    return neutralizar(campo.rotulo).replace(r"\(", "(").replace(r"\)", ")") + (
        "" if campo.requerido else " (opcional)"
    )
