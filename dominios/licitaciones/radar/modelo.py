"""The models of the radar: what an entry says, literally (`Entrada`), and the rest of what it publishes (`Detalle`).

Strings are as published, with white space collapsed; lists keep document order; codes are codes, never labels.
Amounts stay text here: the published value is never repaired (see `importes.py` for the number it means).
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

NoVacia = Annotated[str, StringConstraints(min_length=1)]


class Modelo(BaseModel):
    """Strict, frozen, closed: what is not declared is not accepted."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Organo(Modelo):
    """Contracting body. `ids` by scheme (DIR3, NIF, ID_PLATAFORMA, ID_OC_PLAT); `jerarquia` goes bottom-up."""

    nombre: str | None
    ids: dict[str, str]
    plataforma_origen: str | None
    jerarquia: tuple[str, ...]


class Lote(Modelo):
    """A lot as the tender declares it."""

    id: str | None
    objeto: str | None
    sin_iva: str | None
    con_iva: str | None
    cpv: tuple[str, ...]


class Criterio(Modelo):
    """Award criterion: tipo OBJ (automatic) or SUBJ (value judgement)."""

    tipo: str | None
    subtipo: str | None
    descripcion: str | None
    peso: str | None


class Garantia(Modelo):
    """Guarantee: tipo 1 provisional, 2 definitive, 3 special (GuaranteeTypeCode)."""

    tipo: str | None
    porcentaje: str | None
    importe: str | None


class Adjudicatario(Modelo):
    """A winner as published; `ids` are pairs (scheme, identifier)."""

    nombre: str | None
    ids: tuple[tuple[str | None, str], ...]


class Resultado(Modelo):
    """One TenderResult: there is one per lot and per winner."""

    lote: str | None
    resultado: str | None
    fecha: str | None
    ofertas: str | None
    pyme: str | None
    baja: str | None
    alta: str | None
    adjudicatarios: tuple[Adjudicatario, ...]
    sin_iva: str | None
    con_iva: str | None
    contratos: tuple[str, ...]


class Documentos(Modelo):
    """File names by kind; `generales` only counted (their detail is in `Detalle.documentos`)."""

    pcap: tuple[str, ...]
    ppt: tuple[str, ...]
    anexos: tuple[str, ...]
    generales: int


class Entrada(Modelo):
    """The literal part of an entry: the contract of `sobre licitacion ver --json` → `entrada`."""

    id: NoVacia
    updated: NoVacia
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
    cpv: tuple[str, ...]
    nuts: tuple[str, ...]
    duracion: tuple[str | None, str | None] | None
    procedimiento: str | None
    urgencia: str | None
    presentacion: str | None
    sistema: str | None
    plazo_ofertas_local: str | None
    lotes: tuple[Lote, ...]
    criterios: tuple[Criterio, ...]
    garantias: tuple[Garantia, ...]
    financiacion_ue: tuple[str, ...]
    resultados: tuple[Resultado, ...]
    documentos: Documentos
    anuncios: tuple[tuple[str | None, str | None, tuple[str, ...]], ...]


class Documento(Modelo):
    """A published document. Identity is (id of the tender, clase, huella); the URI only locates it and may rotate."""

    clase: str  # pcap | ppt | anexo | general
    nombre: str | None
    tipo: str | None  # DocumentTypeCode, general documents only
    uri: str | None
    huella: str | None  # DocumentHash as published (28 characters: base64 of 20 bytes)


class Requisito(Modelo):
    """A solvency or aptitude requirement: clase tecnica | economica | clasificacion | especifico | personal."""

    clase: str
    tipo: str | None
    descripcion: str | None
    umbral: str | None


class DetalleLote(Modelo):
    """What a lot says beyond `Lote`: places, criteria and requirements of its own (since 09/2022)."""

    id: str | None
    nuts: tuple[str, ...]
    criterios: tuple[Criterio, ...]
    requisitos: tuple[Requisito, ...]
    garantias: tuple[Garantia, ...]


class DetalleResultado(Modelo):
    """What a result says beyond `Resultado`, in the same order."""

    descripcion: str | None
    inicio: str | None
    ofertas_pyme: str | None
    ofertas_ue: str | None
    ofertas_no_ue: str | None
    bajas_anormales: str | None
    nacionalidad: str | None
    es_ute_declarada: bool  # PartyLegalEntity/CompanyTypeCode = 1
    contratos_fecha: tuple[str, ...]


class Modificacion(Modelo):
    """A contract modification."""

    id: str | None
    contrato: str | None
    nota: str | None
    sin_iva: str | None
    sin_iva_final: str | None
    duracion_final: tuple[str | None, str | None] | None


class Plazo(Modelo):
    """A published local date and time, with neither zone nor seconds guaranteed: raw pieces."""

    fecha: str | None
    hora: str | None
    nota: str | None


class Detalle(Modelo):
    """Everything else of R3 (facts about bidding that the literal contract does not carry)."""

    resumen: str | None
    tipo_organo: str | None
    actividades: tuple[str, ...]
    perfil_contratante: str | None
    ciudad: str | None
    codigo_postal: str | None
    contrato_mixto: str | None
    lugar: str | None
    inicio: str | None
    fin: str | None
    prorroga: str | None
    tramitacion_sara: str | None  # OverThresholdIndicator
    max_lotes_ofertar: str | None
    max_lotes_adjudicar: str | None
    combinacion_lotes: str | None
    presentacion_lotes: str | None  # PartPresentationCode
    subasta: str | None
    invitados: str | None
    plazo_ofertas: Plazo | None
    plazo_solicitudes: (
        Plazo | None
    )  # ParticipationRequestReceptionPeriod: the deadline of restricted procedures
    plazo_documentos: Plazo | None
    variantes: str | None
    curriculos: str | None
    legislacion: str | None
    recursos: str | None
    revision_precios: str | None
    subcontratacion: tuple[str | None, str | None] | None  # (rate, description)
    condiciones_ejecucion: tuple[str, ...]
    idiomas: tuple[str, ...]
    requisitos: tuple[Requisito, ...]
    anios_actividad: str | None
    empleados: str | None
    lotes: tuple[DetalleLote, ...]
    resultados: tuple[DetalleResultado, ...]
    modificaciones: tuple[Modificacion, ...]
    documentos: tuple[Documento, ...]
    listas: dict[str, str]  # code list URI by field, for codes whose list version matters
    consulta: tuple[tuple[str, str], ...]  # preliminary market consultations: (field, value)


class Licitacion(Modelo):
    """One version of one published file: literal part and detail."""

    entrada: Entrada
    detalle: Detalle


class Lapida(Modelo):
    """An at:deleted-entry (RFC 6721). `tipo`: ANULADA, CERRADA or None (untyped before July 2022)."""

    ref: NoVacia
    cuando: NoVacia
    tipo: str | None
