"""An Atom page of the syndication, read once: its entries as elements, its tombstones, its links and its instant."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

from lxml import etree

from dominios.licitaciones.radar.fechas import leer_instante
from dominios.licitaciones.radar.modelo import Lapida, Modelo
from nucleo.errores import ErrorEntrada, FuenteIlegible

ATOM = "{http://www.w3.org/2005/Atom}"
AT = "{http://purl.org/atompub/tombstones/1.0}"
FEED, ENTRY, DELETED = f"{ATOM}feed", f"{ATOM}entry", f"{AT}deleted-entry"


class CabeceraPagina(Modelo):
    """What the feed says of itself; `enlaces` by rel (self, first, next = older, prev = newer), href as published."""

    id: str | None
    updated: str | None
    enlaces: dict[str, str]


def recorrer_pagina(
    cuerpo: bytes,
    con_entrada: Callable[[etree._Element], None],
    con_lapida: Callable[[etree._Element], None],
) -> CabeceraPagina:
    """Walk one page, handing over each entry and tombstone while it is complete and freeing it afterwards.

    Comments, processing instructions and blank text between elements are dropped: they carry nothing.
    No entity is resolved and no document type is accepted (a feed has none; it is how XML bombs come).
    Raises FuenteIlegible when the bytes are not a whole Atom feed: HTML, truncated, another root.
    """
    contexto = etree.iterparse(
        BytesIO(cuerpo),
        events=("end",),
        tag=(ENTRY, DELETED),
        remove_blank_text=True,
        remove_comments=True,
        remove_pis=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
    )
    try:
        for _, elemento in contexto:
            if elemento.getparent().tag != FEED:
                continue
            (con_entrada if elemento.tag == ENTRY else con_lapida)(elemento)
            elemento.clear()
    except etree.XMLSyntaxError as error:
        raise FuenteIlegible(
            f"La página no es XML completo ({error.msg}): puede ser una respuesta cortada o una página de error."
        ) from error
    return _cabecera(contexto.root)


def _cabecera(raiz: etree._Element) -> CabeceraPagina:
    if raiz.getroottree().docinfo.doctype:  # type: ignore[attr-defined]
        raise FuenteIlegible(
            "La página declara un tipo de documento (DOCTYPE): no es un canal Atom de PLACSP."
        )
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
