"""A page's bytes become everything the store needs, with no store at hand: pure CPU work, fit for another process."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple

from lxml import etree
from pydantic import ValidationError

from dominios.licitaciones.radar.atom import leer_lapida, recorrer_pagina
from dominios.licitaciones.radar.codice import mapear
from dominios.licitaciones.radar.compresion import compresor
from dominios.licitaciones.radar.conjuntos import DESCONOCIDO, fuente_de
from dominios.licitaciones.radar.derivado import derivar
from dominios.licitaciones.radar.fechas import leer_instante
from dominios.licitaciones.radar.fila import Fila, hacer_fila
from dominios.licitaciones.radar.material import resumir_material
from dominios.licitaciones.radar.modelo import Licitacion
from nucleo.errores import ErrorEntrada

OCTETOS_GRUPO = 4 * 1024 * 1024
"""Bytes of XML of the entries read together (see `_Lector`): most pages go whole, and those of 20 MB in pieces."""


class EntradaLeida(NamedTuple):
    """One version, ready to store. `instante` in microseconds UTC; `huella` = sha256 of the canonical XML."""

    id: str
    fuente: str
    updated: str
    instante: int
    huella: bytes
    estado: str | None
    material: str
    xml: bytes
    fila: Fila


class LapidaLeida(NamedTuple):
    """A tombstone; `tipo` is empty when none was published."""

    entrada_id: str
    instante: int
    cuando: str
    tipo: str


class EntradaApartada(NamedTuple):
    """What could not be read, as it came, with the reason."""

    huella: bytes
    codigo: str
    motivo: str
    entrada_id: str | None
    xml: bytes


class PaginaLeida(NamedTuple):
    """One page read. `instante` is feed/updated; all instants in microseconds UTC; `enlaces` rel → href."""

    huella: bytes
    origen: str
    fuente: str | None
    instante: int | None
    enlaces: dict[str, str]
    entradas: tuple[EntradaLeida, ...]
    lapidas: tuple[LapidaLeida, ...]
    cuarentenas: tuple[EntradaApartada, ...]
    instante_max: int | None
    instante_min: int | None
    diccionario: str | None  # sha256 of the dictionary its XML is packed with


def procesar_pagina(
    cuerpo: bytes, origen: str, diccionario: bytes | None = None, huella: bytes | None = None
) -> PaginaLeida:
    """Read one Atom page. An entry that cannot be read is set apart with its XML and the reason; the rest goes on.

    `huella` is the sha256 of `cuerpo`, for who has it already.
    Raises FuenteIlegible when the bytes are not a whole Atom feed (HTML, truncated, another root).
    """
    lector = _Lector(diccionario)
    cabecera = recorrer_pagina(cuerpo, lector.con_entrada, lector.con_lapida)
    lector.terminar_grupo()
    entradas, lapidas = lector.entradas, lector.lapidas
    instantes = [e.instante for e in entradas] + [p.instante for p in lapidas]
    return PaginaLeida(
        huella=huella or sha256(cuerpo).digest(),
        origen=origen,
        fuente=_fuente(cabecera.id, entradas),
        instante=leer_instante(cabecera.updated),
        enlaces=cabecera.enlaces,
        entradas=tuple(entradas),
        lapidas=tuple(lapidas),
        cuarentenas=tuple(lector.apartadas),
        instante_max=max(instantes, default=None),
        instante_min=min(instantes, default=None),
        diccionario=sha256(diccionario).hexdigest() if diccionario else None,
    )


class _Lector:
    """What one page gives, read in groups: all of a group are mapped, then all derived, then all packed.

    One entry through every step and then the next is a fifth slower: each step has its own code and tables (those
    of zstd most of all), which drive the others out of the processor's caches.
    """

    def __init__(self, diccionario: bytes | None) -> None:
        self.diccionario = diccionario
        self.entradas: list[EntradaLeida] = []
        self.lapidas: list[LapidaLeida] = []
        self.apartadas: list[EntradaApartada] = []
        self.mapeadas: list[tuple[Licitacion, bytes]] = []
        self.octetos = 0

    def con_entrada(self, elemento: etree._Element) -> None:
        xml = canonico(elemento)
        mapeada = _mapear(elemento, xml)
        if isinstance(mapeada, EntradaApartada):
            self.apartadas.append(mapeada)
            return
        self.mapeadas.append((mapeada, xml))
        self.octetos += len(xml)
        if self.octetos >= OCTETOS_GRUPO:
            self.terminar_grupo()

    def con_lapida(self, elemento: etree._Element) -> None:
        try:
            lapida = leer_lapida(elemento)
        except (ErrorEntrada, ValidationError) as error:
            self.apartadas.append(_apartar(canonico(elemento), error, elemento.get("ref")))
            return
        self.lapidas.append(
            LapidaLeida(lapida.ref, leer_instante(lapida.cuando) or 0, lapida.cuando, lapida.tipo or "")
        )

    def terminar_grupo(self) -> None:
        """Derive and pack what has been mapped so far."""
        derivadas = [_derivar(licitacion, xml) for licitacion, xml in self.mapeadas]
        self.mapeadas.clear()
        self.octetos = 0
        self.apartadas += [d for d in derivadas if isinstance(d, EntradaApartada)]
        comprimir = compresor(self.diccionario).compress
        self.entradas += [_empaquetar(d, comprimir) for d in derivadas if isinstance(d, EntradaLeida)]


def canonico(elemento: etree._Element) -> bytes:
    """Exclusive canonical XML (W3C, 2002): the same content gives the same bytes, whatever page carries it."""
    return etree.tostring(elemento, method="c14n", exclusive=True, with_comments=False)


def leer_entrada(
    elemento: etree._Element, xml: bytes, diccionario: bytes | None
) -> EntradaLeida | EntradaApartada:
    """One atom:entry with its canonical XML as a stored version, or set apart."""
    mapeada = _mapear(elemento, xml)
    leida = _derivar(mapeada, xml) if isinstance(mapeada, Licitacion) else mapeada
    return _empaquetar(leida, compresor(diccionario).compress) if isinstance(leida, EntradaLeida) else leida


# Set apart too when our own reading fails: an entry nobody foresaw must not stop its page, and those after it, for
# ever. It waits in quarantine, with the failure as its reason, for a version of the program that reads it.


def _mapear(elemento: etree._Element, xml: bytes) -> Licitacion | EntradaApartada:
    try:
        return mapear(elemento)
    except Exception as error:  # noqa: BLE001 - see above
        return _apartar(xml, error, elemento.findtext("{*}id"))


def _derivar(licitacion: Licitacion, xml: bytes) -> EntradaLeida | EntradaApartada:
    """A version still to be packed: its hash is missing and its XML is as it came."""
    try:
        rasgos = derivar(licitacion)
        fila = hacer_fila(licitacion, rasgos)
        material = resumir_material(licitacion)
    except Exception as error:  # noqa: BLE001 - see above
        return _apartar(xml, error, licitacion.id)
    return EntradaLeida(
        id=licitacion.id,
        fuente=rasgos.fuente,
        updated=licitacion.updated,
        instante=rasgos.instante,
        huella=b"",
        estado=licitacion.estado,
        material=material,
        xml=xml,
        fila=fila,
    )


def _empaquetar(leida: EntradaLeida, comprimir: Callable[[bytes], bytes]) -> EntradaLeida:
    return leida._replace(huella=sha256(leida.xml).digest(), xml=comprimir(leida.xml))


def _apartar(xml: bytes, error: Exception, entrada_id: str | None) -> EntradaApartada:
    codigo = "fallo_de_lectura"
    motivo = f"El programa no sabe leer esta entrada ({type(error).__name__}: {error})."
    if isinstance(error, ErrorEntrada):
        codigo, motivo = error.codigo, error.mensaje
    elif isinstance(error, ValidationError):
        primero = error.errors(include_url=False, include_input=False)[0]
        codigo = "valor_no_valido"
        motivo = f"El campo «{'.'.join(map(str, primero['loc']))}» no es válido: {primero['msg']}."
    return EntradaApartada(sha256(xml).digest(), codigo, motivo, (entrada_id or "").strip() or None, xml)


def _fuente(id_del_canal: str | None, entradas: list[EntradaLeida]) -> str | None:
    """From the feed's own id; when it says nothing, from its first entry."""
    fuente = fuente_de(f"{id_del_canal or ''}/")
    if fuente == DESCONOCIDO and entradas:
        fuente = entradas[0].fuente
    return None if fuente == DESCONOCIDO else fuente
