"""Quality flags: what is odd in the published data, said beside it and never mended in silence."""

from __future__ import annotations

from dominios.licitaciones.radar.fechas import leer_fecha
from dominios.licitaciones.radar.importes import leer_entero, leer_importe
from dominios.licitaciones.radar.modelo import Licitacion
from nucleo.codigos.cpv import codigos_cpv
from nucleo.codigos.nif import normalizar_nif

ORGANOS_PROVISIONALES = frozenset(("A9999999", "EA9999999"))
ESTADOS = frozenset(("PRE", "PUB", "EV", "ADJ", "RES", "ANUL", "CRE", "REA", "ANU"))
PROCEDIMIENTOS = frozenset((*map(str, range(1, 14)), "100", "999"))
TIPOS = frozenset(("1", "2", "3", "7", "8", "21", "22", "31", "32", "40", "50", "999"))

EXPLICACIONES = {
    "cantidad_absurda": "Hay una cantidad imposible (por ejemplo, más de un millón de ofertas): no se usa.",
    "codigo_desconocido": "Trae un código de estado, tipo o procedimiento que no está en las listas oficiales.",
    "correccion_silenciosa": "El órgano cambió el contenido sin cambiar la fecha de actualización.",
    "cpv_desconocido": "Algún CPV no existe en la nomenclatura de 2008.",
    "estado_contradice_plazo": "Figura en evaluación, pero el plazo publicado aún no había vencido.",
    "expediente_ausente": "No consta el número de expediente.",
    "fecha_fuera_de_rango": "Alguna fecha publicada es imposible: no se usa.",
    "importe_cero": "Publica 0 como importe; se trata como desconocido.",
    "importe_ilegible": "Algún importe no se puede leer con certeza: no se usa.",
    "lapida_en_el_mismo_instante": "Su retirada y esta versión llevan el mismo instante: se mantiene visible.",
    "lotes_deducidos": "Los lotes solo constan en los resultados; no se publicaron como tales.",
    "nif_enmascarado": "El NIF de algún adjudicatario se publicó enmascarado.",
    "nif_invalido": "El NIF de algún adjudicatario no es válido.",
    "nombre_y_nif_cambiados": "El NIF de algún adjudicatario viene en el lugar del nombre.",
    "organo_provisional": "El código DIR3 del órgano es provisional: puede ser un duplicado.",
    "plazo_a_medianoche": "El plazo acaba a las 00:00: se entiende el comienzo de ese día, por prudencia.",
    "plazo_anterior_a_publicacion": "El plazo publicado es anterior a la publicación.",
    "plazo_desconocido": "No consta el plazo: se muestra abierta durante un año como máximo.",
    "plazo_hora_canaria": "Se ejecuta en Canarias: el plazo puede ser hora canaria (una hora menos).",
    "plazo_ilegible": "El plazo publicado no se puede leer.",
    "plazo_sin_hora": "No consta la hora límite: trabaja con el comienzo del día.",
    "pyme_contradictoria": "El mismo adjudicatario figura como pyme y como no pyme.",
    "ute_dudosa": "Se publica como UTE un adjudicatario que no lo parece.",
    "valor_estimado_con_impuestos": "El valor estimado coincide con el presupuesto con impuestos.",
    "valor_estimado_menor": "El valor estimado es menor que el presupuesto sin impuestos.",
}
"""What each flag means, for people."""


def avisar(lic: Licitacion, publicada: str | None, deducidos: tuple[str, ...]) -> list[str]:
    """The flags of one version, beyond those that deadlines and winners raise on their own."""
    avisos = _de_importes(lic)
    if not codigos_cpv().issuperset(lic.cpv):
        avisos.append("cpv_desconocido")
    if _hay_codigo_desconocido(lic):
        avisos.append("codigo_desconocido")
    if lic.resultados:
        avisos += _de_resultados(lic)
    if deducidos:
        avisos.append("lotes_deducidos")
    if lic.expediente is None:
        avisos.append("expediente_ausente")
    if not ORGANOS_PROVISIONALES.isdisjoint(lic.organo.ids.values()):
        avisos.append("organo_provisional")
    if publicada and lic.plazo_ofertas and (lic.plazo_ofertas.fecha or "9") < publicada:
        avisos.append("plazo_anterior_a_publicacion")
    if _hay_fecha_imposible(lic):
        avisos.append("fecha_fuera_de_rango")
    return avisos


def _de_importes(lic: Licitacion) -> list[str]:
    avisos = []
    estimado = leer_importe(lic.valor_estimado)
    sin_iva = leer_importe(lic.presupuesto_sin_iva)
    con_iva = leer_importe(lic.presupuesto_con_iva)
    if _hay_importe_ilegible(lic):
        avisos.append("importe_ilegible")
    if estimado == 0 or sin_iva == 0:
        avisos.append("importe_cero")
    if estimado and sin_iva:
        if estimado < sin_iva:
            avisos.append("valor_estimado_menor")
        if estimado == con_iva and con_iva != sin_iva:
            avisos.append("valor_estimado_con_impuestos")
    return avisos


def _hay_importe_ilegible(lic: Licitacion) -> bool:
    publicados = [lic.valor_estimado, lic.presupuesto_sin_iva, lic.presupuesto_con_iva]
    publicados += [r.sin_iva for r in lic.resultados]
    publicados += [lote.sin_iva for lote in lic.lotes]
    return any([p is not None and leer_importe(p) is None for p in publicados])  # noqa: C419 - quicker for a few


def _hay_codigo_desconocido(lic: Licitacion) -> bool:
    return bool(
        (lic.estado and lic.estado not in ESTADOS)
        or (lic.tipo and lic.tipo not in TIPOS)
        or (lic.procedimiento and lic.procedimiento not in PROCEDIMIENTOS)
    )


def _de_resultados(lic: Licitacion) -> list[str]:
    avisos = []
    if any(r.ofertas is not None and leer_entero(r.ofertas) is None for r in lic.resultados):
        avisos.append("cantidad_absurda")
    if _pyme_contradictoria(lic):
        avisos.append("pyme_contradictoria")
    return avisos


def _pyme_contradictoria(lic: Licitacion) -> bool:
    """Whether one firm, by its normalised number, is both SME and not in the same file."""
    con_marca = [r for r in lic.resultados if r.pyme is not None]
    if len({r.pyme for r in con_marca}) < 2:
        return False
    marcas: dict[str, set[str | None]] = {}
    for resultado in con_marca:
        for adjudicatario in resultado.adjudicatarios:
            for _, valor in adjudicatario.ids:
                marcas.setdefault(normalizar_nif(valor or "") or valor or "", set()).add(resultado.pyme)
    return any(len(suyas) > 1 for suyas in marcas.values())


def _hay_fecha_imposible(lic: Licitacion) -> bool:
    anio = int(lic.updated[:4]) if lic.updated[:4].isdigit() else 0
    for anuncio in lic.anuncios:
        for publicacion in anuncio.publicaciones:
            for fecha in publicacion.fechas:
                if leer_fecha(fecha, anio) is None:
                    return True
    return any([r.fecha is not None and leer_fecha(r.fecha, anio) is None for r in lic.resultados])  # noqa: C419 - quicker for a few
