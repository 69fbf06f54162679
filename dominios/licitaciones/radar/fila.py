"""The row of the current view that follows from one version: what lists show, filter, sort and search."""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from dominios.licitaciones.radar.derivado import Rasgos
from dominios.licitaciones.radar.importes import centimos
from dominios.licitaciones.radar.modelo import Licitacion
from nucleo.codigos.nif import normalizar_nif
from nucleo.texto import limpiar, raices

COLUMNAS = (
    "tipo_registro",
    "expediente",
    "objeto",
    "organo",
    "organo_nif",
    "estado",
    "tipo",
    "subtipo",
    "procedimiento",
    "urgencia",
    "sistema",
    "valor_estimado",
    "presupuesto",
    "importe",
    "cpv",
    "nuts",
    "plazo_local",
    "plazo",
    "cierre",
    "publicada",
    "desenlace",
    "adjudicado",
    "n_lotes",
    "avisos",
    "texto_huella",
)
"""Columns of `licitacion` that come from the version, in the order of `Fila.valores`."""


_nif = lru_cache(maxsize=8192)(normalizar_nif)
_raices_de_organo = lru_cache(maxsize=8192)(raices)
"""The same bodies publish again and again."""


class Fila(NamedTuple):
    """`valores` in the order of COLUMNAS; `texto` = (object, lots, buyer, file number) in roots, for searching."""

    valores: tuple[str | int | bytes | None, ...]
    cpvs: tuple[str, ...]
    nuts: tuple[str, ...]
    texto: tuple[str, str, str, str]


def hacer_fila(lic: Licitacion, rasgos: Rasgos) -> Fila:
    """The row of one version."""
    objeto = limpiar(lic.objeto or lic.titulo or lic.expediente or lic.id)
    texto = _texto(lic, objeto)
    presupuesto, estimado = rasgos.presupuesto, rasgos.valor_estimado
    adjudicado = rasgos.desenlace.adjudicado
    valores = (
        rasgos.tipo_registro,
        lic.expediente,
        objeto,
        lic.organo.nombre,
        _nif(lic.organo.ids["NIF"]) if "NIF" in lic.organo.ids else None,
        lic.estado,
        lic.tipo,
        lic.subtipo,
        lic.procedimiento,
        lic.urgencia,
        lic.sistema,
        None if estimado is None else str(estimado),
        None if presupuesto is None else str(presupuesto),
        centimos(rasgos.importe),
        lic.cpv[0] if lic.cpv else None,
        lic.nuts[0] if lic.nuts else None,
        rasgos.cierre.local,
        rasgos.cierre.plazo,
        rasgos.cierre.cierre,
        rasgos.publicada,
        rasgos.desenlace.desenlace,
        None if adjudicado is None else str(adjudicado),
        len(lic.lotes) or len(rasgos.desenlace.deducidos),
        json.dumps(rasgos.avisos) if rasgos.avisos else "[]",
        blake2b("\0".join(texto).encode(), digest_size=8).digest(),
    )
    return Fila(
        valores=valores,
        cpvs=_unicos(lic.cpv, [lote.cpv for lote in lic.lotes]),
        nuts=_unicos(lic.nuts, [lote.nuts for lote in lic.lotes]),
        texto=texto,
    )


def _texto(lic: Licitacion, objeto: str) -> tuple[str, str, str, str]:
    titulo = limpiar(lic.titulo) if lic.titulo and lic.titulo != lic.objeto else ""
    organo = " ".join((lic.organo.nombre or "", *lic.organo.jerarquia[:2]))
    return (
        raices(f"{objeto} {titulo}" if titulo and titulo not in objeto else objeto),
        raices(" ".join(limpiar(lote.objeto) for lote in lic.lotes if lote.objeto)) if lic.lotes else "",
        _raices_de_organo(organo),
        raices(lic.expediente or ""),
    )


def _unicos(principales: tuple[str, ...], de_lotes: list[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*principales, *(codigo for codigos in de_lotes for codigo in codigos))))
