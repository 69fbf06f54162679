"""Atom pages as PLACSP writes them, built from small descriptions. All content is invented."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from xml.sax.saxutils import escape
from zoneinfo import ZoneInfo

MADRID = ZoneInfo("Europe/Madrid")

PREFIJOS = {
    "643": "https://contrataciondelestado.es/sindicacion/licitacionesPerfilContratante/",
    "1044": "https://contrataciondelestado.es/sindicacion/PlataformasAgregadasSinMenores/",
    "1143": "https://contrataciondelestado.es/sindicacion/datosAbiertosMenores/",
}

_ESPACIOS = (
    'xmlns="http://www.w3.org/2005/Atom"'
    ' xmlns:cbc-place-ext="urn:dgpe:names:draft:codice-place-ext:schema:xsd:CommonBasicComponents-2"'
    ' xmlns:cac-place-ext="urn:dgpe:names:draft:codice-place-ext:schema:xsd:CommonAggregateComponents-2"'
    ' xmlns:cbc="urn:dgpe:names:draft:codice:schema:xsd:CommonBasicComponents-2"'
    ' xmlns:cac="urn:dgpe:names:draft:codice:schema:xsd:CommonAggregateComponents-2"'
    ' xmlns:at="http://purl.org/atompub/tombstones/1.0"'
)


@dataclass(frozen=True)
class Anotacion:
    """One entry: a version of tender `numero` published at `instante` (aware)."""

    numero: int
    instante: datetime
    objeto: str = "Suministro de material de oficina"
    estado: str = "PUB"
    fuente: str = "643"

    @property
    def id(self) -> str:
        """Full Atom id."""
        return f"{PREFIJOS[self.fuente]}{self.numero}"


@dataclass(frozen=True)
class LapidaMuestra:
    """One tombstone of tender `numero`; `tipo` is ANULADA, CERRADA or None."""

    numero: int
    instante: datetime
    tipo: str | None = "ANULADA"
    fuente: str = "643"

    @property
    def id(self) -> str:
        """Full Atom id of what is taken down."""
        return f"{PREFIJOS[self.fuente]}{self.numero}"


Cosa = Anotacion | LapidaMuestra


@dataclass(frozen=True)
class Enlaces:
    """Links of a page as they will be written (relative or absolute); `siguiente` None ends the chain."""

    propio: str
    primero: str
    siguiente: str | None = None
    anterior: str | None = None


def rfc3339(instante: datetime) -> str:
    """Madrid's offset and milliseconds, as the source writes them."""
    return instante.astimezone(MADRID).isoformat(timespec="milliseconds")


def pagina(cosas: tuple[Cosa, ...], enlaces: Enlaces, generada: datetime) -> bytes:
    """A whole page: tombstones first, then entries, each newest first."""
    partes = [
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<feed {_ESPACIOS}>',
        "<author><name>Plataforma de Contratación del Sector Público</name></author>",
        f"<id>{escape(enlaces.primero)}</id>",
        *_enlaces(enlaces),
        "<title>Página de prueba</title>",
        f"<updated>{rfc3339(generada)}</updated>",
    ]
    ordenadas = sorted(cosas, key=lambda c: c.instante, reverse=True)
    partes += [_lapida(c) for c in ordenadas if isinstance(c, LapidaMuestra)]
    partes += [_entrada(c) for c in ordenadas if isinstance(c, Anotacion)]
    return "\n".join([*partes, "</feed>"]).encode()


def _enlaces(enlaces: Enlaces) -> list[str]:
    relaciones = (
        ("self", enlaces.propio),
        ("first", enlaces.primero),
        ("prev", enlaces.anterior),
        ("next", enlaces.siguiente),
    )
    return [f'<link href="{escape(href)}" rel="{rel}"/>' for rel, href in relaciones if href is not None]


def _lapida(lapida: LapidaMuestra) -> str:
    comentario = f'<at:comment type="{lapida.tipo}"/>' if lapida.tipo else ""
    return f'<at:deleted-entry ref="{lapida.id}" when="{rfc3339(lapida.instante)}">{comentario}</at:deleted-entry>'


def _entrada(anotacion: Anotacion) -> str:
    a = anotacion
    plazo = datetime(2030, 1, 31, tzinfo=UTC).date().isoformat()
    return f"""<entry>
<id>{a.id}</id>
<link href="https://contrataciondelestado.es/wps/poc?uri=deeplink:detalle_licitacion&amp;idEvl=prueba{a.numero}"/>
<summary type="text">Id licitación: EXP/{a.numero}; Estado: {a.estado}</summary>
<title>{escape(a.objeto)}</title>
<updated>{rfc3339(a.instante)}</updated>
<cac-place-ext:ContractFolderStatus>
<cbc:ContractFolderID>EXP/{a.numero}</cbc:ContractFolderID>
<cbc-place-ext:ContractFolderStatusCode>{a.estado}</cbc-place-ext:ContractFolderStatusCode>
<cac-place-ext:LocatedContractingParty><cac:Party>
<cac:PartyIdentification><cbc:ID schemeName="DIR3">LA0000001</cbc:ID></cac:PartyIdentification>
<cac:PartyName><cbc:Name>Ayuntamiento Ficticio de Prueba</cbc:Name></cac:PartyName>
</cac:Party></cac-place-ext:LocatedContractingParty>
<cac:ProcurementProject>
<cbc:Name>{escape(a.objeto)}</cbc:Name><cbc:TypeCode>1</cbc:TypeCode>
<cac:BudgetAmount>
<cbc:EstimatedOverallContractAmount currencyID="EUR">{a.numero * 100}</cbc:EstimatedOverallContractAmount>
<cbc:TotalAmount currencyID="EUR">{a.numero * 121}</cbc:TotalAmount>
<cbc:TaxExclusiveAmount currencyID="EUR">{a.numero * 100}</cbc:TaxExclusiveAmount>
</cac:BudgetAmount>
<cac:RequiredCommodityClassification>
<cbc:ItemClassificationCode>30192000</cbc:ItemClassificationCode>
</cac:RequiredCommodityClassification>
<cac:RealizedLocation><cbc:CountrySubentityCode>ES300</cbc:CountrySubentityCode></cac:RealizedLocation>
</cac:ProcurementProject>
<cac:TenderingProcess>
<cbc:ProcedureCode>1</cbc:ProcedureCode><cbc:UrgencyCode>1</cbc:UrgencyCode>
<cac:TenderSubmissionDeadlinePeriod>
<cbc:EndDate>{plazo}</cbc:EndDate><cbc:EndTime>14:00:00</cbc:EndTime>
</cac:TenderSubmissionDeadlinePeriod>
</cac:TenderingProcess>
</cac-place-ext:ContractFolderStatus>
</entry>"""
