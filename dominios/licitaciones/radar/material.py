"""What of a version matters to a bidder, and how two versions differ in it."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from dominios.licitaciones.radar.literal import plazo_local
from dominios.licitaciones.radar.modelo import Criterio, Licitacion, Modelo


class Cambio(Modelo):
    """A material change: the value before and after, as published (None where there was none)."""

    campo: str
    antes: object
    despues: object


def _criterios(criterios: tuple[Criterio, ...]) -> list[list[str | None]]:
    """Order does not matter: it changes from one publication to the next."""
    return sorted(([c.tipo, c.subtipo, c.descripcion, c.peso] for c in criterios), key=_clave)


def _clave(fila: list[str | None]) -> tuple[str, ...]:
    return tuple(v or "" for v in fila)


def _lotes(lic: Licitacion) -> list[list[object]]:
    return sorted(
        (
            [lote.id, lote.objeto, lote.sin_iva, lote.con_iva, sorted(lote.cpv), _criterios(lote.criterios)]
            for lote in lic.lotes
        ),
        key=lambda fila: str(fila[0]),
    )


def _documentos(lic: Licitacion) -> list[list[str | None]]:
    """By hash: the address may change without the document changing, and the name may stay while it does."""
    return sorted(
        (
            [doc.clase, doc.nombre if doc.clase != "general" else doc.fichero, doc.identidad[1]]
            for doc in lic.documentos
        ),
        key=_clave,
    )


def _resultados(lic: Licitacion) -> list[list[object]]:
    return [
        [r.lote, r.resultado, r.sin_iva, sorted([a.nombre or "" for a in r.adjudicatarios])]
        for r in lic.resultados
    ]


CAMPOS: tuple[tuple[str, Callable[[Licitacion], object]], ...] = (
    ("estado", lambda lic: lic.estado),
    ("plazo_ofertas", lambda lic: plazo_local(lic.plazo_ofertas)),
    (
        "plazo_solicitudes",
        lambda lic: (
            plazo_local(lic.plazo_solicitudes) or (lic.consulta.fecha_limite if lic.consulta else None)
        ),
    ),
    ("valor_estimado", lambda lic: lic.valor_estimado),
    ("presupuesto_sin_iva", lambda lic: lic.presupuesto_sin_iva),
    ("presupuesto_con_iva", lambda lic: lic.presupuesto_con_iva),
    ("lotes", _lotes),
    ("criterios", lambda lic: _criterios(lic.criterios)),
    ("documentos", _documentos),
    ("resultados", _resultados),
)
"""The material fields. Notices, summaries and addresses are not: an update that changes only those alerts nobody."""

NOMBRES = tuple(nombre for nombre, _ in CAMPOS)
_SEPARADOR = "\x1f"


def resumir_material(lic: Licitacion) -> str:
    """The material fields in one line, in the order of CAMPOS: short values as they are, lists by their hash.

    Enough to see in which fields two versions differ without reading their XML again.
    """
    return _SEPARADOR.join([_resumir(leer(lic)) for _, leer in CAMPOS])


def _resumir(valor: object) -> str:
    if not valor:
        return ""
    return valor if isinstance(valor, str) else blake2b(repr(valor).encode(), digest_size=8).hexdigest()


def campos_distintos(antes: str, despues: str) -> tuple[str, ...]:
    """Names of the material fields in which two summaries differ."""
    parejas = zip(NOMBRES, antes.split(_SEPARADOR), despues.split(_SEPARADOR), strict=True)
    return tuple(nombre for nombre, previo, nuevo in parejas if previo != nuevo)


def comparar(antes: Licitacion, despues: Licitacion) -> tuple[Cambio, ...]:
    """The material changes between two versions, with both values."""
    cambios = []
    for campo, leer in CAMPOS:
        previo, nuevo = leer(antes), leer(despues)
        if (previo or None) != (nuevo or None):
            cambios.append(Cambio(campo=campo, antes=previo or None, despues=nuevo or None))
    return tuple(cambios)
