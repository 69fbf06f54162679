"""What of a version matters to a bidder, and how two versions differ in it."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from dominios.licitaciones.radar.literal import plazo_local
from dominios.licitaciones.radar.modelo import Criterio, Licitacion, Modelo

BYTES_POR_CAMPO = 8


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
        [doc.clase, doc.nombre if doc.clase != "general" else doc.fichero, doc.identidad[1]]
        for doc in lic.documentos
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
_VACIO = b"\0" * BYTES_POR_CAMPO


def huellas_materiales(lic: Licitacion) -> bytes:
    """Eight bytes per material field, in the order of CAMPOS: enough to see which of them two versions differ in."""
    return b"".join(_huella(leer(lic)) for _, leer in CAMPOS)


def _huella(valor: object) -> bytes:
    if not valor:
        return _VACIO
    return blake2b(repr(valor).encode(), digest_size=BYTES_POR_CAMPO).digest()


def campos_distintos(antes: bytes, despues: bytes) -> tuple[str, ...]:
    """Names of the material fields whose fingerprints differ."""
    return tuple(
        nombre
        for numero, nombre in enumerate(NOMBRES)
        if antes[numero * BYTES_POR_CAMPO : (numero + 1) * BYTES_POR_CAMPO]
        != despues[numero * BYTES_POR_CAMPO : (numero + 1) * BYTES_POR_CAMPO]
    )


def comparar(antes: Licitacion, despues: Licitacion) -> tuple[Cambio, ...]:
    """The material changes between two versions, with both values."""
    cambios = []
    for campo, leer in CAMPOS:
        previo, nuevo = leer(antes), leer(despues)
        if (previo or None) != (nuevo or None):
            cambios.append(Cambio(campo=campo, antes=previo or None, despues=nuevo or None))
    return tuple(cambios)
