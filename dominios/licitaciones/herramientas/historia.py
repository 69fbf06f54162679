"""`licitacion_versiones` and `licitacion_documentos`: how a tender changed, and which documents it published."""

from __future__ import annotations

from dominios.licitaciones.herramientas.base import AVISO_DATOS, LEER, Argumentos, base, buscar_una, pagina
from dominios.licitaciones.radar.consulta import ver, versiones
from dominios.licitaciones.radar.material import Cambio
from nucleo.agentes.herramientas import Contexto, Herramienta
from nucleo.modelo import Modelo

VERSIONES_POR_PAGINA = 10
DOCUMENTOS_POR_PAGINA = 50


class Version(Modelo):
    """A version and what it changed of what matters, as published."""

    actualizada: str
    estado: str | None
    cambios: tuple[Cambio, ...]


class Versiones(Modelo):
    """Some of its versions, newest first."""

    versiones: tuple[Version, ...]
    total: int
    siguiente: int | None


class DocumentoListado(Modelo):
    """A published document; `huella` tells it apart from another of the same name."""

    clase: str
    nombre: str | None
    fichero: str | None
    tipo: str | None
    huella: str | None


class Documentos(Modelo):
    """Some of its documents."""

    documentos: tuple[DocumentoListado, ...]
    total: int
    siguiente: int | None


def licitacion_versiones(contexto: Contexto, pedido: Argumentos) -> Versiones:
    """A page of versions."""
    con = base(contexto)
    todas = versiones(con, buscar_una(con, pedido.id))
    elegidas, siguiente = pagina(todas, pedido.desde, VERSIONES_POR_PAGINA)
    return Versiones(
        versiones=tuple(Version(actualizada=v.updated, estado=v.estado, cambios=v.cambios) for v in elegidas),
        total=len(todas),
        siguiente=siguiente,
    )


def licitacion_documentos(contexto: Contexto, pedido: Argumentos) -> Documentos:
    """A page of documents, in the order in which they are published."""
    con = base(contexto)
    todos = ver(con, buscar_una(con, pedido.id), contexto.reloj).detalle.documentos
    elegidos, siguiente = pagina(todos, pedido.desde, DOCUMENTOS_POR_PAGINA)
    listados = tuple(DocumentoListado(**d.model_dump(exclude={"uri"})) for d in elegidos)
    return Documentos(documentos=listados, total=len(todos), siguiente=siguiente)


VERSIONES = Herramienta(
    nombre="licitacion_versiones",
    permiso=LEER,
    descripcion="Dice cómo ha cambiado una licitación: sus versiones, de la más nueva a la más vieja, con el antes y el"
    f" después de lo que importa (plazos, importes, lotes, criterios, documentos). {AVISO_DATOS}",
    argumentos=Argumentos,
    ejecutar=licitacion_versiones,
)
DOCUMENTOS = Herramienta(
    nombre="licitacion_documentos",
    permiso=LEER,
    descripcion="Lista los documentos publicados de una licitación (pcap, ppt, anexo, general), sin su contenido."
    f" {AVISO_DATOS}",
    argumentos=Argumentos,
    ejecutar=licitacion_documentos,
)
