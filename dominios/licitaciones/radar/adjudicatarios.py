"""Who won, as far as the published identifiers allow to say: the scheme lies both ways and numbers carry noise."""

from __future__ import annotations

import re

from dominios.licitaciones.radar.modelo import Adjudicatario, Licitacion, Modelo, Resultado
from dominios.licitaciones.radar.plazos import ADJUDICADOS
from nucleo.codigos.nif import es_enmascarado, es_nif_de_ute, normalizar_nif

_UTE = re.compile(r"\bU\.?\s?T\.?\s?E\b\.?", re.IGNORECASE)
_UNION = re.compile(r"\bUNI[OÓ]N(?:ES)? TEMPORAL(?:ES)? DE EMPRESAS\b", re.IGNORECASE)
_SEPARADOR = re.compile(r"\s*;\s*|\s+[-–—+]\s+|\s*/\s*")
_LEY = re.compile(r"\(?\bLEY\s+18/1982\b[^;)]*\)?", re.IGNORECASE)


class Ganador(Modelo):
    """A winner of one lot. `nif` is normalised or None; a UTE is never somebody's victory by itself."""

    lote: str | None
    nombre: str | None
    nif: str | None
    es_ute: bool
    miembros: tuple[str, ...]


def ganadores(lic: Licitacion) -> tuple[tuple[Ganador, ...], tuple[str, ...]]:
    """The winners of the awarded results, in published order, and the flags their data deserve."""
    lista: list[Ganador] = []
    avisos: set[str] = set()
    for resultado in lic.resultados:
        if resultado.resultado in ADJUDICADOS:
            for adjudicatario in resultado.adjudicatarios:
                lista.append(_ganador(resultado, adjudicatario, avisos))
    return tuple(lista), tuple(sorted(avisos))


def _ganador(resultado: Resultado, adjudicatario: Adjudicatario, avisos: set[str]) -> Ganador:
    nombre = adjudicatario.nombre
    nif = next((n for _, valor in adjudicatario.ids if (n := normalizar_nif(valor or ""))), None)
    if nif is None and nombre and (cambiado := normalizar_nif(nombre)):
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
    if not nombre:
        return False
    if "ut" not in nombre.lower() and ";" not in nombre and "u.t" not in nombre.lower():
        return _UNION.search(nombre) is not None if "tempor" in nombre.lower() else False
    return (
        _UTE.search(nombre) is not None
        or _UNION.search(nombre) is not None
        or sum(bool(trozo.strip()) for trozo in nombre.split(";")) > 1
    )


def _miembros(nombre: str) -> tuple[str, ...]:
    """Names of the firms of a UTE when its name lists two or more; otherwise none is guessed."""
    limpio = _LEY.sub("", _UNION.sub("", _UTE.sub("", nombre)))
    trozos = [t.strip(" ,.:-–()«»\"'") for t in _SEPARADOR.split(limpio)]
    firmas = tuple(t for t in trozos if len(t) > 2)  # noqa: PLR2004 - shorter pieces are noise
    return firmas if len(firmas) > 1 else ()
