"""What one version of one published file says, as published: `Licitacion` and its parts.

Strings are verbatim but for white space, which is collapsed; lists keep document order; codes are codes, never
labels, and an unknown one is kept as it came. Amounts and dates stay text: the published value is never repaired
(`importes.py` and `fechas.py` say what it means).
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, Strict, StringConstraints

T = TypeVar("T")
NoVacia = Annotated[str, StringConstraints(min_length=1)]
Lista: TypeAlias = Annotated[tuple[T, ...], Strict(strict=False)]
"""A tuple that may be given as a list (the reader appends); its elements are strict."""
Par: TypeAlias = Annotated[tuple[str | None, str | None], Strict(strict=False)]


class Modelo(BaseModel):
    """Strict, frozen, closed: what is not declared is not accepted."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Organo(Modelo):
    """Contracting body. `ids` by scheme (DIR3, NIF, ID_PLATAFORMA, ID_OC_PLAT); `jerarquia` goes bottom-up."""

    nombre: str | None = None
    ids: dict[str, str] = Field(default_factory=dict)
    plataforma_origen: str | None = None  # 62 = Generalitat de Catalunya: where it came from, not a supplier
    jerarquia: Lista[str] = ()
    tipo: str | None = None
    actividades: Lista[str] = ()
    perfil_contratante: str | None = None
    web: str | None = None
    ciudad: str | None = None
    codigo_postal: str | None = None


class Criterio(Modelo):
    """Award criterion: tipo OBJ (automatic) or SUBJ (value judgement)."""

    tipo: str | None = None
    subtipo: str | None = None
    descripcion: str | None = None
    peso: str | None = None
    nota: str | None = None


class Garantia(Modelo):
    """Guarantee: tipo 1 provisional, 2 definitive, 3 special (GuaranteeTypeCode)."""

    tipo: str | None = None
    porcentaje: str | None = None
    importe: str | None = None


class Requisito(Modelo):
    """A requirement to take part: clase tecnica | economica | clasificacion | especifico | personal."""

    clase: str
    tipo: str | None = None
    descripcion: str | None = None
    umbral: str | None = None


class Lote(Modelo):
    """A lot as the tender declares it; criteria and requirements of its own exist since 09/2022."""

    id: str | None = None
    objeto: str | None = None
    valor_estimado: str | None = None
    sin_iva: str | None = None
    con_iva: str | None = None
    cpv: Lista[str] = ()
    nuts: Lista[str] = ()
    criterios: Lista[Criterio] = ()
    garantias: Lista[Garantia] = ()
    requisitos: Lista[Requisito] = ()


class Adjudicatario(Modelo):
    """A winner as published; `ids` are pairs (scheme, identifier); `tipo_empresa` 1 = UTE (CompanyTypeCode)."""

    nombre: str | None = None
    ids: Lista[Par] = ()
    tipo_empresa: str | None = None
    ciudad: str | None = None


class Contrato(Modelo):
    """A formalised contract: number and date of issue."""

    numero: str | None = None
    fecha: str | None = None


class Subcontratacion(Modelo):
    """Share and description of what is or may be subcontracted."""

    porcentaje: str | None = None
    descripcion: str | None = None


class Resultado(Modelo):
    """One TenderResult: there is one per lot and per winner."""

    lote: str | None = None
    resultado: str | None = None
    listas: dict[str, str] = Field(default_factory=dict)
    descripcion: str | None = None
    fecha: str | None = None
    inicio: str | None = None
    ofertas: str | None = None
    ofertas_pyme: str | None = None
    ofertas_ue: str | None = None
    ofertas_no_ue: str | None = None
    bajas_anormales: str | None = None
    pyme: str | None = None
    nacionalidad: str | None = None
    baja: str | None = None
    alta: str | None = None
    adjudicatarios: Lista[Adjudicatario] = ()
    sin_iva: str | None = None
    con_iva: str | None = None
    contratos: Lista[Contrato] = ()
    subcontrata: Subcontratacion | None = None


class Modificacion(Modelo):
    """A contract modification; `duracion_final` is (quantity, unit)."""

    id: str | None = None
    contrato: str | None = None
    nota: str | None = None
    sin_iva: str | None = None
    sin_iva_final: str | None = None
    duracion_final: Par | None = None


