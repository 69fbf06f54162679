"""`licitacion_ver`: one tender as it stands now, whole but for its long lists, which come in pages."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from dominios.licitaciones.herramientas.base import AVISO_DATOS, LEER, Argumentos, base, buscar_una, pagina
from dominios.licitaciones.radar.consulta import Derivado, ver
from dominios.licitaciones.radar.literal import plazo_local
from dominios.licitaciones.radar.modelo import (
    Consulta,
    Criterio,
    Garantia,
    Licitacion,
    Lote,
    Requisito,
    Resultado,
)
from nucleo.agentes.herramientas import Contexto, Herramienta
from nucleo.modelo import Modelo

POR_PAGINA = 15


class Apartado(StrEnum):
    """Which part of the tender."""

    RESUMEN = "resumen"
    LOTES = "lotes"
    RESULTADOS = "resultados"


class Ver(Argumentos):
    """Which tender and which part."""

    apartado: Annotated[
        Apartado, Field(description="«lotes» y «resultados» van en páginas: sigue con `desde`")
    ] = Apartado.RESUMEN


class Resumen(Modelo):
    """Everything but lots, results, notices and documents. Strings as published; `derivado` is worked out by us."""

    id: str
    actualizada: str
    enlace: str | None
    expediente: str | None
    titulo: str | None
    objeto: str | None
    organo: str | None
    tipo: str | None
    subtipo: str | None
    procedimiento: str | None
    urgencia: str | None
    sistema: str | None
    valor_estimado: str | None
    presupuesto_sin_iva: str | None
    presupuesto_con_iva: str | None
    cpv: tuple[str, ...]
    nuts: tuple[str, ...]
    lugar: str | None
    duracion: tuple[str | None, str | None] | None
    prorroga: str | None
    plazo_ofertas_local: str | None
    plazo_solicitudes_local: str | None
    n_lotes: int
    n_resultados: int
    n_documentos: int
    criterios: tuple[Criterio, ...]
    requisitos: tuple[Requisito, ...]
    garantias: tuple[Garantia, ...]
    consulta: Consulta | None
    derivado: Derivado


class PaginaLotes(Modelo):
    """Some of its lots."""

    lotes: tuple[Lote, ...]
    total: int
    siguiente: int | None


class PaginaResultados(Modelo):
    """Some of its results."""

    resultados: tuple[Resultado, ...]
    total: int
    siguiente: int | None


def licitacion_ver(contexto: Contexto, pedido: Ver) -> Resumen | PaginaLotes | PaginaResultados:
    """The part that was asked for."""
    con = base(contexto)
    documento = ver(con, buscar_una(con, pedido.id), contexto.reloj)
    detalle = documento.detalle
    match pedido.apartado:
        case Apartado.LOTES:
            lotes, siguiente = pagina(detalle.lotes, pedido.desde, POR_PAGINA)
            return PaginaLotes(lotes=lotes, total=len(detalle.lotes), siguiente=siguiente)
        case Apartado.RESULTADOS:
            resultados, siguiente = pagina(detalle.resultados, pedido.desde, POR_PAGINA)
            return PaginaResultados(resultados=resultados, total=len(detalle.resultados), siguiente=siguiente)
        case Apartado.RESUMEN:
            return _resumen(detalle, documento.derivado)


def _resumen(detalle: Licitacion, derivado: Derivado) -> Resumen:
    iguales = (
        "id", "expediente", "titulo", "objeto", "tipo", "subtipo", "procedimiento", "urgencia", "sistema",
        "valor_estimado", "presupuesto_sin_iva", "presupuesto_con_iva", "cpv", "nuts", "lugar", "duracion",
        "prorroga", "criterios", "requisitos", "garantias", "consulta",
    )  # fmt: skip
    return Resumen(
        **{campo: getattr(detalle, campo) for campo in iguales},
        actualizada=detalle.updated,
        enlace=detalle.link,
        organo=detalle.organo.nombre,
        plazo_ofertas_local=plazo_local(detalle.plazo_ofertas),
        plazo_solicitudes_local=plazo_local(detalle.plazo_solicitudes),
        n_lotes=len(detalle.lotes),
        n_resultados=len(detalle.resultados),
        n_documentos=len(detalle.documentos),
        derivado=derivado,
    )


VER = Herramienta(
    nombre="licitacion_ver",
    permiso=LEER,
    descripcion="Muestra una licitación como está ahora: datos publicados, criterios, requisitos y lo que se deduce de"
    f" ellos (`derivado`). Los lotes y los resultados se piden con `apartado`. {AVISO_DATOS}",
    argumentos=Ver,
    ejecutar=licitacion_ver,
)
