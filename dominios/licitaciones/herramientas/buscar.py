"""`licitaciones_buscar`: tenders that match words and filters, page by page."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated

from pydantic import Field, StringConstraints

from dominios.licitaciones.herramientas.base import AVISO_DATOS, LEER, base
from dominios.licitaciones.oportunidades.modelos import (
    Codigo,
    Filtro,
    Importe,
    Oportunidad,
    Orden,
    Pagina,
    PrefijoNuts,
    leer_cursor,
)
from dominios.licitaciones.oportunidades.servicio import buscar, contar
from nucleo.agentes.herramientas import Contexto, Herramienta, Respuesta, rechazo
from nucleo.codigos.cpv import prefijo_de_arbol
from nucleo.errores import ErrorEntrada
from nucleo.modelo import Modelo
from nucleo.reloj import MADRID

VALORES_MAX = 20
OBJETO_MAX = 400
RamaEscrita = Annotated[str, StringConstraints(min_length=2, max_length=12)]
Codigos = Annotated[tuple[Codigo, ...], Field(max_length=VALORES_MAX)]


class Buscar(Modelo):
    """All the conditions must hold; several values of one field are alternatives."""

    texto: Annotated[
        str,
        StringConstraints(max_length=400),
        Field(
            description="Palabras que tienen que estar todas en el objeto, los lotes, el órgano o el expediente"
        ),
    ] = ""
    cpv: Annotated[
        tuple[RamaEscrita, ...],
        Field(max_length=VALORES_MAX, description="Ramas de CPV: «72» o «72260000»"),
    ] = ()
    nuts: Annotated[
        tuple[PrefijoNuts, ...], Field(max_length=VALORES_MAX, description="Principio de NUTS: «ES61»")
    ] = ()
    importe_min: Annotated[Importe | None, Field(description="Euros sin IVA, como texto («50000.00»)")] = None
    importe_max: Annotated[Importe | None, Field(description="Euros sin IVA, como texto")] = None
    estado: Annotated[Codigos, Field(description="Códigos de estado: PUB, EV, ADJ, RES, ANUL, PRE…")] = ()
    tipo: Annotated[
        Codigos, Field(description="Códigos de tipo de contrato: 1 suministros, 2 servicios…")
    ] = ()
    procedimiento: Annotated[Codigos, Field(description="Códigos de procedimiento: 1 abierto…")] = ()
    tipo_registro: Annotated[Codigos, Field(description="«licitacion», «menor», «encargo» o «consulta»")] = ()
    fuente: Annotated[Codigos, Field(description="Conjuntos de PLACSP: 643, 1044, 1143, 1383, 1403")] = ()
    solo_abiertas: Annotated[bool, Field(description="Solo las que siguen en plazo")] = False
    cierra_en_dias: Annotated[
        int | None, Field(ge=1, le=3650, description="En plazo y cierran antes de estos días")
    ] = None
    orden: Annotated[Orden, Field(description="Qué va primero")] = Orden.CIERRE
    limite: Annotated[int, Field(ge=1, le=50, description="Cuántas por página")] = 20
    cursor: Annotated[
        str | None,
        StringConstraints(max_length=80),
        Field(description="El `siguiente` de la página anterior, con los mismos filtros"),
    ] = None


class Hallada(Modelo):
    """One row. Amounts in euros as text, without tax; `plazo` in Madrid time."""

    id: str
    expediente: str | None
    objeto: str
    organo: str | None
    estado: str | None
    desenlace: str
    abierta: bool
    importe: str | None
    importe_clase: str | None
    cpv: str | None
    nuts: str | None
    plazo: datetime | None
    publicada: str | None
    tipo_registro: str
    fuente: str
    n_lotes: int
    avisos: tuple[str, ...]


class Halladas(Modelo):
    """A page; `hay_mas_de_total` when the count stopped there."""

    resultados: tuple[Hallada, ...]
    total: int
    hay_mas_de_total: bool
    siguiente: str | None


def licitaciones_buscar(contexto: Contexto, pedido: Buscar) -> Halladas | Respuesta:
    """A page of tenders."""
    ahora = contexto.reloj()
    try:
        ramas = tuple(map(prefijo_de_arbol, pedido.cpv))
    except ErrorEntrada as error:
        return rechazo("cpv", error.mensaje)
    if None not in (pedido.importe_min, pedido.importe_max) and _al_reves(pedido):
        return rechazo("importe_min", "es mayor que importe_max")
    campos = pedido.model_dump(exclude={"cpv", "orden", "limite", "cursor"})
    filtro = Filtro.model_validate(campos | {"cpv": ramas})
    cursor = leer_cursor(pedido.cursor) if pedido.cursor else None
    con = base(contexto)
    resultados = buscar(con, filtro, pedido.orden, Pagina(cursor=cursor, filas=pedido.limite), ahora)
    recuento = contar(con, filtro, ahora)
    siguiente = resultados.siguiente
    return Halladas(
        resultados=tuple(map(_hallada, resultados.filas)),
        total=recuento.total,
        hay_mas_de_total=recuento.hay_mas,
        siguiente=siguiente.en_texto() if siguiente else None,
    )


def _al_reves(pedido: Buscar) -> bool:
    return (pedido.importe_min or Decimal(0)) > (pedido.importe_max or Decimal(0))


def _hallada(fila: Oportunidad) -> Hallada:
    objeto = fila.objeto if len(fila.objeto) <= OBJETO_MAX else fila.objeto[:OBJETO_MAX] + "…"
    return Hallada(
        id=fila.entrada_id,
        expediente=fila.expediente,
        objeto=objeto,
        organo=fila.organo,
        estado=fila.estado,
        desenlace=fila.desenlace,
        abierta=fila.abierta,
        importe=None if fila.importe is None else f"{fila.importe:.2f}",
        importe_clase=fila.importe_clase,
        cpv=fila.cpv,
        nuts=fila.nuts,
        plazo=fila.plazo.astimezone(MADRID) if fila.plazo else None,
        publicada=fila.publicada,
        tipo_registro=fila.tipo_registro,
        fuente=fila.fuente,
        n_lotes=fila.n_lotes,
        avisos=fila.avisos,
    )


BUSCAR = Herramienta(
    nombre="licitaciones_buscar",
    permiso=LEER,
    descripcion="Busca licitaciones por palabras y filtros; los acentos y los plurales no importan. Devuelve una página"
    f" y, si hay más, `siguiente`: repite la llamada con `cursor` igual a ese valor. {AVISO_DATOS}",
    argumentos=Buscar,
    ejecutar=licitaciones_buscar,
)
