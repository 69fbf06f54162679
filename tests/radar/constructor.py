"""Small Atom pages for the tests: only what a test is about is said, the rest is a plain tender."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

BASE = "https://contrataciondelestado.es/sindicacion/"
CANONICA = "https://contrataciondelsectorpublico.gob.es/sindicacion/"
PREFIJO = {
    "643": f"{BASE}licitacionesPerfilContratante/",
    "1044": f"{BASE}PlataformasAgregadasSinMenores/",
    "1143": f"{BASE}datosAbiertosMenores/",
    "1383": f"{CANONICA}EMP_SectorPublico/",
    "1403": f"{BASE}CPM_SectorPublico/",
}
CABECERA = {
    "643": "sindicacion_643/licitacionesPerfilesContratanteCompleto3.atom",
    "1044": "sindicacion_1044/PlataformasAgregadasSinMenores.atom",
    "1143": "sindicacion_1143/contratosMenoresPerfilesContratantes.atom",
    "1383": "sindicacion_1383/EMP_SectorPublico.atom",
    "1403": "sindicacion_1403/CPM_SectorPublico.atom",
}
_CODICE = "urn:dgpe:names:draft:codice"
ESPACIOS = (
    f'xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0"'
    f' xmlns:cbc="{_CODICE}:schema:xsd:CommonBasicComponents-2"'
    f' xmlns:cac="{_CODICE}:schema:xsd:CommonAggregateComponents-2"'
    f' xmlns:cbc-place-ext="{_CODICE}-place-ext:schema:xsd:CommonBasicComponents-2"'
    f' xmlns:cac-place-ext="{_CODICE}-place-ext:schema:xsd:CommonAggregateComponents-2"'
)
LISTAS = "http://contrataciondelestado.es/codice/cl/"
URI = "https://contrataciondelestado.es/FileSystem/servlet/GetDocumentByIdServlet"
T0 = "2026-02-16T10:00:00.000+01:00"
T1 = "2026-02-17T10:00:00.000+01:00"
T2 = "2026-02-18T10:00:00.000+01:00"


def ident(n: int, fuente: str = "643") -> str:
    """The full id of tender `n`."""
    return f"{PREFIJO[fuente]}{n}"


def pagina(*piezas: str, updated: str = "2026-03-02T09:00:00.000+01:00", fuente: str = "643") -> bytes:
    """A whole feed with those entries and tombstones."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><feed {ESPACIOS}><id>{BASE}{CABECERA[fuente]}</id>'
        f"<title>prueba</title><updated>{updated}</updated>{''.join(piezas)}</feed>"
    ).encode()


def lapida(n: int, cuando: str, tipo: str | None = None, fuente: str = "643") -> str:
    """An at:deleted-entry."""
    comentario = f'<at:comment type="{tipo}"/>' if tipo else ""
    return f'<at:deleted-entry ref="{ident(n, fuente)}" when="{cuando}">{comentario}</at:deleted-entry>'


def entrada(
    n: int = 1,
    updated: str = T0,
    *partes: str,
    estado: str | None = "PUB",
    expediente: str | None = "EXP-1",
    titulo: str = "Servicio de prueba",
    resumen: str = "texto libre",
    organo: str | None = None,
    fuente: str = "643",
) -> str:
    """An entry with its contract folder; `partes` are its pieces (proyecto, proceso, resultado…)."""
    piezas = "".join(partes)
    if "<cac:ProcurementProject>" not in piezas.replace("ProcurementProjectLot", ""):
        piezas = proyecto() + piezas
    return (
        f"<entry><id>{ident(n, fuente)}</id><link href='https://contrataciondelestado.es/x'/>"
        f'<summary type="text">{resumen}</summary><title>{titulo}</title><updated>{updated}</updated>'
        f"<cac-place-ext:ContractFolderStatus>{_hoja('cbc:ContractFolderID', expediente)}"
        f"{_hoja('cbc-place-ext:ContractFolderStatusCode', estado)}{organo or comprador()}{piezas}"
        "</cac-place-ext:ContractFolderStatus></entry>"
    )


def _hoja(nombre: str, valor: str | None, **atributos: str) -> str:
    if valor is None:
        return ""
    marcas = "".join(f" {clave}={quoteattr(v)}" for clave, v in atributos.items())
    return f"<{nombre}{marcas}>{valor}</{nombre}>"


