"""Who won, as far as the published identifiers allow to say: the scheme lies both ways and numbers carry noise."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from dominios.licitaciones.radar.modelo import Adjudicatario, Licitacion, Resultado
from dominios.licitaciones.radar.plazos import ADJUDICADOS
from nucleo.codigos.nif import es_enmascarado, es_nif_de_ute, normalizar_nif

_UTE = re.compile(r"\bU\.?\s?T\.?\s?E\b\.?", re.IGNORECASE)
_UNION = re.compile(r"\bUNI[OÓ]N(?:ES)? TEMPORAL(?:ES)? DE EMPRESAS\b", re.IGNORECASE)
_SEPARADOR = re.compile(r"\s*;\s*|\s+[-–—+]\s+|\s*/\s*")
_LEY = re.compile(r"\(?\bLEY\s+18/1982\b[^;)]*\)?", re.IGNORECASE)


_nif = lru_cache(maxsize=8192)(normalizar_nif)
"""The same firms win again and again."""


class Ganador(NamedTuple):
    """A winner of one lot. `nif` is normalised or None; a UTE is never somebody's victory by itself."""

    lote: str | None
    nombre: str | None
    nif: str | None
    es_ute: bool
    miembros: tuple[str, ...]


def ganadores(lic: Licitacion) -> tuple[tuple[Ganador, ...], tuple[str, ...]]:
    """The winners of the awarded results, in published order, and the flags their data deserve."""
    avisos: set[str] = set()
    lista = [
        _ganador(resultado, adjudicatario, avisos)
        for resultado in lic.resultados
        if resultado.resultado in ADJUDICADOS
        for adjudicatario in resultado.adjudicatarios
    ]
    return tuple(lista), tuple(sorted(avisos))


def _ganador(resultado: Resultado, adjudicatario: Adjudicatario, avisos: set[str]) -> Ganador:
    nombre = adjudicatario.nombre
    nif = next((n for _, valor in adjudicatario.ids if (n := _nif(valor or ""))), None)
    if nif is None and nombre and (cambiado := _nif(nombre)):
        nif = cambiado
        avisos.add("nombre_y_nif_cambiados")
    elif nif is None and adjudicatario.ids:
        enmascarado = any(es_enmascarado(valor or "") for _, valor in adjudicatario.ids)
        avisos.add("nif_enmascarado" if enmascarado else "nif_invalido")
    es_ute = (
        (nif is not None and es_nif_de_ute(nif))
        or adjudicatario.tipo_empresa == "1"
        or _es_ute_por_nombre(nombre or "")
    )
    if not es_ute and any(esquema == "UTE" for esquema, _ in adjudicatario.ids):
        avisos.add("ute_dudosa")
    return Ganador(
        lote=resultado.lote,
        nombre=nombre,
        nif=nif,
        es_ute=es_ute,
        miembros=_miembros(nombre or "") if es_ute else (),
    )


def _es_ute_por_nombre(nombre: str) -> bool:
    compacto = nombre.lower().replace(".", "").replace(" ", "")
    if "ute" not in compacto and "tempor" not in compacto and ";" not in nombre:
        return False  # what most names are, told without a search
    return (
        _UTE.search(nombre) is not None
        or _UNION.search(nombre) is not None
        or sum(bool(trozo.strip()) for trozo in nombre.split(";")) > 1
    )


def _miembros(nombre: str) -> tuple[str, ...]:
    """Names of the firms of a UTE when its name lists two or more; otherwise none is guessed."""
    limpio = _LEY.sub("", _UNION.sub("", _UTE.sub("", nombre)))
    trozos = [t.strip(" ,:-–()«»\"'").lstrip(". ") for t in _SEPARADOR.split(limpio)]
    firmas = tuple(t for t in trozos if len(t) > 2)
    return firmas if len(firmas) > 1 else ()
