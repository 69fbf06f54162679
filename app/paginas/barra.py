"""The controls of the list: each change is written in the link at once, and each link sets the controls."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import streamlit as st
from pydantic import ValidationError

from app.paginas import filtros
from app.piezas import base, etiquetas
from app.piezas.texto import neutralizar
from app.piezas.veredictos import ROTULOS
from dominios.licitaciones.criba.modelo import Situacion
from dominios.licitaciones.oportunidades.modelos import Faceta, Filtro, Orden
from nucleo.codigos.cpv import codigos_cpv, prefijo_de_arbol
from nucleo.codigos.nuts import regiones
from nucleo.errores import ErrorEntrada

Nombrar = Callable[[str], str | None]

ORDENES = {
    Orden.CIERRE: "Cierre más próximo",
    Orden.ACTUALIZACION: "Últimas novedades",
    Orden.IMPORTE: "Mayor importe",
    Orden.PUBLICADA: "Publicadas hace menos",
}
CUALQUIERA = 0
PLAZOS = (2, 7, 15, 30, 60)
_APLICADO = "filtros_aplicados"
_P = "f_"
_CAMPOS_DE_LISTA = ("cpv", "criba", *filtros.LISTAS)


def barra_de_filtros(filtro: Filtro, orden: Orden) -> None:
    """The side bar, its controls set to what the link says."""
    _poner_controles(filtro, orden)
    facetas = base.facetas()
    with st.sidebar:
        st.subheader("Filtros", anchor=False)
        _plazo(filtro)
        _de_la_criba()
        _que_y_donde(filtro)
        _importes()
        _varios("Tipo de contrato", "tipo", facetas.tipo, filtro.tipo, etiquetas.tipo)
        _varios(
            "Procedimiento",
            "procedimiento",
            facetas.procedimiento,
            filtro.procedimiento,
            etiquetas.procedimiento,
        )
        _varios("Estado", "estado", facetas.estado, filtro.estado, etiquetas.estado_de_filtro)
        _varios("Clase", "tipo_registro", facetas.tipo_registro, filtro.tipo_registro, etiquetas.registro)
        _varios("Fuente", "fuente", facetas.fuente, filtro.fuente, etiquetas.fuente)
        st.checkbox("Con avisos de calidad", key=_P + "con_avisos", on_change=_al_enlace)
        st.button("Quitar filtros", on_click=_quitar, width="stretch", disabled=filtro == Filtro())


def _plazo(filtro: Filtro) -> None:
    st.toggle("Solo en plazo", key=_P + "solo_abiertas", on_change=_al_enlace)
    st.selectbox(
        "Cierra en",
        _plazos(filtro.cierra_en_dias),
        format_func=_nombre_de_plazo,
        key=_P + "cierra_en_dias",
        on_change=_al_enlace,
    )


def _de_la_criba() -> None:
    st.multiselect(
        "Criba",
        [s.value for s in Situacion],
        format_func=lambda situacion: ROTULOS[Situacion(situacion)],
        key=_P + "criba",
        placeholder="Todas",
        help="Sin elegir nada salen todas: también lo que no encaja, y lo que nadie ha juzgado.",
        on_change=_al_enlace,
    )
    st.checkbox("Decididas por una persona", key=_P + "decididas", on_change=_al_enlace)


def _que_y_donde(filtro: Filtro) -> None:
    st.multiselect(
        "CPV",
        _ramas_ofrecidas(filtro.cpv),
        format_func=etiquetas.rama_cpv,
        key=_P + "cpv",
        accept_new_options=True,
        placeholder="Rama o código",
        help="Elige una rama o escribe un código: 72 incluye todo lo que empieza por 72.",
        on_change=_al_enlace,
    )
    st.multiselect(
        "Lugar",
        _lugares(filtro.nuts),
        format_func=etiquetas.nuts,
        key=_P + "nuts",
        placeholder="Todos",
        on_change=_al_enlace,
    )


def _importes() -> None:
    minimo, maximo = st.columns(2)
    minimo.number_input("Desde (€)", 0, 10**12, None, 10_000, key=_P + "importe_min", on_change=_al_enlace)
    maximo.number_input("Hasta (€)", 0, 10**12, None, 10_000, key=_P + "importe_max", on_change=_al_enlace)


def casilla_de_busqueda(filtro: Filtro, orden: Orden) -> None:
    """Search box and order, above the list."""
    with st.container(key="busqueda", horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Buscar",
            key=_P + "texto",
            max_chars=400,
            placeholder="Objeto, lote, órgano o expediente. Los acentos y los plurales no importan",
            icon=":material/search:",
            on_change=_al_enlace,
        )
        st.selectbox(
            "Orden",
            list(ORDENES),
            format_func=ORDENES.__getitem__,
            key=_P + "orden",
            on_change=_al_enlace,
            width=230,
        )


def _poner_controles(filtro: Filtro, orden: Orden) -> None:
    """When the link is not the one that the controls wrote (it was opened, shared, gone back to), it wins."""
    enlace = filtros.escribir_filtro(filtro, orden)
    if st.session_state.get(_APLICADO) == enlace and _P + "texto" in st.session_state:
        return
    st.session_state[_APLICADO] = enlace
    for campo in ("texto", *filtros.SIGNOS):
        st.session_state[_P + campo] = getattr(filtro, campo)
    for campo in _CAMPOS_DE_LISTA:
        st.session_state[_P + campo] = list(map(str, getattr(filtro, campo)))
    for campo in filtros.IMPORTES:
        importe: Decimal | None = getattr(filtro, campo)
        st.session_state[_P + campo] = None if importe is None else int(importe)
    st.session_state[_P + "cierra_en_dias"] = filtro.cierra_en_dias or CUALQUIERA
    st.session_state[_P + "orden"] = orden


def _al_enlace() -> None:
    """What the controls say becomes the link; what cannot be is said and left out."""
    try:
        filtro = _filtro_de_controles()
    except (ValidationError, ErrorEntrada) as error:
        st.toast(
            neutralizar(error.mensaje)
            if isinstance(error, ErrorEntrada)
            else "«Desde» es mayor que «Hasta»: no se aplica."
        )
        return
    _escribir(filtro, st.session_state[_P + "orden"])


def _filtro_de_controles() -> Filtro:
    estado = st.session_state
    valores: dict[str, object] = {campo: tuple(estado[_P + campo]) for campo in filtros.LISTAS}
    for campo in filtros.IMPORTES:
        importe: float | None = estado[_P + campo]
        valores[campo] = None if importe is None else Decimal(str(importe))
    valores["texto"] = str(estado[_P + "texto"]).strip()
    valores["cpv"] = tuple(dict.fromkeys(prefijo_de_arbol(rama) for rama in estado[_P + "cpv"]))
    valores["criba"] = tuple(map(Situacion, estado[_P + "criba"]))
    for campo in filtros.SIGNOS:
        valores[campo] = estado[_P + campo]
    valores["cierra_en_dias"] = estado[_P + "cierra_en_dias"] or None
    return Filtro.model_validate(valores)


def _quitar() -> None:
    _escribir(Filtro(), st.session_state[_P + "orden"])
    st.session_state.pop(_P + "texto")


def _escribir(filtro: Filtro, orden: Orden) -> None:
    enlace = filtros.escribir_filtro(filtro, orden)
    st.session_state[_APLICADO] = enlace
    st.query_params.from_dict(enlace)


def _varios(
    rotulo: str, campo: str, ofrecidas: tuple[Faceta, ...], puestas: tuple[str, ...], nombre: Nombrar
) -> None:
    valores = list(dict.fromkeys([*(f.valor for f in ofrecidas), *puestas]))
    st.multiselect(
        rotulo,
        valores,
        format_func=lambda codigo: nombre(codigo) or codigo,
        key=_P + campo,
        placeholder="Todos",
        on_change=_al_enlace,
    )


def _ramas_ofrecidas(puestas: tuple[str, ...]) -> list[str]:
    """Divisions and groups; whatever is narrower is typed in."""
    ramas = {prefijo_de_arbol(codigo) for codigo in codigos_cpv() if codigo.endswith("00000")}
    return sorted(ramas | set(puestas))


def _lugares(puestas: tuple[str, ...]) -> list[str]:
    """Autonomous communities and provinces, by name."""
    codigos = {c for c in regiones() if c.startswith("ES") and len(c) in {4, 5}}
    return sorted(codigos | set(puestas), key=etiquetas.nuts)


def _plazos(puesto: int | None) -> list[int]:
    dias = set(PLAZOS) if puesto is None else {*PLAZOS, puesto}
    return [CUALQUIERA, *sorted(dias)]


def _nombre_de_plazo(dias: int) -> str:
    return "Cualquier plazo" if dias == CUALQUIERA else f"{dias} días"
