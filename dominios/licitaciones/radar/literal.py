"""The literal part of `sobre licitacion ver --json`: the published values in the shape outside programs rely on."""

from __future__ import annotations

from typing import TypedDict

from dominios.licitaciones.radar.modelo import Adjudicatario, Licitacion, Lote, Plazo, Resultado


class Organo(TypedDict):
    """Contracting body, literally."""

    nombre: str | None
    ids: dict[str, str]
    plataforma_origen: str | None
    jerarquia: list[str]


class Entrada(TypedDict):
    """The keys of `entrada`, in their order."""

    id: str
    updated: str
    link: str | None
    expediente: str | None
    estado: str | None
    uuid_ted: str | None
    titulo: str | None
    objeto: str | None
    organo: Organo
    tipo: str | None
    subtipo: str | None
    valor_estimado: str | None
    presupuesto_sin_iva: str | None
    presupuesto_con_iva: str | None
    cpv: list[str]
    nuts: list[str]
    duracion: list[str | None] | None
    procedimiento: str | None
    urgencia: str | None
    presentacion: str | None
    sistema: str | None
    plazo_ofertas_local: str | None
    lotes: list[dict[str, object]]
    criterios: list[dict[str, str | None]]
    garantias: list[dict[str, str | None]]
    financiacion_ue: list[str]
    resultados: list[dict[str, object]]
    documentos: dict[str, object]
    anuncios: list[list[object]]


def literal(lic: Licitacion) -> Entrada:
    """The literal document of one version; `generales` counts the general documents."""
    return {
        "id": lic.id,
        "updated": lic.updated,
        "link": lic.link,
        "expediente": lic.expediente,
        "estado": lic.estado,
        "uuid_ted": lic.uuid_ted,
        "titulo": lic.titulo,
        "objeto": lic.objeto,
        "organo": {
            "nombre": lic.organo.nombre,
            "ids": lic.organo.ids,
            "plataforma_origen": lic.organo.plataforma_origen,
            "jerarquia": list(lic.organo.jerarquia),
        },
        "tipo": lic.tipo,
        "subtipo": lic.subtipo,
        "valor_estimado": lic.valor_estimado,
        "presupuesto_sin_iva": lic.presupuesto_sin_iva,
        "presupuesto_con_iva": lic.presupuesto_con_iva,
        "cpv": list(lic.cpv),
        "nuts": list(lic.nuts),
        "duracion": list(lic.duracion) if lic.duracion else None,
        "procedimiento": lic.procedimiento,
        "urgencia": lic.urgencia,
        "presentacion": lic.presentacion,
        "sistema": lic.sistema,
        "plazo_ofertas_local": plazo_local(lic.plazo_ofertas),
        "lotes": [_lote(lote) for lote in lic.lotes],
        "criterios": [
            {"tipo": c.tipo, "subtipo": c.subtipo, "descripcion": c.descripcion, "peso": c.peso}
            for c in lic.criterios
        ],
        "garantias": [
            {"tipo": g.tipo, "porcentaje": g.porcentaje, "importe": g.importe} for g in lic.garantias
        ],
        "financiacion_ue": list(lic.financiacion_ue),
        "resultados": [_resultado(r) for r in lic.resultados],
        "documentos": _documentos(lic),
        "anuncios": [[a.tipo, p.medio, list(p.fechas)] for a in lic.anuncios for p in a.publicaciones],
    }


def plazo_local(plazo: Plazo | None) -> str | None:
    """`dateTtime` as published, without zone; only the date when no time was published."""
    if plazo is None:
        return None
    return f"{plazo.fecha}T{plazo.hora}" if plazo.fecha and plazo.hora else plazo.fecha


def _lote(lote: Lote) -> dict[str, object]:
    return {
        "id": lote.id,
        "objeto": lote.objeto,
        "sin_iva": lote.sin_iva,
        "con_iva": lote.con_iva,
        "cpv": list(lote.cpv),
    }


def _resultado(r: Resultado) -> dict[str, object]:
    return {
        "lote": r.lote,
        "resultado": r.resultado,
        "fecha": r.fecha,
        "ofertas": r.ofertas,
        "pyme": r.pyme,
        "baja": r.baja,
        "alta": r.alta,
        "adjudicatarios": [_adjudicatario(a) for a in r.adjudicatarios],
        "sin_iva": r.sin_iva,
        "con_iva": r.con_iva,
        "contratos": [[c.numero, c.fecha] for c in r.contratos],
    }


def _adjudicatario(a: Adjudicatario) -> dict[str, object]:
    return {"nombre": a.nombre, "ids": [list(par) for par in a.ids]}


def _documentos(lic: Licitacion) -> dict[str, object]:
    por_clase: dict[str, list[str]] = {"pcap": [], "ppt": [], "anexo": []}
    generales = 0
    for documento in lic.documentos:
        if documento.clase == "general":
            generales += 1
        elif documento.nombre:
            por_clase[documento.clase].append(documento.nombre)
    return {
        "pcap": por_clase["pcap"],
        "ppt": por_clase["ppt"],
        "anexos": por_clase["anexo"],
        "generales": generales,
    }
