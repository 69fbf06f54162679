"""CODICE to our words: the only place where its tag names appear (syndication specification v1.10, section 3)."""

from __future__ import annotations

from lxml import etree

from dominios.licitaciones.radar.lectura import (
    Datos,
    Interior,
    Regla,
    Tabla,
    atributo,
    codigo,
    codigos,
    con_atributo,
    dentro,
    hoja,
    hoja_de_esquema,
    hoja_en,
    hojas,
    leer,
    objeto,
    objetos,
    pares_de_esquema,
    por_esquema,
)
from dominios.licitaciones.radar.modelo import Licitacion
from nucleo.errores import ErrorEntrada

ATOM = "{http://www.w3.org/2005/Atom}"
CBC = "{urn:dgpe:names:draft:codice:schema:xsd:CommonBasicComponents-2}"
CAC = "{urn:dgpe:names:draft:codice:schema:xsd:CommonAggregateComponents-2}"
CBCX = "{urn:dgpe:names:draft:codice-place-ext:schema:xsd:CommonBasicComponents-2}"
CACX = "{urn:dgpe:names:draft:codice-place-ext:schema:xsd:CommonAggregateComponents-2}"

EXPEDIENTE = f"{CACX}ContractFolderStatus"
CONSULTA = f"{CACX}PreliminaryMarketConsultationStatus"


def mapear(entrada: etree._Element) -> Licitacion:
    """One atom:entry, whole, as a validated `Licitacion`.

    Raises ErrorEntrada when it carries neither a contract folder nor a market consultation, and pydantic's
    ValidationError when a value does not have the form it must have (no id, no updated).
    """
    datos: Datos = {}
    leer(entrada, _ENTRADA, datos)
    if not datos.pop("_leido", False):
        raise ErrorEntrada(
            "La entrada no trae ni expediente ni consulta preliminar: no se sabe leer.",
            codigo="sin_contenido",
        )
    return Licitacion.model_validate(datos)


_CPV = dentro({f"{CBC}ItemClassificationCode": codigos("cpv")})
_PERIODO: Tabla = {
    f"{CBC}EndDate": hoja("fecha"),
    f"{CBC}EndTime": hoja("hora"),
    f"{CBC}Description": hoja("nota"),
}

_PADRE: Tabla = {f"{CAC}PartyName": dentro({f"{CBC}Name": hojas("jerarquia")})}
_PADRE[f"{CACX}ParentLocatedParty"] = dentro(_PADRE)

_DIRECCION = dentro({f"{CBC}CityName": hoja("ciudad"), f"{CBC}PostalZone": hoja("codigo_postal")})
_AGENTE = dentro(
    {
        f"{CAC}PartyIdentification": dentro({f"{CBC}ID": hoja("plataforma_origen")}),
        f"{CAC}PartyName": dentro({f"{CBC}Name": hoja("plataforma_origen")}),
    }
)
_ORGANO: Tabla = {
    f"{CBC}ContractingPartyTypeCode": hoja("tipo"),
    f"{CBC}ActivityCode": hojas("actividades"),
    f"{CBC}BuyerProfileURIID": hoja("perfil_contratante"),
    f"{CAC}Party": dentro(
        {
            f"{CBC}WebsiteURI": hoja("web"),
            f"{CAC}PartyIdentification": dentro({f"{CBC}ID": por_esquema("ids")}),
            f"{CAC}PartyName": dentro({f"{CBC}Name": hoja("nombre")}),
            f"{CAC}PostalAddress": _DIRECCION,
            f"{CAC}AgentParty": _AGENTE,
        }
    ),
    # The hierarchy is the one of the extension vocabulary: cac:ParentLocatedParty is another thing.
    f"{CACX}ParentLocatedParty": dentro(_PADRE),
}

_PROYECTO: Tabla = {
    f"{CBC}Name": hoja("objeto"),
    f"{CBC}TypeCode": codigo("tipo"),
    f"{CBC}SubTypeCode": codigo("subtipo"),
    f"{CBC}MixContractIndicator": hoja("contrato_mixto"),
    f"{CAC}BudgetAmount": dentro(
        {
            f"{CBC}EstimatedOverallContractAmount": hoja("valor_estimado"),
            f"{CBC}TaxExclusiveAmount": hoja("presupuesto_sin_iva"),
            f"{CBC}TotalAmount": hoja("presupuesto_con_iva"),
        }
    ),
    f"{CAC}RequiredCommodityClassification": _CPV,
    f"{CAC}RealizedLocation": dentro(
        {
            f"{CBC}CountrySubentityCode": codigos("nuts"),
            f"{CBC}CountrySubentity": hoja("lugar"),
            f"{CAC}Address": dentro({f"{CBC}CityName": hoja("lugar")}),
        }
    ),
    f"{CAC}PlannedPeriod": dentro(
        {
            f"{CBC}DurationMeasure": con_atributo("duracion", "unitCode"),
            f"{CBC}StartDate": hoja("inicio"),
            f"{CBC}EndDate": hoja("fin"),
        }
    ),
    f"{CAC}ContractExtension": dentro(
        {
            f"{CBC}OptionsDescription": hoja("opciones"),
            f"{CAC}OptionValidityPeriod": dentro({f"{CBC}Description": hoja("prorroga")}),
        }
    ),
}

