"""Oportunidades: search, filter, sort and page through the tenders; each opens with one click."""

from __future__ import annotations

from datetime import datetime

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.paginas import filtros
from app.paginas.barra import barra_de_filtros, casilla_de_busqueda
from app.piezas import base, enlaces, etiquetas, formato
from app.piezas.frescura import linea_de_frescura
from app.piezas.navegacion import LISTA_DE_LA_QUE_VIENE
from app.piezas.texto import neutralizar
from app.piezas.veredictos import en_una_linea
from dominios.licitaciones.criba.consulta import Resumen, resumenes
from dominios.licitaciones.oportunidades import servicio
from dominios.licitaciones.oportunidades.modelos import (
    Filtro,
    Oportunidad,
    Orden,
    Pagina,
    PaginaResultados,
    Recuento,
    leer_cursor,
)
from nucleo.errores import ErrorEntrada

Parametros = dict[str, str]


def mostrar(inicio: StreamlitPage) -> None:
    """The whole view."""
    parametros = st.query_params.to_dict()
    st.session_state[LISTA_DE_LA_QUE_VIENE] = parametros
    filtro, malos = filtros.leer_filtro(parametros)
    orden = filtros.leer_orden(parametros)
    with st.container(key="cabecera"):
        st.header("Oportunidades", anchor=False)
        linea_de_frescura()
    barra_de_filtros(filtro, orden)
    casilla_de_busqueda(filtro, orden)
    if malos:
        st.warning(
            "El enlace traía filtros que no se entienden y no se aplican: "
            + ", ".join(map(neutralizar, malos))
        )
    _lista(inicio, filtro, orden, parametros)


def _lista(inicio: StreamlitPage, filtro: Filtro, orden: Orden, parametros: Parametros) -> None:
    ahora = base.ahora()
    pagina, numero = _pagina_pedida(parametros)
    with base.conexion() as con:
        resultados = servicio.buscar(con, filtro, orden, pagina, ahora)
        veredictos = resumenes(con, [fila.id for fila in resultados.filas])
    recuento = servicio.recuento_de(resultados) or base.contar(
        filtro.model_dump_json(), int(ahora.timestamp()) // 60
    )
    sin_pagina = {k: v for k, v in parametros.items() if k not in filtros.PAGINACION}
    with st.container(key="resumen", horizontal=True, vertical_alignment="center"):
        st.markdown(_resumen(recuento, numero, len(resultados.filas)))
        _paginador(inicio, resultados, numero, sin_pagina, "arriba")
    if not resultados.filas:
        st.info("Ninguna licitación cumple todo eso. Quita algún filtro o busca con menos palabras.")
        return
    with st.container(key="lista", gap=None):
        for fila in resultados.filas:
            _fila(inicio, fila, veredictos.get(fila.id), ahora)
    with st.container(key="pie", horizontal=True, horizontal_alignment="right"):
        _paginador(inicio, resultados, numero, sin_pagina, "abajo")


def _pagina_pedida(parametros: Parametros) -> tuple[Pagina, int]:
    """The stretch that the link asks for and its number; the first when it asks for something impossible."""
    desde, numero = parametros.get("desde"), parametros.get("pag", "1")
    if desde is None:
        return Pagina(), 1
    try:
        return Pagina(cursor=leer_cursor(desde)), int(numero) if numero.isdecimal() and len(numero) < 7 else 1
    except ErrorEntrada as error:
        st.warning(neutralizar(error.mensaje))
        return Pagina(), 1


def _resumen(recuento: Recuento, numero: int, filas: int) -> str:
    if recuento.hay_mas:
        total = f"**Más de {formato.entero(recuento.total)}** licitaciones"
    else:
        total = (
            f"**{formato.entero(recuento.total)}** {'licitación' if recuento.total == 1 else 'licitaciones'}"
        )
    return f"{total} · página {formato.entero(numero)}, {filas} en ella" if filas else total


