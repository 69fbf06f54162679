"""An Atom page of the syndication, read once: its entries as elements, its tombstones, its links and its instant."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import TypeAlias, TypedDict

from lxml import etree

from dominios.licitaciones.radar.fechas import leer_instante
from dominios.licitaciones.radar.modelo import Lapida, Modelo
from nucleo.errores import ErrorEntrada, FuenteIlegible

ATOM = "{http://www.w3.org/2005/Atom}"
AT = "{http://purl.org/atompub/tombstones/1.0}"
FEED, ENTRY, DELETED = f"{ATOM}feed", f"{ATOM}entry", f"{AT}deleted-entry"


Recibir: TypeAlias = "Callable[[etree._Element], object]"

ARBOL_ENTERO = 6 * 1024 * 1024
"""Bytes up to which a page is parsed whole: a quarter quicker, and its tree still small."""


class _Prudencia(TypedDict):
    remove_blank_text: bool
    remove_comments: bool
    remove_pis: bool
    resolve_entities: bool
    no_network: bool
    load_dtd: bool


_PRUDENCIA: _Prudencia = {
    "remove_blank_text": True,
    "remove_comments": True,
    "remove_pis": True,
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
}


class CabeceraPagina(Modelo):
    """What the feed says of itself; `enlaces` by rel (self, first, next = older, prev = newer), href as published."""

    id: str | None
    updated: str | None
    enlaces: dict[str, str]


def recorrer_pagina(cuerpo: bytes, con_entrada: Recibir, con_lapida: Recibir) -> CabeceraPagina:
    """Walk one page, handing over each entry and tombstone in document order.

    Comments, processing instructions and blank text between elements are dropped: they carry nothing.
    No entity is resolved and no document type is accepted (a feed has none; it is how XML bombs come).
    Raises FuenteIlegible when the bytes are not a whole Atom feed: HTML, truncated, another root.
    """
    try:
        if len(cuerpo) <= ARBOL_ENTERO:
            raiz = etree.fromstring(cuerpo, etree.XMLParser(**_PRUDENCIA))
            _rechazar_doctype(raiz)
            for elemento in raiz:
                _repartir(elemento, con_entrada, con_lapida)
        else:
            raiz = _por_trozos(cuerpo, con_entrada, con_lapida)
    except etree.XMLSyntaxError as error:
        raise FuenteIlegible(
            f"La página no es XML completo ({error.msg}): puede ser una respuesta cortada o una página de error."
        ) from error
    return _cabecera(raiz)


def _por_trozos(cuerpo: bytes, con_entrada: Recibir, con_lapida: Recibir) -> etree._Element:
    """Walk a big page freeing what is done: its whole tree would take five times its bytes."""
    contexto = etree.iterparse(BytesIO(cuerpo), events=("end",), tag=(ENTRY, DELETED), **_PRUDENCIA)
    for _, elemento in contexto:
        if elemento.getparent().tag == FEED:
            _rechazar_doctype(elemento)
            _repartir(elemento, con_entrada, con_lapida)
            elemento.clear()
    raiz: etree._Element = contexto.root
    _rechazar_doctype(raiz)
    return raiz


def _repartir(elemento: etree._Element, con_entrada: Recibir, con_lapida: Recibir) -> None:
    if elemento.tag == ENTRY:
        con_entrada(elemento)
    elif elemento.tag == DELETED:
        con_lapida(elemento)


def _rechazar_doctype(elemento: etree._Element) -> None:
    if elemento.getroottree().docinfo.doctype:  # type: ignore[attr-defined]
        raise FuenteIlegible(
            "La página declara un tipo de documento (DOCTYPE): no es un canal Atom de PLACSP."
        )


def _cabecera(raiz: etree._Element) -> CabeceraPagina:
    if raiz.tag != FEED:
        raise FuenteIlegible(
            f"La página no es un canal Atom: su raíz es «{etree.QName(raiz).localname}»."
            " Puede ser una página de error con respuesta 200."
        )
    enlaces: dict[str, str] = {}
    for enlace in raiz.iterfind(f"{ATOM}link"):
        rel, href = enlace.get("rel", "alternate"), enlace.get("href")
        if href:
            enlaces.setdefault(rel, href)
    return CabeceraPagina(
        id=raiz.findtext(f"{ATOM}id"), updated=raiz.findtext(f"{ATOM}updated"), enlaces=enlaces
    )


def leer_lapida(elemento: etree._Element) -> Lapida:
    """An at:deleted-entry as a `Lapida`. Raises ErrorEntrada when its instant cannot be read."""
    comentario = elemento.find(f"{AT}comment")
    lapida = Lapida(
        ref=(elemento.get("ref") or "").strip(),
        cuando=(elemento.get("when") or "").strip(),
        tipo=comentario.get("type") if comentario is not None else None,
    )
    if leer_instante(lapida.cuando) is None:
        raise ErrorEntrada(f"La lápida de {lapida.ref} trae un instante ilegible: «{lapida.cuando}».")
    return lapida