_REQUISITO: Tabla = {
    f"{CBC}EvaluationCriteriaTypeCode": hoja("tipo"),
    f"{CBC}RequirementTypeCode": hoja("tipo"),
    f"{CBC}CodeValue": hoja("tipo"),
    f"{CBC}Description": hoja("descripcion"),
    f"{CBC}ThresholdQuantity": hoja("umbral"),
}


def _situacion_personal(elemento: etree._Element, datos: Datos) -> None:
    requisito: Datos = {"clase": "personal"}
    hoja("descripcion")(elemento, requisito)
    datos.setdefault("requisitos", []).append(requisito)  # type: ignore[attr-defined]


_APTITUD: Tabla = {
    f"{CBC}PersonalSituation": _situacion_personal,
    f"{CAC}RequiredBusinessClassificationScheme": dentro(
        {f"{CAC}ClassificationCategory": objetos("requisitos", _REQUISITO, clase="clasificacion")}
    ),
    f"{CAC}TechnicalEvaluationCriteria": objetos("requisitos", _REQUISITO, clase="tecnica"),
    f"{CAC}FinancialEvaluationCriteria": objetos("requisitos", _REQUISITO, clase="economica"),
    f"{CAC}SpecificTendererRequirement": objetos("requisitos", _REQUISITO, clase="especifico"),
}

_CONDICIONES_DE_LOTE: Tabla = {
    f"{CAC}RequiredFinancialGuarantee": objetos(
        "garantias",
        {
            f"{CBC}GuaranteeTypeCode": hoja("tipo"),
            f"{CBC}AmountRate": hoja("porcentaje"),
            f"{CBC}LiabilityAmount": hoja("importe"),
        },
    ),
    f"{CAC}AwardingTerms": dentro(
        {
            f"{CAC}AwardingCriteria": objetos(
                "criterios",
                {
                    f"{CBC}AwardingCriteriaTypeCode": hoja("tipo"),
                    f"{CBC}AwardingCriteriaSubTypeCode": hoja("subtipo"),
                    f"{CBC}Description": hoja("descripcion"),
                    f"{CBC}WeightNumeric": hoja("peso"),
                    f"{CBC}Note": hoja("nota"),
                },
            )
        }
    ),
    f"{CAC}TendererQualificationRequest": dentro(_APTITUD),
}

_CONDICIONES: Tabla = {
    **_CONDICIONES_DE_LOTE,
    f"{CAC}TendererQualificationRequest": dentro(
        {
            **_APTITUD,
            f"{CBC}OperatingYearsQuantity": hoja("anios_actividad"),
            f"{CBC}EmployeeQuantity": hoja("empleados"),
        }
    ),
    f"{CBC}VariantConstraintIndicator": hoja("variantes"),
    f"{CBC}RequiredCurriculaIndicator": hoja("curriculos"),
    f"{CBC}FundingProgramCode": hojas("financiacion_ue"),
    f"{CBC}ProcurementNationalLegislationCode": hoja("legislacion"),
    f"{CBC}ReceivedAppealQuantity": hoja("recursos"),
    f"{CBC}PriceRevisionFormulaDescription": hoja("revision_precios"),
    f"{CAC}AllowedSubcontractTerms": objetos(
        "subcontratacion", {f"{CBC}Rate": hoja("porcentaje"), f"{CBC}Description": hoja("descripcion")}
    ),
    f"{CAC}ContractExecutionRequirement": dentro({f"{CBC}Description": hojas("condiciones_ejecucion")}),
    f"{CAC}Language": dentro({f"{CBC}ID": hojas("idiomas")}),
}

