"""A tender as it stands at an instant: its newest version read again from the stored XML, plus tombstone and clock."""

from __future__ import annotations

import json
import sqlite3
import unicodedata

from lxml import etree

from dominios.licitaciones.radar.codice import mapear
from dominios.licitaciones.radar.consulta.almacen import (
    EstadoActual,
    correcciones_silenciosas,
    identificadores,
    leer_estado,
    leer_version,
    leer_versiones,
)
from dominios.licitaciones.radar.consulta.documento import Derivado, Documento, GanadorVisto, VersionVista
from dominios.licitaciones.radar.derivado import Rasgos, derivar
from dominios.licitaciones.radar.literal import literal
from dominios.licitaciones.radar.material import comparar
from dominios.licitaciones.radar.modelo import Licitacion
from nucleo.errores import ErrorEntrada, NoEncontrado
from nucleo.reloj import Reloj, a_micros

_ANALIZADOR = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)


def leer_xml(xml: bytes) -> Licitacion:
    """The model of one stored entry."""
    return mapear(etree.fromstring(xml, _ANALIZADOR))


def localizar(con: sqlite3.Connection, identificador: str) -> int:
    """The local id of a tender given its full Atom id, or its tail when only one tender has it.

    Invisible characters, which come along when an id is copied from a page, do not count.
    Raises NoEncontrado, or ErrorEntrada when the tail belongs to several (it is unique per dataset only).
    """
    visible = "".join(c for c in identificador if unicodedata.category(c) != "Cf")
    candidatas = identificadores(con, visible.strip())
    if not candidatas:
        raise NoEncontrado(
            f"No hay ninguna licitación «{identificador}»: usa su id de Atom o el número final."
        )
    if len(candidatas) > 1:
        opciones = ", ".join(entrada_id for _, entrada_id in candidatas)
        raise ErrorEntrada(f"«{identificador}» es ambiguo; usa el id completo: {opciones}.", codigo="ambiguo")
    return candidatas[0][0]


def ver(con: sqlite3.Connection, licitacion_id: int, reloj: Reloj) -> Documento:
    """The document of a tender, now. Raises NoEncontrado."""
    estado = leer_estado(con, licitacion_id)
    if estado is None:
        raise NoEncontrado(f"No hay ninguna licitación con número interno {licitacion_id}.")
    licitacion = leer_xml(leer_version(con, estado.version_id).xml)
    rasgos = derivar(licitacion)
    avisos = {*rasgos.avisos, *json.loads(estado.avisos)}
    if correcciones_silenciosas(con, licitacion_id):
        avisos.add("correccion_silenciosa")
    derivado = _derivado(licitacion, rasgos, estado, a_micros(reloj()))
    return Documento(
        entrada=literal(licitacion),
        derivado=derivado.model_copy(update={"avisos": tuple(sorted(avisos))}),
        detalle=licitacion,
    )


def _derivado(licitacion: Licitacion, rasgos: Rasgos, estado: EstadoActual, ahora: int) -> Derivado:
    cierre = rasgos.cierre.cierre
    en_plazo = estado.vigente and cierre is not None and cierre > ahora
    desenlace = rasgos.desenlace
    return Derivado(
        vigente=estado.vigente,
        baja=estado.baja,
        tipo_baja=estado.tipo_baja,
        ultimo_estado=licitacion.estado,
        n_versiones=estado.n_versiones,
        tipo_registro=rasgos.tipo_registro,
        fecha_publicacion=rasgos.publicada,
        # A market consultation takes answers, not offers.
        es_oportunidad_abierta=en_plazo and rasgos.tipo_registro != "consulta",
        presupuesto_efectivo=_texto(rasgos.presupuesto),
        importe_para_filtro=_texto(rasgos.importe),
        desenlace=desenlace_visto(desenlace.desenlace, estado.tipo_baja, en_plazo=en_plazo),
        adjudicado_sin_iva_total=_texto(desenlace.adjudicado),
        lotes_sin_adjudicar=desenlace.sin_adjudicar,
        lotes_deducidos=desenlace.deducidos,
        adjudicatarios=tuple(GanadorVisto(**g._asdict()) for g in rasgos.ganadores),
        avisos=(),
    )


def desenlace_visto(desenlace: str, tipo_baja: str | None, *, en_plazo: bool) -> str:
    """The outcome now: one that is pending is `abierta` while offers are taken, `anulada` when the file was annulled.

    A tombstone of type CERRADA only archives: it changes nothing in how the tender ended.
    """
    if desenlace != "pendiente":
        return desenlace
    if tipo_baja == "ANULADA":
        return "anulada"
    return "abierta" if en_plazo else "pendiente"


def versiones(con: sqlite3.Connection, licitacion_id: int) -> tuple[VersionVista, ...]:
    """Every version kept, newest first, each with its material changes against the one before."""
    guardadas = leer_versiones(con, licitacion_id)
    modelos = [leer_xml(v.xml) for v in guardadas]
    vistas = []
    for numero, (guardada, modelo) in enumerate(zip(guardadas, modelos, strict=True)):
        cambios = comparar(modelos[numero - 1], modelo) if numero else ()
        vistas.append(
            VersionVista(
                updated=guardada.updated,
                estado=guardada.estado,
                cambios=cambios,
                xml_octetos=len(guardada.xml),
            )
        )
    return tuple(reversed(vistas))


def _texto(importe: object) -> str | None:
    return None if importe is None else str(importe)