def comprador(nombre: str = "Ayuntamiento de Villaejemplo", dir3: str = "L01990017", resto: str = "") -> str:
    """A contracting body; `resto` goes after the party."""
    return (
        "<cac-place-ext:LocatedContractingParty><cac:Party><cac:PartyIdentification>"
        f'<cbc:ID schemeName="DIR3">{dir3}</cbc:ID></cac:PartyIdentification>'
        f"<cac:PartyName><cbc:Name>{nombre}</cbc:Name></cac:PartyName></cac:Party>{resto}"
        "</cac-place-ext:LocatedContractingParty>"
    )


def proyecto(
    objeto: str | None = "Servicio de prueba",
    *,
    estimado: str | None = "20000",
    sin_iva: str | None = "10000",
    con_iva: str | None = "12100",
    cpv: Iterable[str] = ("72000000",),
    nuts: str = "ES300",
    lista_cpv: str = "2.04/CPV2008-2.04.gc",
    tipo: str = "2",
    lista_tipo: str = "2.08/ContractCode-2.08.gc",
) -> str:
    """The procurement project: its three amounts apart, CPV, NUTS."""
    codigos = "".join(
        "<cac:RequiredCommodityClassification>"
        + _hoja("cbc:ItemClassificationCode", codigo, listURI=LISTAS + lista_cpv)
        + "</cac:RequiredCommodityClassification>"
        for codigo in cpv
    )
    return (
        f"<cac:ProcurementProject>{_hoja('cbc:Name', objeto)}"
        f"{_hoja('cbc:TypeCode', tipo, listURI=LISTAS + lista_tipo)}<cac:BudgetAmount>"
        f"{_hoja('cbc:EstimatedOverallContractAmount', estimado, currencyID='EUR')}"
        f"{_hoja('cbc:TotalAmount', con_iva, currencyID='EUR')}"
        f"{_hoja('cbc:TaxExclusiveAmount', sin_iva, currencyID='EUR')}</cac:BudgetAmount>{codigos}"
        f"<cac:RealizedLocation>{_hoja('cbc:CountrySubentityCode', nuts)}</cac:RealizedLocation>"
        "</cac:ProcurementProject>"
    )


def lote(id_: str, objeto: str = "Lote", sin_iva: str | None = "5000", cpv: str = "72000000") -> str:
    """A declared lot."""
    return (
        f'<cac:ProcurementProjectLot><cbc:ID schemeName="ID_LOTE">{id_}</cbc:ID><cac:ProcurementProject>'
        f"<cbc:Name>{objeto}</cbc:Name><cac:BudgetAmount>"
        f"{_hoja('cbc:TaxExclusiveAmount', sin_iva, currencyID='EUR')}</cac:BudgetAmount>"
        "<cac:RequiredCommodityClassification>"
        f"<cbc:ItemClassificationCode>{cpv}</cbc:ItemClassificationCode></cac:RequiredCommodityClassification>"
        "</cac:ProcurementProject></cac:ProcurementProjectLot>"
    )


def proceso(
    fecha: str | None = "2026-03-20",
    hora: str | None = "14:00:00",
    *,
    procedimiento: str = "1",
    solicitudes: tuple[str, str] | None = None,
) -> str:
    """The tendering process; `solicitudes` is the deadline to ask to take part (restricted procedures)."""
    plazo = ""
    if fecha is not None or hora is not None:
        plazo = (
            f"<cac:TenderSubmissionDeadlinePeriod>{_hoja('cbc:EndDate', fecha)}{_hoja('cbc:EndTime', hora)}"
            "</cac:TenderSubmissionDeadlinePeriod>"
        )
    if solicitudes is not None:
        plazo += (
            f"<cac:ParticipationRequestReceptionPeriod>{_hoja('cbc:EndDate', solicitudes[0])}"
            f"{_hoja('cbc:EndTime', solicitudes[1])}</cac:ParticipationRequestReceptionPeriod>"
        )
    return (
        f"<cac:TenderingProcess>{_hoja('cbc:ProcedureCode', procedimiento)}"
        f"<cbc:UrgencyCode>1</cbc:UrgencyCode>{plazo}</cac:TenderingProcess>"
    )


