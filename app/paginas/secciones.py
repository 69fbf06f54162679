"""Sections of a tender's page that say what is bought and how: facts, lots, criteria, documents."""

from __future__ import annotations

import streamlit as st

from app.paginas.ficha import Ficha
from app.piezas import enlaces, etiquetas, formato
from app.piezas.tablas import celda, tabla
from app.piezas.tablas import datos as tabla_de_datos
from dominios.licitaciones.radar.importes import leer_importe
from dominios.licitaciones.radar.modelo import Criterio, Documento, Garantia, Licitacion, Plazo

UNIDADES = {"ANN": ("año", "años"), "MON": ("mes", "meses"), "DAY": ("día", "días")}
CLASES_DE_DOCUMENTO = {
    "pcap": "Pliego de cláusulas administrativas",
    "ppt": "Pliego de prescripciones técnicas",
    "anexo": "Anexo",
    "general": "Documento general",
}
CLASES_DE_REQUISITO = {
    "tecnica": "Solvencia técnica",
    "economica": "Solvencia económica",
    "clasificacion": "Clasificación",
    "especifico": "Requisito específico",
    "personal": "Situación personal",
}
SI_NO = {"true": "Sí", "false": "No"}


def importe(publicado: str | None) -> str:
    """A published amount for people; when it cannot be read, as it came, and said."""
    if publicado is None:
        return celda(None)
    valor = leer_importe(publicado)
    return f"{celda(publicado)} (ilegible)" if valor is None else formato.importe(valor)


def datos(ficha: Ficha) -> None:
    """What, how much, how and until when."""
    lic = ficha.licitacion
    izquierda, derecha = st.columns(2, gap="medium")
    with izquierda:
        st.subheader("Objeto y presupuesto", anchor=False)
        tabla_de_datos(_objeto(lic))
        st.subheader("Órgano", anchor=False)
        tabla_de_datos(_organo(lic))
    with derecha:
        st.subheader("Procedimiento y plazos", anchor=False)
        tabla_de_datos(_procedimiento(ficha))
        st.subheader("Ejecución y condiciones", anchor=False)
        tabla_de_datos(_ejecucion(lic))


def _objeto(lic: Licitacion) -> list[tuple[str, str]]:
    cpvs = ", ".join(celda(etiquetas.cpv(c)) for c in lic.cpv)
    return [
        ("Objeto", celda(lic.objeto or lic.titulo)),
        ("Tipo de contrato", celda(etiquetas.tipo(lic.tipo))),
        ("CPV", cpvs or celda(None)),
        ("Presupuesto base sin IVA", importe(lic.presupuesto_sin_iva)),
        ("Presupuesto base con IVA", importe(lic.presupuesto_con_iva)),
        ("Valor estimado (sin IVA, con prórrogas)", importe(lic.valor_estimado)),
        ("Financiación", celda(", ".join(_financiacion(lic)) or None)),
    ]


def _financiacion(lic: Licitacion) -> list[str]:
    return [etiquetas.de_lista("FundingProgramCode", c) or c for c in lic.financiacion_ue]


def _organo(lic: Licitacion) -> list[tuple[str, str]]:
    organo = lic.organo
    return [
        ("Nombre", celda(organo.nombre)),
        ("Identificadores", celda(", ".join(f"{k} {v}" for k, v in organo.ids.items()) or None)),
        ("Depende de", celda(" › ".join(reversed(organo.jerarquia)) or None)),
        ("Localidad", celda(" ".join(p for p in (organo.codigo_postal, organo.ciudad) if p) or None)),
        ("Perfil del contratante", enlaces.enlace_externo("Abrir perfil", organo.perfil_contratante)),
    ]


def _procedimiento(ficha: Ficha) -> list[tuple[str, str]]:
    lic, fila = ficha.licitacion, ficha.oportunidad
    plazo = "no consta"
    if fila.plazo is not None:
        plazo = (
            f"**{formato.plazo(fila.plazo, fila.plazo_local)}** ({formato.faltan(fila.plazo, ficha.ahora)})"
        )
        plazo += ", hora peninsular"
    if "plazo_hora_canaria" in ficha.derivado.avisos:
        plazo += (
            "; :orange[se ejecuta en Canarias: puede ser hora canaria, una hora más tarde en la península]"
        )
    return [
        ("Fin de plazo", plazo),
        ("Plazo publicado, al pie de la letra", _plazo_literal(lic.plazo_ofertas)),
        ("Solicitudes de participación, al pie de la letra", _plazo_literal(lic.plazo_solicitudes)),
        ("Publicada", formato.fecha_publicada(ficha.derivado.fecha_publicacion)),
        ("Procedimiento", celda(etiquetas.procedimiento(lic.procedimiento))),
        ("Tramitación", celda(etiquetas.de_lista("DiligenceTypeCode", lic.urgencia))),
        ("Presentación", celda(etiquetas.de_lista("TenderDeliveryCode", lic.presentacion))),
        ("Sistema de contratación", celda(etiquetas.de_lista("ContractingSystemTypeCode", lic.sistema))),
        ("Regulación armonizada (SARA)", celda(SI_NO.get(lic.sara or "", lic.sara))),
    ]


