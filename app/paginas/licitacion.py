"""The page of a tender: what was published, section by section, with where it comes from and what is doubtful."""

from __future__ import annotations

from datetime import datetime

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.paginas import seccion_criba, secciones, secciones_historia
from app.paginas.ficha import Ficha
from app.piezas import base, enlaces, etiquetas, formato
from app.piezas.frescura import linea_de_frescura
from app.piezas.navegacion import LISTA_DE_LA_QUE_VIENE
from app.piezas.texto import neutralizar
from app.piezas.veredictos import distintivo
from dominios.licitaciones.criba.historia import historia
from dominios.licitaciones.oportunidades import servicio
from dominios.licitaciones.radar.consulta import localizar, ver, versiones
from nucleo.errores import ErrorEntrada
from nucleo.reloj import reloj_fijo


def mostrar(inicio: StreamlitPage) -> None:
    """The whole view; raises NoEncontrado or ErrorEntrada (an ambiguous id) for the caller to say."""
    st.page_link(
        inicio,
        label="Volver a la lista",
        icon=":material/arrow_back:",
        query_params=st.session_state.get(LISTA_DE_LA_QUE_VIENE, {}),
    )
    ficha = _leer(st.query_params.get("id", ""))
    _cabecera(ficha)
    _resumen(ficha)
    _secciones(ficha)
    linea_de_frescura()


def _leer(identificador: str) -> Ficha:
    if not identificador:
        raise ErrorEntrada("El enlace no dice qué licitación: vuelve a la lista y elige una.")
    ahora = base.ahora()
    with base.conexion() as con, base.nucleo() as con_cola:
        licitacion_id = localizar(con, identificador)
        documento = ver(con, licitacion_id, reloj_fijo(ahora))
        return Ficha(
            licitacion=documento.detalle,
            derivado=documento.derivado,
            oportunidad=servicio.leer(con, licitacion_id, ahora),
            procedencia=servicio.procedencia(con, licitacion_id),
            versiones=versiones(con, licitacion_id),
            historia=historia(con, con_cola, licitacion_id),
            ahora=ahora,
        )


def _cabecera(ficha: Ficha) -> None:
    derivado, fila = ficha.derivado, ficha.oportunidad
    if not derivado.vigente:
        _retirada(ficha)
    st.header(neutralizar(fila.objeto, 400), anchor=False)
    chips = [
        f":{'green' if fila.en_plazo else 'gray'}-badge[{neutralizar(ficha.estado)}]",
        f":blue-badge[{etiquetas.DESENLACES.get(derivado.desenlace, neutralizar(derivado.desenlace))}]",
        f":gray-badge[{neutralizar(etiquetas.registro(fila.tipo_registro))}]",
    ]
    if ficha.historia is not None:
        chips.append(f"Criba: {distintivo(ficha.historia.situacion)}")
    if derivado.avisos:
        chips.append(
            f":orange-badge[{len(derivado.avisos)} {'aviso' if len(derivado.avisos) == 1 else 'avisos'}]"
        )
    st.markdown(" ".join(chips))


def _retirada(ficha: Ficha) -> None:
    motivos = {
        "ANULADA": "el expediente se anuló",
        "CERRADA": "se cerró y ha dejado de ser pública, lo que no quiere decir que se anulara",
    }
    motivo = motivos.get(ficha.derivado.tipo_baja or "", "sin que conste el motivo")
    cuando = _instante_publicado(ficha.derivado.baja)
    st.error(
        f"**Retirada de la plataforma** el {cuando}: {motivo}. Lo que sigue es la última versión publicada.",
        icon=":material/block:",
    )


def _instante_publicado(iso: str | None) -> str:
    """A published instant with offset for people; as it came when it is not one."""
    try:
        return formato.fecha_hora(datetime.fromisoformat(iso or ""))
    except ValueError:
        return neutralizar(iso or formato.NO_CONSTA)


def _resumen(ficha: Ficha) -> None:
    """The four facts that decide whether to read on."""
    fila = ficha.oportunidad
    plazo = formato.plazo(fila.plazo, fila.plazo_local) if fila.plazo else formato.NO_CONSTA
    falta = formato.faltan(fila.plazo, ficha.ahora) if fila.plazo else "sin plazo publicado"
    clase = {"presupuesto": "PBL sin IVA", "valor_estimado": "valor estimado"}.get(
        fila.importe_clase or "", "importe"
    )
    organo = neutralizar(fila.organo, 160) if fila.organo else formato.NO_CONSTA
    expediente = neutralizar(fila.expediente) if fila.expediente else formato.NO_CONSTA
    with st.container(key="claves", gap=None):
        st.markdown(
            f"- *Plazo · {falta}* **{plazo}**\n"
            f"- *Importe · {clase}* **{formato.importe(fila.importe)}**\n"
            f"- *Órgano de contratación* **{organo}**\n"
            f"- *Expediente* **{expediente}**"
        )


def _secciones(ficha: Ficha) -> None:
    lic = ficha.licitacion
    nombres_y_piezas = (
        ("Datos", secciones.datos),
        ("Criba", seccion_criba.criba),
        (f"Lotes ({ficha.oportunidad.n_lotes})", secciones.lotes),
        ("Criterios", secciones.criterios),
        (f"Documentos ({len(lic.documentos)})", secciones.documentos),
        ("Resultado", secciones_historia.resultado),
        (f"Versiones y cambios ({len(ficha.versiones)})", secciones_historia.cambios),
        (f"Avisos ({len(ficha.derivado.avisos)})", secciones_historia.avisos),
        ("Procedencia", secciones_historia.procedencia),
    )
    pestanas = st.tabs([nombre for nombre, _ in nombres_y_piezas])
    for pestana, (_, pieza) in zip(pestanas, nombres_y_piezas, strict=True):
        with pestana:
            pieza(ficha)
            if pieza is not seccion_criba.criba:  # that one comes from no platform
                st.caption(_origen(ficha))


def _origen(ficha: Ficha) -> str:
    """Where everything in a section comes from, under each of them."""
    lectura = ficha.procedencia
    leida = f", leído el {formato.fecha_hora(lectura.leida)}" if lectura.leida else ""
    return (
        f"Fuente: {etiquetas.fuente(lectura.fuente)} ({neutralizar(lectura.fuente)}), publicado el"
        f" {formato.fecha_hora(lectura.actualizada)}{leida}."
        f" {enlaces.enlace_externo('Ver en la plataforma', ficha.licitacion.link)}"
    )