def _paginador(
    inicio: StreamlitPage, resultados: PaginaResultados, numero: int, parametros: Parametros, lugar: str
) -> None:
    """Links, not buttons: they can be shared and opened apart."""
    with st.container(key=f"paginador_{lugar}", horizontal=True, width="content", gap="small"):
        if resultados.anterior is not None:
            anterior = {"desde": resultados.anterior.en_texto(), "pag": str(max(1, numero - 1))}
            consulta = parametros | anterior if numero > 2 else parametros
            st.page_link(inicio, label="Anterior", icon=":material/chevron_left:", query_params=consulta)
        if resultados.siguiente is not None:
            siguiente = {"desde": resultados.siguiente.en_texto(), "pag": str(numero + 1)}
            st.page_link(
                inicio,
                label="Siguiente",
                icon=":material/chevron_right:",
                icon_position="right",
                query_params=parametros | siguiente,
            )


def _fila(inicio: StreamlitPage, fila: Oportunidad, veredicto: Resumen | None, ahora: datetime) -> None:
    with st.container(key=f"fila_{fila.id}", gap=None):
        st.page_link(
            inicio,
            label=neutralizar(fila.objeto, 220),
            query_params=enlaces.a_licitacion(fila.entrada_id),
        )
        contexto = " · ".join(_contexto(fila))
        st.markdown(f"{contexto}\n\n{en_una_linea(veredicto)}" if veredicto else contexto)
        st.markdown("\n".join(f"- {dato}" for dato in (_plazo(fila, ahora), _importe(fila), _estado(fila))))


def _contexto(fila: Oportunidad) -> list[str]:
    """Buyer, file number, kind of contract, CPV, place and source: the second line of a row."""
    partes = [neutralizar(fila.organo, 90) if fila.organo else "Órgano: no consta"]
    if fila.expediente:
        partes.append(f"Exp. {neutralizar(fila.expediente, 50)}")
    partes += [
        neutralizar(t) for t in (etiquetas.tipo(fila.tipo), etiquetas.procedimiento(fila.procedimiento)) if t
    ]
    if fila.cpv:
        partes.append(f"CPV {neutralizar(fila.cpv)}")
    if fila.nuts:
        partes.append(neutralizar(etiquetas.nuts(fila.nuts)))
    if fila.n_lotes > 1:
        partes.append(f"{fila.n_lotes} lotes")
    partes.append(etiquetas.fuente(fila.fuente))
    return partes


def _plazo(fila: Oportunidad, ahora: datetime) -> str:
    if fila.plazo is None:
        return f"**{'Plazo sin publicar' if fila.en_plazo else 'Sin plazo'}**"
    cuanto = formato.faltan(fila.plazo, ahora)
    urgente = fila.en_plazo and (fila.plazo - ahora).days < 5
    return f"**{f':red[{cuanto}]' if urgente else cuanto}** *{formato.plazo(fila.plazo, fila.plazo_local)}*"


def _importe(fila: Oportunidad) -> str:
    if fila.importe is None:
        return "**Importe: no consta**"
    clase = "PBL sin IVA" if fila.importe_clase == "presupuesto" else "valor estimado"
    return f"**{formato.importe(fila.importe)}** *{clase}*"


def _estado(fila: Oportunidad) -> str:
    """State as published, what it amounts to when it says more, and how many quality flags there are."""
    publicado = neutralizar(etiquetas.estado(fila.estado, fila.tipo_registro) or "Estado: no consta")
    if fila.estado == "PUB" and not fila.en_plazo:  # the source says so until its next publication
        publicado = "Publicada" if fila.plazo is None else "Plazo cerrado"
    partes = [f":{'green' if fila.en_plazo else 'gray'}-badge[{publicado}]"]
    if fila.desenlace not in {"abierta", "pendiente", "adjudicada"}:
        partes.append(f":gray-badge[{etiquetas.DESENLACES.get(fila.desenlace, neutralizar(fila.desenlace))}]")
    if fila.tipo_registro != "licitacion":
        partes.append(f":blue-badge[{neutralizar(etiquetas.registro(fila.tipo_registro))}]")
    if fila.avisos:
        palabra = "aviso" if len(fila.avisos) == 1 else "avisos"
        partes.append(f":orange-badge[{len(fila.avisos)} {palabra}]")
    return " ".join(partes)
