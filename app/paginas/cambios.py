"""A material change in words: codes by their name, amounts as amounts, and of two lists only what differs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation

from app.piezas import etiquetas, formato
from app.piezas.tablas import celda
from dominios.licitaciones.radar.material import Cambio

TOPE = 12
"""Elements of a list that are told; the rest are counted."""

CAMPOS = {
    "estado": "Estado",
    "plazo_ofertas": "Plazo de ofertas",
    "plazo_solicitudes": "Plazo de solicitudes",
    "valor_estimado": "Valor estimado",
    "presupuesto_sin_iva": "Presupuesto sin IVA",
    "presupuesto_con_iva": "Presupuesto con IVA",
    "lotes": "Lotes",
    "criterios": "Criterios",
    "documentos": "Documentos",
    "resultados": "Resultados",
}
_DOCUMENTOS = {"pcap": "PCAP", "ppt": "PPT", "anexo": "Anexo", "general": "Documento"}


def cambio_en_palabras(cambio: Cambio, registro: str) -> tuple[str, str, str]:
    """(field, before, after) as Markdown cells."""
    antes, despues = cambio.antes, cambio.despues
    if isinstance(antes, list) or isinstance(despues, list):
        previos, nuevos = _como_lista(antes), _como_lista(despues)
        antes_visto = _lista(cambio.campo, [v for v in previos if v not in nuevos])
        despues_visto = _lista(cambio.campo, [v for v in nuevos if v not in previos])
    else:
        antes_visto, despues_visto = (
            _valor(cambio.campo, antes, registro),
            _valor(cambio.campo, despues, registro),
        )
    return CAMPOS.get(cambio.campo, celda(cambio.campo)), antes_visto, despues_visto


def _como_lista(valor: object) -> list[object]:
    return valor if isinstance(valor, list) else []


def _valor(campo: str, valor: object, registro: str) -> str:
    if valor is None:
        return celda(None)
    texto = str(valor)
    if campo == "estado":
        return celda(etiquetas.estado(texto, registro))
    if campo.startswith(("presupuesto", "valor")):
        return celda(_importe(texto))
    return celda(texto.replace("T", " ") if campo.startswith("plazo") else texto)


def _lista(campo: str, valores: Sequence[object]) -> str:
    if not valores:
        return "—"
    en_palabras: Callable[[Sequence[object]], str] = _EN_PALABRAS.get(campo, _sin_mas)
    textos = [celda(en_palabras(v if isinstance(v, (list, tuple)) else (v,))) for v in valores[:TOPE]]
    resto = [f"y {len(valores) - TOPE} más"] if len(valores) > TOPE else []
    return " · ".join([*textos, *resto])


def _documento(partes: Sequence[object]) -> str:
    """[kind, name, identity]: the hash tells two apart, but says nothing to a person."""
    clase, nombre = str(partes[0]), partes[1] if len(partes) > 1 else None
    return f"{_DOCUMENTOS.get(clase, clase)}: {nombre or 'sin nombre'}"


def _resultado(partes: Sequence[object]) -> str:
    """[lot, result code, amount, [winners]]."""
    lote, codigo, importe, ganadores = (*partes, *(None,) * 4)[:4]
    nombres = ", ".join(map(str, ganadores)) if isinstance(ganadores, list) else ""
    resultado = etiquetas.de_lista("TenderResultCode", str(codigo)) if codigo else "sin resultado"
    piezas = (
        f"Lote {lote}: {resultado}" if lote else resultado,
        _importe(str(importe)) if importe else "",
        nombres,
    )
    return ", ".join(p for p in piezas if p)


def _criterio(partes: Sequence[object]) -> str:
    """[type, subtype, description, weight]."""
    tipo, _, descripcion, peso = (*partes, *(None,) * 4)[:4]
    nombre = str(descripcion or etiquetas.criterio_automatico(str(tipo) if tipo else None))
    return f"{nombre} ({peso})" if peso else nombre


def _lote(partes: Sequence[object]) -> str:
    """[id, object, amount without tax, with tax, CPV, criteria]."""
    numero, objeto, sin_iva = (*partes, *(None,) * 3)[:3]
    return f"Lote {numero or '?'}: {objeto or 'sin objeto'}" + (
        f", {_importe(str(sin_iva))} sin IVA" if sin_iva else ""
    )


def _sin_mas(partes: Sequence[object]) -> str:
    return ", ".join(str(p) for p in partes if p is not None)


def _importe(texto: str) -> str:
    try:
        return formato.importe(Decimal(texto))
    except InvalidOperation:
        return texto


_EN_PALABRAS: dict[str, Callable[[Sequence[object]], str]] = {
    "documentos": _documento,
    "resultados": _resultado,
    "criterios": _criterio,
    "lotes": _lote,
}