_LOTE: Tabla = {
    f"{CBC}ID": hoja("id"),
    f"{CAC}ProcurementProject": dentro(
        {
            f"{CBC}Name": hoja("objeto"),
            f"{CAC}BudgetAmount": dentro(
                {
                    f"{CBC}EstimatedOverallContractAmount": hoja("valor_estimado"),
                    f"{CBC}TaxExclusiveAmount": hoja("sin_iva"),
                    f"{CBC}TotalAmount": hoja("con_iva"),
                }
            ),
            f"{CAC}RequiredCommodityClassification": dentro({f"{CBC}ItemClassificationCode": hojas("cpv")}),
            f"{CAC}RealizedLocation": dentro({f"{CBC}CountrySubentityCode": hojas("nuts")}),
        }
    ),
    f"{CAC}TenderingTerms": dentro(_CONDICIONES_DE_LOTE),
}

_PROCESO: Tabla = {
    f"{CBC}ProcedureCode": codigo("procedimiento"),
    f"{CBC}UrgencyCode": hoja("urgencia"),
    f"{CBC}SubmissionMethodCode": hoja("presentacion"),
    f"{CBC}ContractingSystemCode": hoja("sistema"),
    f"{CBC}OverThresholdIndicator": hoja("sara"),
    f"{CBC}PartPresentationCode": hoja("presentacion_lotes"),
    f"{CBC}MaximumLotPresentationQuantity": hoja("max_lotes_ofertar"),
    f"{CBC}MaximumTendererAwardedLotsQuantity": hoja("max_lotes_adjudicar"),
    f"{CBC}LotsCombinationContractingAuthorityRights": hoja("combinacion_lotes"),
    f"{CAC}AuctionTerms": dentro({f"{CBC}AuctionConstraintIndicator": hoja("subasta")}),
    f"{CAC}EconomicOperatorShortList": dentro({f"{CBC}LimitationDescription": hoja("limite_invitados")}),
    f"{CAC}TenderSubmissionDeadlinePeriod": objeto("plazo_ofertas", _PERIODO),
    f"{CAC}ParticipationRequestReceptionPeriod": objeto("plazo_solicitudes", _PERIODO),
    f"{CAC}DocumentAvailabilityPeriod": objeto("plazo_documentos", _PERIODO),
}

_RESULTADO: Tabla = {
    f"{CBC}ResultCode": codigo("resultado"),
    f"{CBC}Description": hoja("descripcion"),
    f"{CBC}AwardDate": hoja("fecha"),
    f"{CBC}StartDate": hoja("inicio"),
    f"{CBC}ReceivedTenderQuantity": hoja("ofertas"),
    f"{CBC}SMEsReceivedTenderQuantity": hoja("ofertas_pyme"),
    f"{CBC}EUNationalsReceivedTenderQuantity": hoja("ofertas_ue"),
    f"{CBC}NonEUNationalsReceivedTenderQuantity": hoja("ofertas_no_ue"),
    f"{CBC}AbnormallyLowTendersIndicator": hoja("bajas_anormales"),
    f"{CBC}SMEAwardedIndicator": hoja("pyme"),
    f"{CBC}AwardedOwnerNationalityCode": hoja("nacionalidad"),
    f"{CBC}LowerTenderAmount": hoja("baja"),
    f"{CBC}HigherTenderAmount": hoja("alta"),
    f"{CAC}Contract": objetos("contratos", {f"{CBC}ID": hoja("numero"), f"{CBC}IssueDate": hoja("fecha")}),
    f"{CAC}WinningParty": objetos(
        "adjudicatarios",
        {
            f"{CAC}PartyIdentification": dentro({f"{CBC}ID": pares_de_esquema("ids")}),
            f"{CAC}PartyName": dentro({f"{CBC}Name": hoja("nombre")}),
            f"{CAC}PhysicalLocation": dentro({f"{CAC}Address": dentro({f"{CBC}CityName": hoja("ciudad")})}),
            f"{CAC}PartyLegalEntity": dentro({f"{CBC}CompanyTypeCode": hoja("tipo_empresa")}),
        },
    ),
    f"{CAC}AwardedTenderedProject": dentro(
        {
            f"{CBC}ProcurementProjectLotID": hoja("lote"),
            f"{CAC}LegalMonetaryTotal": dentro(
                {f"{CBC}TaxExclusiveAmount": hoja("sin_iva"), f"{CBC}PayableAmount": hoja("con_iva")}
            ),
        }
    ),
    f"{CAC}SubcontractTerms": objeto(
        "subcontrata", {f"{CBC}Rate": hoja("porcentaje"), f"{CBC}Description": hoja("descripcion")}
    ),
}

