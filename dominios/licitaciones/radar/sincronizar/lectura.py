"""From what the network and the page said to what the planner understands: pure."""

from __future__ import annotations

from urllib.parse import urljoin

from dominios.licitaciones.radar.procesar import PaginaLeida
from dominios.licitaciones.radar.sincronizar.modelo import Alarma, Leida
from nucleo.errores import DestinoProhibido, ErrorRed, FuenteIlegible
from nucleo.red.destinos import sin_consulta


def resumir(url: str, siguiente: str | None, pagina: PaginaLeida) -> Leida:
    """What matters of a page for the walk; what was set apart of it counts as read."""
    return Leida(
        url=url,
        siguiente=siguiente,
        maximo=pagina.instante_max,
        minimo=pagina.instante_min,
        cosas=len(pagina.entradas) + len(pagina.lapidas) + len(pagina.cuarentenas),
    )


def rechazar_vacia(suceso: object) -> None:
    """A head that had items and comes without any is no news: something is wrong there. Raises FuenteIlegible."""
    if isinstance(suceso, Leida) and suceso.cosas == 0 and suceso.siguiente is None:
        raise FuenteIlegible("La cabecera llega vacía, y antes tenía anotaciones.")


def absoluta(base: str, enlace: str | None) -> str | None:
    """The link made absolute; one that is no URL is returned as it came, to be refused when it is asked for."""
    if enlace is None:
        return None
    try:
        return urljoin(base, enlace.strip())
    except ValueError:
        return enlace


def alarma_de(error: ErrorRed, url: str) -> Alarma:
    """Why a page could not be had, for a person."""
    if isinstance(error, DestinoProhibido):
        return Alarma(codigo="pagina_prohibida", mensaje=error.mensaje)
    if isinstance(error, FuenteIlegible):
        return Alarma(codigo="pagina_ilegible", mensaje=f"{sin_consulta(url)}: {error.mensaje}")
    return Alarma(codigo="pagina_inaccesible", mensaje=error.mensaje)


def ausencia(url: str, estado: int) -> Alarma:
    """The page is gone, also after looking for it again from the head."""
    return Alarma(
        codigo="pagina_ausente",
        mensaje=f"{sin_consulta(url)} no existe ({estado}): la cadena de páginas está cortada ahí.",
    )
