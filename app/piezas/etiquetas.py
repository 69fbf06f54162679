"""Names for the codes that are shown; a code that we do not know is shown as it was published."""

from __future__ import annotations

from nucleo.codigos.cpv import etiqueta_cpv
from nucleo.codigos.listas import etiqueta
from nucleo.codigos.nuts import etiqueta_nuts

FUENTES = {
    "643": "Perfiles PLACSP",
    "1044": "Plataformas agregadas",
    "1143": "Contratos menores",
    "1383": "Encargos",
    "1403": "Consultas preliminares",
}
REGISTROS = {
    "licitacion": "Licitación",
    "menor": "Contrato menor",
    "encargo": "Encargo a medio propio",
    "consulta": "Consulta preliminar",
}
DESENLACES = {
    "abierta": "Abierta",
    "pendiente": "Pendiente",
    "adjudicada": "Adjudicada",
    "adjudicada_parcial": "Adjudicada en parte",
    "formalizada": "Formalizada",
    "desierta": "Desierta",
    "desistida": "Desistida",
    "renuncia": "Renuncia",
    "anulada": "Anulada",
}
_LISTA_ESTADOS = "SyndicationContractFolderStatusCode"
_LISTA_CONSULTAS = "PreliminaryMarketConsultationStatusCode"
LISTA_PROCEDIMIENTOS = "SyndicationTenderingProcessCode"
LISTA_TIPOS = "ContractCode"
LISTA_TIPOS_ANTIGUA = "SyndicationContractCode"
AUTOMATICO = "OBJ"


def de_lista(lista: str, codigo: str | None, que_es: str = "código") -> str | None:
    """Label of a code of an official list; the code itself, after what it is, when it is not in it; None for None."""
    if codigo is None:
        return None
    return etiqueta(lista, codigo) or f"{que_es} {codigo}"


def estado(codigo: str | None, registro: str = "licitacion") -> str | None:
    """Label of a status code, from the list of its kind of record."""
    return de_lista(_LISTA_CONSULTAS if registro == "consulta" else _LISTA_ESTADOS, codigo, "estado")


def estado_de_filtro(codigo: str) -> str:
    """Label of a status code when lists of both kinds of record are mixed."""
    return etiqueta(_LISTA_ESTADOS, codigo) or etiqueta(_LISTA_CONSULTAS, codigo) or f"estado {codigo}"


def tipo(codigo: str | None) -> str | None:
    """Label of a type of contract."""
    if codigo is None:
        return None
    return etiqueta(LISTA_TIPOS, codigo) or de_lista(LISTA_TIPOS_ANTIGUA, codigo, "tipo")


def procedimiento(codigo: str | None) -> str | None:
    """Label of a procedure."""
    return de_lista(LISTA_PROCEDIMIENTOS, codigo, "procedimiento")


def fuente(codigo: str) -> str:
    """Name of a dataset."""
    return FUENTES.get(codigo, f"conjunto {codigo}")


def registro(codigo: str) -> str:
    """Name of a kind of record."""
    return REGISTROS.get(codigo, codigo)


def cpv(codigo: str) -> str:
    """«72212000 · Servicios de programación…»."""
    nombre = etiqueta_cpv(codigo)
    return f"{codigo} · {nombre}" if nombre else codigo


def rama_cpv(rama: str) -> str:
    """«72 · Servicios TI»: a branch by its digits."""
    nombre = etiqueta_cpv(rama.ljust(8, "0"))
    return f"{rama} · {nombre}" if nombre else rama


def nuts(codigo: str) -> str:
    """«Sevilla (ES618)»."""
    nombre = etiqueta_nuts(codigo)
    return f"{nombre} ({codigo})" if nombre else codigo


def criterio_automatico(tipo_criterio: str | None) -> str:
    """What a type of award criterion means to a bidder."""
    nombres = {AUTOMATICO: "Automático", "SUBJ": "Juicio de valor"}
    return nombres.get(tipo_criterio or "", tipo_criterio or "no consta")