class Documento(Modelo):
    """A published document: clase pcap | ppt | anexo | general.

    Its identity is (tender, clase, huella): `uri` only locates it, and may rotate or expire (see `identidad`).
    """

    clase: str
    nombre: str | None = None  # the name for pliegos and annexes, an identifier for general documents
    fichero: str | None = None
    tipo: str | None = None  # DocumentTypeCode, general documents only
    uri: str | None = None
    huella: str | None = None  # DocumentHash as published (28 characters: base64 of 20 bytes)

    @property
    def identidad(self) -> tuple[str, str]:
        """What makes it the same document in another version; without a hash, its name."""
        return (self.clase, self.huella or self.nombre or self.fichero or self.uri or "")


class Publicacion(Modelo):
    """Where and when a notice came out; the same notice may have many dates in one medium."""

    medio: str | None = None
    fechas: Lista[str] = ()


class Anuncio(Modelo):
    """A notice (DOC_CN, DOC_CD, DOC_CAN_ADJ…) and its publications."""

    tipo: str | None = None
    listas: dict[str, str] = Field(default_factory=dict)
    publicaciones: Lista[Publicacion] = ()


class Plazo(Modelo):
    """A published local date and time, whose zone is not said: raw pieces."""

    fecha: str | None = None
    hora: str | None = None
    nota: str | None = None


class Consulta(Modelo):
    """A preliminary market consultation (dataset 1403): tipo A open, S selective."""

    condiciones: str | None = None
    tipo: str | None = None
    fecha_prevista: str | None = None
    fecha_limite: str | None = None


class Licitacion(Modelo):
    """One version of one published file. `listas` are the code list URIs, for codes whose list changes version."""

    id: NoVacia
    updated: NoVacia
    link: str | None = None
    resumen: str | None = None
    titulo: str | None = None
    expediente: str | None = None
    estado: str | None = None
    uuid_ted: str | None = None
    objeto: str | None = None
    organo: Organo = Field(default_factory=Organo)
    tipo: str | None = None
    subtipo: str | None = None
    contrato_mixto: str | None = None
    valor_estimado: str | None = None
    presupuesto_sin_iva: str | None = None
    presupuesto_con_iva: str | None = None
    cpv: Lista[str] = ()
    nuts: Lista[str] = ()
    lugar: str | None = None
    duracion: Par | None = None
    inicio: str | None = None
    fin: str | None = None
    prorroga: str | None = None
    opciones: str | None = None
    lotes: Lista[Lote] = ()
    procedimiento: str | None = None
    urgencia: str | None = None
    presentacion: str | None = None
    sistema: str | None = None
    sara: str | None = None  # OverThresholdIndicator: subject to harmonised regulation
    presentacion_lotes: str | None = None  # 1 one lot, 2 all, 3 one or several
    max_lotes_ofertar: str | None = None
    max_lotes_adjudicar: str | None = None
    combinacion_lotes: str | None = None
    subasta: str | None = None
    limite_invitados: str | None = None
    plazo_ofertas: Plazo | None = None
    plazo_solicitudes: Plazo | None = None  # to take part: the deadline of restricted procedures
    plazo_documentos: Plazo | None = None
    variantes: str | None = None
    curriculos: str | None = None
    legislacion: str | None = None
    recursos: str | None = None
    revision_precios: str | None = None
    financiacion_ue: Lista[str] = ()
    subcontratacion: Lista[Subcontratacion] = ()
    condiciones_ejecucion: Lista[str] = ()
    idiomas: Lista[str] = ()
    requisitos: Lista[Requisito] = ()
    anios_actividad: str | None = None
    empleados: str | None = None
    criterios: Lista[Criterio] = ()
    garantias: Lista[Garantia] = ()
    resultados: Lista[Resultado] = ()
    modificaciones: Lista[Modificacion] = ()
    documentos: Lista[Documento] = ()
    anuncios: Lista[Anuncio] = ()
    listas: dict[str, str] = Field(default_factory=dict)
    consulta: Consulta | None = None


class Lapida(Modelo):
    """An at:deleted-entry (RFC 6721). `tipo`: ANULADA, CERRADA or None (untyped before July 2022)."""

    ref: NoVacia
    cuando: NoVacia
    tipo: str | None
