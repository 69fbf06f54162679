"""Addresses: of our own views, and of the sites that a page may link to."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from app.piezas.texto import neutralizar
from dominios.licitaciones.radar.sincronizar.fuentes import HOSTS
from nucleo.errores import DestinoProhibido
from nucleo.red.destinos import crear_politica, examinar

VISTA = "vista"
LICITACION = "licitacion"
_POLITICA = crear_politica(HOSTS)


def a_licitacion(entrada_id: str) -> dict[str, str]:
    """Query of the page of a tender."""
    return {VISTA: LICITACION, "id": entrada_id}


def direccion_segura(url: str | None) -> str | None:
    """The URL, rebuilt from its checked parts, when it is https and of a site we trust; else None."""
    if url is None:
        return None
    try:
        return examinar(url, _POLITICA).url
    except DestinoProhibido:
        return None


def enlace_externo(rotulo: str, url: str | None) -> str:
    """Markdown of a link with our own label when the site is trusted; otherwise the address as plain text."""
    segura = direccion_segura(url)
    if segura is not None:
        return f"[{rotulo}]({quote(segura, safe=_EN_DESTINO)})"
    return f"{neutralizar(url, 160)} (sin enlace: sitio no verificado)" if url else "sin dirección"


# Whatever could end a Markdown link or begin something else goes percent-encoded.
_EN_DESTINO = ":/?&=%#,;@+~-._!'"


def consulta_en_texto(parametros: Mapping[str, str]) -> str:
    """Parameters as the text of a query, for keeping the list a person came from."""
    return "&".join(f"{quote(k, safe='')}={quote(v, safe='')}" for k, v in parametros.items())