def ganador(nombre: str = "Empresa Ficticia, S.L.", *ids: tuple[str, str], forma: str | None = None) -> str:
    """A winning party; `ids` are (scheme, identifier); `forma` is CompanyTypeCode (1 = joint venture)."""
    identificadores = "".join(
        f'<cac:PartyIdentification><cbc:ID schemeName="{e}">{v}</cbc:ID></cac:PartyIdentification>'
        for e, v in ids or (("NIF", "B00000018"),)
    )
    entidad = (
        f"<cac:PartyLegalEntity>{_hoja('cbc:CompanyTypeCode', forma)}</cac:PartyLegalEntity>" if forma else ""
    )
    return (
        f"<cac:WinningParty>{identificadores}<cac:PartyName><cbc:Name>{escape(nombre)}</cbc:Name></cac:PartyName>"
        f"{entidad}</cac:WinningParty>"
    )


def resultado(
    codigo: str,
    *,
    lote: str | None = None,
    sin_iva: str | None = None,
    ganadores: Iterable[str] | None = None,
    ofertas: str | None = "2",
    pyme: str | None = None,
) -> str:
    """A TenderResult: awarded codes (1, 2, 8, 9, 11) get a winner unless `ganadores` says otherwise."""
    if ganadores is None:
        ganadores = (ganador(),) if codigo in {"1", "2", "8", "9", "11"} else ()
    importes = _hoja("cbc:TaxExclusiveAmount", sin_iva, currencyID="EUR")
    return (
        f"<cac:TenderResult>{_hoja('cbc:ResultCode', codigo)}<cbc:AwardDate>2026-02-10</cbc:AwardDate>"
        f"{_hoja('cbc:ReceivedTenderQuantity', ofertas)}{_hoja('cbc:SMEAwardedIndicator', pyme)}"
        f"{''.join(ganadores)}<cac:AwardedTenderedProject>{_hoja('cbc:ProcurementProjectLotID', lote)}"
        f"{f'<cac:LegalMonetaryTotal>{importes}</cac:LegalMonetaryTotal>' if importes else ''}"
        "</cac:AwardedTenderedProject></cac:TenderResult>"
    )


def documento(huella: str, *, clase: str = "Legal", nombre: str = "PCAP.pdf", uri: str = f"{URI}?a=1") -> str:
    """A document of the tender (clase Legal, Technical or Additional)."""
    return (
        f"<cac:{clase}DocumentReference><cbc:ID>{nombre}</cbc:ID><cac:Attachment><cac:ExternalReference>"
        f"<cbc:URI>{escape(uri)}</cbc:URI><cbc:DocumentHash>{huella}</cbc:DocumentHash>"
        f"</cac:ExternalReference></cac:Attachment></cac:{clase}DocumentReference>"
    )


def anuncio(tipo: str, *fechas: str, medio: str = "Perfil del contratante") -> str:
    """A ValidNoticeInfo with one publication and its issue dates."""
    referencias = "".join(
        "<cac-place-ext:AdditionalPublicationDocumentReference>"
        f"<cbc:IssueDate>{fecha}</cbc:IssueDate></cac-place-ext:AdditionalPublicationDocumentReference>"
        for fecha in fechas
    )
    return (
        f"<cac-place-ext:ValidNoticeInfo><cbc-place-ext:NoticeTypeCode>{tipo}</cbc-place-ext:NoticeTypeCode>"
        "<cac-place-ext:AdditionalPublicationStatus>"
        f"<cbc-place-ext:PublicationMediaName>{medio}</cbc-place-ext:PublicationMediaName>{referencias}"
        "</cac-place-ext:AdditionalPublicationStatus></cac-place-ext:ValidNoticeInfo>"
    )


def consulta(n: int = 1, updated: str = T0, estado: str = "PUB", limite: str = "2026-03-27") -> str:
    """A preliminary market consultation (dataset 1403)."""
    return (
        f"<entry><id>{ident(n, '1403')}</id><title>Consulta de prueba</title><updated>{updated}</updated>"
        "<cac-place-ext:PreliminaryMarketConsultationStatus>"
        "<cbc:PreliminaryMarketConsultationID>CPM-1</cbc:PreliminaryMarketConsultationID>"
        f"{_hoja('cbc-place-ext:PreliminaryMarketConsultationStatusCode', estado)}"
        "<cbc:ConsultationName>Consulta sobre datos abiertos</cbc:ConsultationName>"
        f"<cbc:ConditionTypeCode>A</cbc:ConditionTypeCode><cbc:LimitDate>{limite}</cbc:LimitDate>{comprador()}"
        "</cac-place-ext:PreliminaryMarketConsultationStatus></entry>"
    )
