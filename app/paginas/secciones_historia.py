"""Sections of a tender's page on what became of it and what to make of it: results, changes, flags, origin."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from app.paginas.cambios import cambio_en_palabras
from app.paginas.ficha import Ficha
from app.paginas.secciones import importe
from app.piezas import enlaces, etiquetas, formato
from app.piezas.personas import nif_visible
from app.piezas.tablas import celda, tabla
from app.piezas.tablas import datos as tabla_de_datos
from dominios.licitaciones.radar.avisos import EXPLICACIONES
from dominios.licitaciones.radar.modelo import Resultado


def resultado(ficha: Ficha) -> None:
    """One row per published result: there is one per lot and per winner."""
    lic, derivado = ficha.licitacion, ficha.derivado
    if not lic.resultados:
        st.markdown("Aún no se ha publicado ningún resultado.")
        return
    total = derivado.adjudicado_sin_iva_total
    st.markdown(
        f"**{etiquetas.DESENLACES.get(derivado.desenlace, celda(derivado.desenlace))}** · adjudicado sin IVA, en"
        f" total: {importe(total)}"
        + (
            f" · lotes sin adjudicar: {celda(', '.join(derivado.lotes_sin_adjudicar))}"
            if derivado.lotes_sin_adjudicar
            else ""
        )
    )
    tabla(
        ("Lote", "Resultado", "Fecha", "Ofertas", "Adjudicatario", "Importe sin IVA"),
        map(_resultado, lic.resultados),
    )


def _resultado(publicado: Resultado) -> tuple[str, ...]:
    ganadores = [
        " ".join(
            p for p in (celda(a.nombre), ", ".join(nif_visible(valor) for _, valor in a.ids if valor)) if p
        )
        for a in publicado.adjudicatarios
    ]
    return (
        celda(publicado.lote),
        celda(etiquetas.de_lista("TenderResultCode", publicado.resultado)),
        celda(formato.fecha_publicada(publicado.fecha)),
        celda(publicado.ofertas),
        "; ".join(ganadores) or celda(None),
        importe(publicado.sin_iva),
    )


def cambios(ficha: Ficha) -> None:
    """Versions, newest first, with what mattered in each: before → after."""
    ultima = len(ficha.versiones)
    with st.container(key="cambios"):
        for numero, version in enumerate(ficha.versiones):
            orden = ultima - numero
            estado = etiquetas.estado(version.estado, ficha.derivado.tipo_registro)
            st.markdown(f"**Versión {orden}** · {_instante(version.updated)} · {celda(estado)}")
            if version.cambios:
                filas = [
                    cambio_en_palabras(cambio, ficha.derivado.tipo_registro) for cambio in version.cambios
                ]
                tabla(("Campo", "Antes", "Después"), filas)
            else:
                st.caption(
                    "Primera versión que tenemos." if orden == 1 else "Nada que importe a quien oferta."
                )


def _instante(iso: str) -> str:
    try:
        return formato.fecha_hora(datetime.fromisoformat(iso))
    except ValueError:
        return celda(iso)


def avisos(ficha: Ficha) -> None:
    """What is odd in the published data, in words."""
    if not ficha.derivado.avisos:
        st.markdown("Nada raro en los datos publicados.")
        return
    st.markdown("\n".join(f"- {EXPLICACIONES.get(a, celda(a))}" for a in ficha.derivado.avisos))
    st.caption("Los datos se muestran como se publicaron: nunca se corrigen en silencio.")


def procedencia(ficha: Ficha) -> None:
    """Identity and origin of what the page shows."""
    lic, lectura = ficha.licitacion, ficha.procedencia
    tabla_de_datos(
        [
            ("Identificador de la entrada", celda(lic.id)),
            ("Página en la plataforma", enlaces.enlace_externo("Abrir", lic.link)),
            ("Conjunto de datos", f"{etiquetas.fuente(lectura.fuente)} ({celda(lectura.fuente)})"),
            (
                "Publicada (updated)",
                f"{celda(lic.updated)} · {formato.fecha_hora(lectura.actualizada)} en Madrid",
            ),
            ("Leída por nosotros", formato.fecha_hora(lectura.leida) if lectura.leida else celda(None)),
            ("En la página", celda(lectura.origen)),
            ("Versiones guardadas", str(ficha.derivado.n_versiones)),
            ("Anuncio en TED", celda(lic.uuid_ted)),
        ]
    )
    st.caption("Origen de los datos: Plataforma de Contratación del Sector Público, Ministerio de Hacienda.")
