"""Puts in batches what is still to be judged: prefiltered, open, and new or changed in what the agent reads."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from dominios.licitaciones.criba import almacen
from dominios.licitaciones.criba.almacen import Elemento, Previo
from dominios.licitaciones.criba.reglas import en_tandas
from dominios.licitaciones.criba.vista import mirar
from dominios.licitaciones.prefiltro.almacen import Candidata, candidatas
from dominios.licitaciones.radar.consulta import ver
from nucleo.bd import transaccion
from nucleo.empresa.almacen import PerfilGuardado
from nucleo.empresa.lineas import Linea, lineas
from nucleo.modelo import Modelo
from nucleo.reloj import Reloj

TANDAS_MAX = 50
"""Batches that one run puts in the queue: a first run over thousands of tenders must not commit all the money."""


class Formadas(Modelo):
    """The batches that a run formed, how many tenders they hold, and how many it left for the next one."""

    tandas: tuple[int, ...]
    cuantas: int
    quedan: int


class _Perfil(NamedTuple):
    version: int
    lineas: tuple[Linea, ...]
    huella: str


def formar_tandas(
    con: sqlite3.Connection, prefiltro_huella: str, perfil: PerfilGuardado, reloj: Reloj
) -> Formadas:
    """New batches with every prefiltered open tender that needs a verdict, nearest deadline first.

    One that a person decided is not asked about; one that was judged is asked again only when the profile's lines or
    something that the agent reads changed since.
    """
    ahora = reloj()
    leido = _leer(perfil)
    abiertas = candidatas(con, prefiltro_huella, ahora, dentro=True)
    por_juzgar = _por_juzgar(con, abiertas, leido, reloj)
    tandas = list(en_tandas(por_juzgar))
    nuevas = []
    for elementos in tandas[:TANDAS_MAX]:
        with transaccion(con):
            nuevas.append(
                almacen.crear_tanda(con, None, leido.version, leido.lineas, leido.huella, elementos, ahora)
            )
    quedan = sum(map(len, tandas[TANDAS_MAX:]))
    return Formadas(tandas=tuple(nuevas), cuantas=len(por_juzgar) - quedan, quedan=quedan)


def huella_de(texto: str) -> str:
    """32 hex digits of what was read."""
    return sha256(texto.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _leer(perfil: PerfilGuardado) -> _Perfil:
    todas = lineas(perfil.empresa)
    return _Perfil(
        perfil.cabecera.version, todas, huella_de("\n".join(f"{x.clave} {x.texto}" for x in todas))
    )


def _por_juzgar(
    con: sqlite3.Connection, abiertas: Sequence[Candidata], perfil: _Perfil, reloj: Reloj
) -> list[Elemento]:
    ids = [c.licitacion_id for c in abiertas]
    decididas = almacen.ultimas_palabras(con, ids)
    versiones, previos = almacen.versiones(con, ids), almacen.previos(con, ids)
    elementos = []
    for licitacion in ids:
        previo = previos.get(licitacion)
        if licitacion in decididas or not _hay_que_mirar(previo, versiones[licitacion], perfil):
            continue
        vista = mirar(licitacion, ver(con, licitacion, reloj))
        huella = huella_de(vista.model_dump_json())
        if previo and (previo.vista_huella, previo.perfil_huella) == (huella, perfil.huella):
            with transaccion(con):
                almacen.anotar_version(con, licitacion, versiones[licitacion])
            continue
        elementos.append(Elemento(licitacion, licitacion, versiones[licitacion], vista, huella))
    return elementos


def _hay_que_mirar(previo: Previo | None, version: int, perfil: _Perfil) -> bool:
    """Cheap: whether something may have changed since its last batch, if that one is over."""
    if previo is None:
        return True
    return not previo.abierta and (previo.version_id, previo.perfil_huella) != (version, perfil.huella)