def _plazo_literal(plazo: Plazo | None) -> str:
    if plazo is None:
        return celda(None)
    return celda(" ".join(p for p in (plazo.fecha, plazo.hora, plazo.nota) if p) or None)


def _ejecucion(lic: Licitacion) -> list[tuple[str, str]]:
    lugar = ", ".join(etiquetas.nuts(n) for n in lic.nuts)
    fechas = " a ".join(formato.fecha_publicada(f) for f in (lic.inicio, lic.fin) if f)
    return [
        ("Lugar", celda(" · ".join(p for p in (lic.lugar, lugar) if p) or None)),
        ("Duración", celda(" · ".join(p for p in (_duracion(lic), fechas) if p) or None)),
        (
            "Prórrogas y opciones",
            celda(" · ".join(dict.fromkeys(p for p in (lic.prorroga, lic.opciones) if p)) or None),
        ),
        ("Garantías", celda(", ".join(_garantias(lic)) or None)),
        ("Admite variantes", celda(SI_NO.get(lic.variantes or "", lic.variantes))),
        ("Condiciones de ejecución", celda(" · ".join(lic.condiciones_ejecucion) or None)),
        ("Revisión de precios", celda(lic.revision_precios)),
    ]


def _duracion(lic: Licitacion) -> str | None:
    cantidad, unidad = lic.duracion or (None, None)
    if cantidad is None:
        return None
    uno, varios = UNIDADES.get(unidad or "", (unidad or "",) * 2)
    return f"{cantidad} {uno if cantidad == '1' else varios}"


def _garantias(lic: Licitacion) -> list[str]:
    return [
        f"{etiquetas.de_lista('GuaranteeTypeCode', g.tipo) or 'sin tipo'} "
        + (f"{g.porcentaje} %" if g.porcentaje else _cuantia(g))
        for g in lic.garantias
    ]


def _cuantia(garantia: Garantia) -> str:
    valor = leer_importe(garantia.importe)
    return formato.importe(valor) if valor is not None else garantia.importe or "sin cuantía"


def lotes(ficha: Ficha) -> None:
    """Lots as published; those known only from results say so."""
    lic = ficha.licitacion
    if not lic.lotes:
        deducidos = ficha.derivado.lotes_deducidos
        if deducidos:
            st.info(
                "Los lotes no se publicaron; por los resultados se sabe que hay estos: "
                + celda(", ".join(deducidos))
            )
        else:
            st.markdown("Sin división en lotes.")
        return
    st.markdown(
        f"Se puede ofertar a: {celda(etiquetas.de_lista('TenderPresentationCode', lic.presentacion_lotes))}."
    )
    tabla(
        ("Lote", "Objeto", "Sin IVA", "Con IVA", "CPV", "Lugar"),
        (
            (
                celda(lote.id),
                celda(lote.objeto),
                importe(lote.sin_iva),
                importe(lote.con_iva),
                celda(", ".join(lote.cpv) or None),
                celda(", ".join(map(etiquetas.nuts, lote.nuts)) or None),
            )
            for lote in lic.lotes
        ),
    )


def criterios(ficha: Ficha) -> None:
    """Award criteria with their weights, of the tender and of its lots, and what is asked to take part."""
    lic = ficha.licitacion
    grupos = [("", lic.criterios), *((f"Lote {lote.id or '?'}", lote.criterios) for lote in lic.lotes)]
    if not any(de_grupo for _, de_grupo in grupos):
        st.markdown("No constan los criterios de adjudicación: mira el pliego.")
    for nombre, de_grupo in grupos:
        if de_grupo:
            st.subheader(celda(nombre) if nombre else "Criterios de adjudicación", anchor=False)
            tabla(("Criterio", "Cómo se valora", "Peso"), map(_criterio, de_grupo))
    requisitos = [*lic.requisitos, *(r for lote in lic.lotes for r in lote.requisitos)]
    if requisitos:
        st.subheader("Solvencia y requisitos", anchor=False)
        tabla(
            ("Clase", "Descripción", "Umbral"),
            (
                (
                    CLASES_DE_REQUISITO.get(r.clase, celda(r.clase)),
                    celda(r.tipo if r.clase == "clasificacion" else r.descripcion),
                    celda(r.umbral),
                )
                for r in requisitos
            ),
        )


def _criterio(criterio: Criterio) -> tuple[str, str, str]:
    return (
        celda(" · ".join(p for p in (criterio.descripcion, criterio.nota) if p) or None),
        celda(etiquetas.criterio_automatico(criterio.tipo)),
        celda(criterio.peso),
    )


def documentos(ficha: Ficha) -> None:
    """Published documents; only addresses of trusted sites become links."""
    lic = ficha.licitacion
    if not lic.documentos:
        st.markdown("No se ha publicado ningún documento en esta fuente.")
        return
    tabla(("Documento", "Clase", "Enlace"), map(_documento, lic.documentos))


def _documento(documento: Documento) -> tuple[str, str, str]:
    clase = CLASES_DE_DOCUMENTO.get(documento.clase, celda(documento.clase))
    nombre = documento.fichero or documento.nombre
    if documento.tipo:
        clase += f" ({celda(documento.tipo)})"
    return celda(nombre), clase, enlaces.enlace_externo("Abrir", documento.uri)
