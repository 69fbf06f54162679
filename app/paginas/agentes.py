"""Agentes: who may come in by MCP, and the record of everything that they have called, searchable."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta

import streamlit as st
from pydantic import ValidationError
from streamlit.navigation.page import StreamlitPage

from app.mcp.herramientas import CATALOGO
from app.piezas import base, enlaces, formato
from app.piezas.tablas import celda, tabla
from app.piezas.texto import neutralizar
from nucleo.agentes import auditoria, servicio
from nucleo.agentes.modelo import Agente, Desenlace, FiltroLlamadas, Llamada
from nucleo.reloj import MADRID

FILAS = 50
LARGO_DE_ARGUMENTOS = 300
DESENLACES = {
    Desenlace.BIEN: ":green-badge[Bien]",
    Desenlace.RECHAZO: ":orange-badge[Rechazo]",
    Desenlace.FALLO: ":red-badge[Fallo]",
    Desenlace.SIN_PERMISO: ":red-badge[Sin permiso]",
    Desenlace.DESCONOCIDA: ":gray-badge[Desconocida]",
}
TEXTOS = ("agente", "herramienta", "texto")
DIAS = ("desde", "hasta")
NUMERO = "n"
"""Parameter of the link: from which call backwards."""
_P = "l_"
_APLICADO = "llamadas_aplicadas"
Parametros = Mapping[str, str]


def mostrar(inicio: StreamlitPage) -> None:
    """The whole view."""
    parametros = st.query_params.to_dict()
    filtro, malos = leer_filtro(parametros)
    with base.nucleo() as con:
        agentes = servicio.listar(con)
        halladas = auditoria.buscar(con, filtro)
    with st.container(key="vista"):
        st.header("Agentes", anchor=False)
        st.caption("Leen y proponen; decidir, poner precio y presentar es cosa de personas.")
        _quienes(agentes)
        st.subheader("Llamadas a las herramientas", anchor=False)
        _controles(parametros, agentes)
        if malos:
            st.warning("El enlace traía filtros que no se entienden y no se aplican: " + ", ".join(malos))
        _lista(inicio, halladas, parametros)


def leer_filtro(parametros: Parametros) -> tuple[FiltroLlamadas, tuple[str, ...]]:
    """The filter of a link, one row more than a page shows, and the parameters that say nothing valid."""
    valores: dict[str, object] = {"limite": FILAS + 1}
    malos = []
    for nombre in (*TEXTOS, *DIAS, "desenlace", NUMERO):
        escrito = parametros.get(nombre, "").strip()
        if not escrito:
            continue
        try:
            leido = _leer(nombre, escrito)
            FiltroLlamadas.model_validate(leido)
            valores |= leido
        except (ValidationError, ValueError, OverflowError):
            malos.append(nombre)
    return FiltroLlamadas.model_validate(valores), tuple(malos)


def _leer(nombre: str, escrito: str) -> dict[str, object]:
    """The field of one parameter. Days are of Madrid, both included. Raises ValueError."""
    if nombre == "desenlace":
        return {nombre: Desenlace(escrito)}
    if nombre == NUMERO:
        numero = int(escrito)
        if not 0 <= numero < 2**62:
            raise ValueError(escrito)
        return {"hasta_id": numero}
    if nombre in DIAS:
        dia = date.fromisoformat(escrito) + timedelta(days=int(nombre == "hasta"))
        return {nombre: datetime.combine(dia, time(), MADRID)}
    return {nombre: escrito[:200]}


def _quienes(agentes: tuple[Agente, ...]) -> None:
    if not agentes:
        st.info(
            "Aún no hay ningún agente. Se crea en la consola: «sobre agente crear licitaciones --permiso"
            " leer:licitaciones». El token se enseña una sola vez."
        )
        return
    tabla(
        ("Agente", "Estado", "Permisos", "Última visita"),
        (
            (
                celda(a.nombre),
                f"revocado el {formato.fecha_hora(a.revocado)}" if a.revocado else "puede entrar",
                celda(", ".join(sorted(a.permisos))),
                formato.fecha_hora(a.visto) if a.visto else "nunca",
            )
            for a in agentes
        ),
    )


def _controles(parametros: Parametros, agentes: tuple[Agente, ...]) -> None:
    _poner(parametros)
    herramientas = [h.nombre for h in CATALOGO.todas()]
    with st.container(key="controles", horizontal=True, vertical_alignment="bottom", gap="small"):
        _elegir("Agente", "agente", [a.nombre for a in agentes], 170)
        _elegir("Herramienta", "herramienta", herramientas, 230)
        _elegir("Desenlace", "desenlace", [d.value for d in Desenlace], 150)
        st.date_input("Desde", key=_P + "desde", format="DD/MM/YYYY", on_change=_al_enlace, width=140)
        st.date_input("Hasta", key=_P + "hasta", format="DD/MM/YYYY", on_change=_al_enlace, width=140)
        st.text_input(
            "Texto",
            key=_P + "texto",
            max_chars=200,
            placeholder="En la herramienta o en los argumentos",
            on_change=_al_enlace,
            width=260,
        )


def _elegir(rotulo: str, campo: str, opciones: list[str], ancho: int) -> None:
    puesta = st.session_state[_P + campo]
    st.selectbox(
        rotulo,
        list(dict.fromkeys([*opciones, *([puesta] if puesta else [])])),
        index=None,
        format_func=lambda valor: str(valor).replace("_", " ") if campo == "desenlace" else str(valor),
        placeholder="Todos" if campo != "herramienta" else "Todas",
        key=_P + campo,
        on_change=_al_enlace,
        width=ancho,
    )


def _poner(parametros: Parametros) -> None:
    """A link that the controls did not write (opened, shared, gone back to) sets them."""
    del_enlace = {k: v for k, v in parametros.items() if k not in {enlaces.VISTA, NUMERO}}
    if st.session_state.get(_APLICADO) == del_enlace and _P + "texto" in st.session_state:
        return
    st.session_state[_APLICADO] = del_enlace
    filtro, _ = leer_filtro(del_enlace)
    for campo in ("agente", "herramienta"):
        st.session_state[_P + campo] = getattr(filtro, campo)
    st.session_state[_P + "desenlace"] = filtro.desenlace.value if filtro.desenlace else None
    st.session_state[_P + "texto"] = filtro.texto or ""
    for campo in DIAS:
        puesto: datetime | None = getattr(filtro, campo)
        atras = timedelta(days=int(campo == "hasta"))
        st.session_state[_P + campo] = puesto.date() - atras if puesto else None


def _al_enlace() -> None:
    """What the controls say becomes the link, back at the first page."""
    estado = st.session_state
    nuevo = {campo: str(v).strip() for campo in (*TEXTOS, "desenlace") if (v := estado[_P + campo])}
    nuevo |= {campo: v.isoformat() for campo in DIAS if (v := estado[_P + campo])}
    estado[_APLICADO] = nuevo
    st.query_params.from_dict({enlaces.VISTA: enlaces.AGENTES} | nuevo)


def _lista(inicio: StreamlitPage, halladas: tuple[tuple[int, Llamada], ...], parametros: Parametros) -> None:
    if not halladas:
        st.info("Ninguna llamada cumple todo eso." if len(parametros) > 1 else "Todavía no hay llamadas.")
        return
    with st.container(key="llamadas"):
        tabla(
            ("Cuándo", "Agente y herramienta", "Desenlace", "Argumentos, sin secretos"),
            (_fila(una) for _, una in halladas[:FILAS]),
        )
    with st.container(key="paginador_abajo", horizontal=True, width="content", gap="small"):
        sin_numero = {k: v for k, v in parametros.items() if k != NUMERO}
        if NUMERO in parametros:
            st.page_link(inicio, label="Las más nuevas", query_params=sin_numero)
        if len(halladas) > FILAS:
            siguiente = {NUMERO: str(halladas[FILAS][0])}
            st.page_link(inicio, label="Más antiguas", query_params=sin_numero | siguiente)


def _fila(una: Llamada) -> tuple[str, ...]:
    codigo = f"{neutralizar(una.codigo, 60)} · " if una.codigo else ""
    return (
        f"{una.instante.astimezone(MADRID):%d/%m/%Y %H:%M:%S}",
        f"{celda(una.agente)} · {celda(una.herramienta[:60])}",
        f"{DESENLACES[una.desenlace]} {codigo}{una.ms:.0f} ms",
        neutralizar(_legibles(una.argumentos), LARGO_DE_ARGUMENTOS),
    )


def _legibles(argumentos: str) -> str:
    """They are kept as ASCII JSON: shown with their accents."""
    return json.dumps(json.loads(argumentos), ensure_ascii=False)
