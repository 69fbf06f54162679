"""What the agent reads of a tender: enough to judge it, cut so that a whole batch fits in one answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dominios.licitaciones.criba.modelo import Vista
from dominios.licitaciones.radar.consulta import Documento
from dominios.licitaciones.radar.literal import plazo_local
from dominios.licitaciones.radar.modelo import Licitacion, Lote
from nucleo.codigos.cpv import etiqueta_cpv
from nucleo.codigos.listas import codigos_de
from nucleo.codigos.nuts import etiqueta_nuts
from nucleo.empresa.lineas import Linea
from nucleo.texto import limpiar

OCTETOS_MAX = 33_000
"""Bytes of a batch's tenders as JSON; with the profile's lines the answer stays under an agent's limit."""
OCTETOS_PERFIL = 12_000
"""Bytes of the profile's lines as JSON."""


class Corte(NamedTuple):
    """Characters of the object, of each lot or requirement and of the short fields; how many of each list."""

    objeto: int
    trozo: int
    corto: int
    lotes: int
    requisitos: int
    cpv: int


CORTES = (
    Corte(800, 160, 120, lotes=20, requisitos=6, cpv=6),
    Corte(500, 120, 100, lotes=10, requisitos=3, cpv=4),
    Corte(300, 80, 80, lotes=6, requisitos=1, cpv=3),
    Corte(90, 24, 16, lotes=1, requisitos=0, cpv=1),
)
"""From whole to what always fits: 20 tenders, every character of four bytes."""
CORTOS = ("organo", "tipo", "procedimiento", "importe", "lugar", "plazo")
_ID_MAX = 120


def mirar(numero: int, documento: Documento) -> Vista:
    """The tender at full length."""
    lic = documento.detalle
    return Vista(
        numero=numero,
        id=lic.id[:_ID_MAX],
        objeto=_hasta(limpiar(lic.objeto or lic.titulo or ""), CORTES[0].objeto),
        organo=_corto(lic.organo.nombre),
        tipo=_corto(codigos_de("ContractCode").get(lic.tipo or "", lic.tipo)),
        procedimiento=_corto(
            codigos_de("SyndicationTenderingProcessCode").get(lic.procedimiento or "", lic.procedimiento)
        ),
        importe=_corto(documento.derivado.importe_para_filtro),
        lugar=_corto(", ".join(etiqueta_nuts(n) or n for n in lic.nuts[:4]) or lic.lugar),
        plazo=_corto(plazo_local(lic.plazo_solicitudes or lic.plazo_ofertas)),
        cpv=_recorte(_codigos(lic), CORTES[0].cpv, CORTES[0].corto),
        lotes=_recorte(map(_lote, lic.lotes), CORTES[0].lotes, CORTES[0].trozo),
        requisitos=_recorte(
            (limpiar(r.descripcion or "") for r in lic.requisitos), CORTES[0].requisitos, CORTES[0].trozo
        ),
    )


def encajar(vistas: Sequence[Vista], octetos_max: int = OCTETOS_MAX) -> tuple[Vista, ...]:
    """The same tenders, all of them, each cut as little as lets the batch fit."""
    for corte in CORTES:
        cortadas = tuple(_cortar(v, corte) for v in vistas)
        if sum(len(v.model_dump_json().encode()) for v in cortadas) <= octetos_max:
            break
    return cortadas


def encajar_lineas(
    lineas: Sequence[Linea], octetos_max: int = OCTETOS_PERFIL
) -> tuple[tuple[Linea, ...], int]:
    """The profile's lines, shortened if need be; and how many of the last ones (past contracts) do not fit at all."""
    for largo in (400, 200, 100, 60):
        cortas = [x.model_copy(update={"texto": _hasta(x.texto, largo)}) for x in lineas]
        if sum(len(x.model_dump_json().encode()) for x in cortas) <= octetos_max:
            return tuple(cortas), 0
    while cortas and sum(len(x.model_dump_json().encode()) for x in cortas) > octetos_max:
        cortas.pop()
    return tuple(cortas), len(lineas) - len(cortas)


def _cortar(vista: Vista, corte: Corte) -> Vista:
    cortos = {
        campo: valor and _hasta(valor, corte.corto) for campo in CORTOS if (valor := getattr(vista, campo))
    }
    return vista.model_copy(
        update=cortos
        | {
            "cpv": _recorte(vista.cpv, corte.cpv, _ID_MAX),
            "objeto": _hasta(vista.objeto, corte.objeto),
            "lotes": _recorte(vista.lotes, corte.lotes, corte.trozo),
            "requisitos": _recorte(vista.requisitos, corte.requisitos, corte.trozo),
        }
    )


def _codigos(lic: Licitacion) -> tuple[str, ...]:
    todos = dict.fromkeys((*lic.cpv, *(c for lote in lic.lotes for c in lote.cpv)))
    return tuple(f"{c} {etiqueta_cpv(c) or ''}".strip() for c in todos)


def _lote(lote: Lote) -> str:
    precio = f" ({lote.sin_iva} €)" if lote.sin_iva else ""
    return limpiar(f"{lote.id or '?'}: {lote.objeto or ''}") + precio


def _recorte(textos: Iterable[str], cuantos: int, largo: int) -> tuple[str, ...]:
    """The first ones; when some are left out, the last one says how many."""
    todos = [t for t in textos if t]
    sobran = len(todos) - cuantos
    cabeza = tuple(_hasta(t, largo) for t in todos[:cuantos])
    return (*cabeza, f"… y {sobran} más") if sobran > 0 and cuantos else cabeza


def _hasta(texto: str, largo: int) -> str:
    return texto if len(texto) <= largo else texto[: largo - 1] + "…"


def _corto(texto: str | None) -> str | None:
    return None if not texto else _hasta(limpiar(texto), CORTES[0].corto)