_MODIFICACION: Tabla = {
    f"{CBC}ID": hoja("id"),
    f"{CBC}ContractID": hoja("contrato"),
    f"{CBC}Note": hoja("nota"),
    f"{CBC}FinalDurationMeasure": con_atributo("duracion_final", "unitCode"),
    f"{CAC}ContractModificationLegalMonetaryTotal": dentro({f"{CBC}TaxExclusiveAmount": hoja("sin_iva")}),
    f"{CAC}FinalLegalMonetaryTotal": dentro({f"{CBC}TaxExclusiveAmount": hoja("sin_iva_final")}),
}

_REFERENCIA: Tabla = {
    f"{CBC}ID": hoja("nombre"),
    f"{CBC}DocumentTypeCode": hoja("tipo"),
    f"{CAC}Attachment": dentro(
        {
            f"{CAC}ExternalReference": dentro(
                {
                    f"{CBC}URI": hoja("uri"),
                    f"{CBC}DocumentHash": hoja("huella"),
                    f"{CBC}FileName": hoja("fichero"),
                }
            )
        }
    ),
}


def _documento_general(elemento: etree._Element, datos: Datos) -> None:
    """A general document counts even when its reference is empty."""
    documento: Datos = {"clase": "general"}
    for referencia in elemento:
        leer(referencia, _REFERENCIA, documento)
    datos.setdefault("documentos", []).append(documento)  # type: ignore[attr-defined]


_ANUNCIO: Tabla = {
    f"{CBCX}NoticeTypeCode": codigo("tipo"),
    f"{CACX}AdditionalPublicationStatus": objetos(
        "publicaciones",
        {
            f"{CBCX}PublicationMediaName": hoja("medio"),
            f"{CACX}AdditionalPublicationDocumentReference": dentro({f"{CBC}IssueDate": hojas("fechas")}),
        },
    ),
}

_EXPEDIENTE: Tabla = {
    f"{CBC}ContractFolderID": hoja("expediente"),
    f"{CBC}UUID": hoja_de_esquema("uuid_ted", "TED"),
    f"{CBCX}ContractFolderStatusCode": codigo("estado"),
    f"{CACX}LocatedContractingParty": objeto("organo", _ORGANO),
    f"{CAC}ProcurementProject": dentro(_PROYECTO),
    f"{CAC}ProcurementProjectLot": objetos("lotes", _LOTE),
    f"{CAC}TenderingTerms": dentro(_CONDICIONES),
    f"{CAC}TenderingProcess": dentro(_PROCESO),
    f"{CAC}TenderResult": objetos("resultados", _RESULTADO),
    f"{CAC}ContractModification": objetos("modificaciones", _MODIFICACION),
    f"{CAC}LegalDocumentReference": objetos("documentos", _REFERENCIA, clase="pcap"),
    f"{CAC}TechnicalDocumentReference": objetos("documentos", _REFERENCIA, clase="ppt"),
    f"{CAC}AdditionalDocumentReference": objetos("documentos", _REFERENCIA, clase="anexo"),
    f"{CACX}GeneralDocument": _documento_general,
    f"{CACX}ValidNoticeInfo": objetos("anuncios", _ANUNCIO),
}

_CONSULTA: Tabla = {
    **_EXPEDIENTE,
    # The specification puts these in one vocabulary and its examples in the other: both are read.
    **{
        f"{vocabulario}{tag}": regla
        for vocabulario in (CBC, CBCX)
        for tag, regla in (
            ("PreliminaryMarketConsultationID", hoja("expediente")),
            ("PreliminaryMarketConsultationStatusCode", codigo("estado")),
            ("ConsultationName", hoja("objeto")),
            ("ConditionsText", hoja_en("consulta", "condiciones")),
            ("ConditionTypeCode", hoja_en("consulta", "tipo")),
            ("PlannedDate", hoja_en("consulta", "fecha_prevista")),
            ("LimitDate", hoja_en("consulta", "fecha_limite")),
        )
    },
}


def _contenido(tabla: Tabla) -> Regla:
    def regla(_: etree._Element, datos: Datos) -> Interior:
        datos["_leido"] = True
        return tabla, datos

    return regla


_ENTRADA: Tabla = {
    f"{ATOM}id": hoja("id"),
    f"{ATOM}updated": hoja("updated"),
    f"{ATOM}link": atributo("link", "href"),
    f"{ATOM}summary": hoja("resumen"),
    f"{ATOM}title": hoja("titulo"),
    EXPEDIENTE: _contenido(_EXPEDIENTE),
    CONSULTA: _contenido(_CONSULTA),
}
