"""How the stand-in screens a batch: words and CPV branches of the profile against each tender. No judgement at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from app.hermes.agente import Guion, Mano
from app.hermes.memoria import Json
from nucleo.texto import VACIAS, plegar, raices

AFINES = ("actividades.", "distribuye.", "ademas.")
CONTRARIAS = "no_hace."
PALABRAS = 2
"""Words of a line that a tender must share with it, unless the line has only one."""
VUELTAS = 3
_COMUNES = frozenset(
    raices(
        "hace además no distribuye servicio suministro mantenimiento empresa trabajo obra contrato"
    ).split()
)
_CPV = re.compile(r"^CPV (\d{2,8}):")


class Apoyo(NamedTuple):
    """A line of the profile that bears on a tender, and what they share."""

    clave: str
    comun: str


async def cribar(mano: Mano) -> str:
    """Take the batch, propose on all of it, and again on what is said to be missing."""
    if mano.marca is None:
        return "Las instrucciones no dicen de qué trabajo se trata."
    encargo: Json = {"trabajo": mano.marca.trabajo, "nonce": mano.marca.nonce}
    lote = await mano.llamar("criba_lote", encargo)
    if not lote.get("ok"):
        return f"No me han dado la tanda: {_errores(lote)}."
    perfil, vistas = _objetos(lote.get("perfil")), _objetos(lote.get("licitaciones"))
    juicios = {_numero(vista): juzgar(vista, perfil) for vista in vistas}
    faltan: Iterable[int] = list(juicios)
    for _ in range(VUELTAS):
        propuesta = {**encargo, "juicios": [juicios[n] for n in faltan if n in juicios]}
        respuesta = await mano.llamar("criba_proponer", propuesta)
        if not respuesta.get("ok"):
            return f"No me han admitido los veredictos: {_errores(respuesta)}."
        if respuesta.get("cerrada"):
            return f"Tanda juzgada: {len(juicios)} licitaciones."
        pendientes = respuesta.get("faltan")
        faltan = [n for n in pendientes if isinstance(n, int)] if isinstance(pendientes, list) else []
    return "La tanda no se cierra."


def juzgar(vista: Mapping[str, object], perfil: Sequence[Mapping[str, object]]) -> Json:
    """The verdict on one tender, as `criba_proponer` takes it."""
    palabras = _palabras(str(vista.get("objeto") or ""), *_textos(vista.get("lotes")))
    lineas = [(str(x.get("clave")), str(x.get("texto"))) for x in perfil]
    contrarios = [a for c, t in lineas if c.startswith(CONTRARIAS) and (a := _apoyo(c, t, palabras))]
    afines = [a for c, t in lineas if c.startswith(AFINES) and (a := _apoyo(c, t, palabras))]
    ramas = [
        Apoyo(clave, rama[1])
        for clave, texto in lineas
        if (rama := _CPV.match(texto)) and any(c.startswith(rama[1]) for c in _textos(vista.get("cpv")))
    ]
    veredicto, apoyos, motivo = _decidir(contrarios, afines, ramas, [c for c, _ in lineas])
    return {
        "numero": _numero(vista),
        "veredicto": veredicto,
        "motivo": f"Simulado, sin modelo: {motivo}.",
        "lineas": list(dict.fromkeys(a.clave for a in apoyos))[:12],
    }


def _decidir(
    contrarios: list[Apoyo], afines: list[Apoyo], ramas: list[Apoyo], claves: list[str]
) -> tuple[str, list[Apoyo], str]:
    if contrarios and (afines or ramas):
        return (
            "duda",
            [*contrarios, *afines],
            f"coincide con lo que hace y con lo que no («{contrarios[0].comun}»)",
        )
    if contrarios:
        return "no_encaja", contrarios, f"coincide con lo que no hace («{contrarios[0].comun}»)"
    if afines:
        return "encaja", [*afines, *ramas], f"coincide con lo que hace («{afines[0].comun}»)"
    if ramas:
        return "duda", ramas, f"solo coincide el CPV {ramas[0].comun}"
    comparadas = [Apoyo(c, "") for c in claves if c.startswith(AFINES)][:3]
    if comparadas:
        return "no_encaja", comparadas, "no comparte palabras ni CPV con lo que hace"
    return "duda", [], "el perfil no dice a qué se dedica la empresa"


def _apoyo(clave: str, texto: str, palabras: frozenset[str]) -> Apoyo | None:
    de_linea = _palabras(texto.partition(":")[2] or texto)
    comunes = sorted(de_linea & palabras)
    return (
        Apoyo(clave, " ".join(comunes)) if comunes and len(comunes) >= min(PALABRAS, len(de_linea)) else None
    )


def _palabras(*textos: str) -> frozenset[str]:
    sueltas: frozenset[str] = reduce(
        frozenset.union, (frozenset(plegar(t).split()) for t in textos), frozenset()
    )
    return frozenset(raices(p) for p in sueltas - VACIAS if len(p) > 2) - _COMUNES


def _textos(valor: object) -> list[str]:
    return [v for v in valor if isinstance(v, str)] if isinstance(valor, list) else []


def _objetos(valor: object) -> list[Json]:
    return [v for v in valor if isinstance(v, dict)] if isinstance(valor, list) else []


def _numero(vista: Mapping[str, object]) -> int:
    numero = vista.get("numero")
    return numero if isinstance(numero, int) else 0


def _errores(respuesta: Json) -> str:
    return (
        "; ".join(f"{e.get('campo')}: {e.get('mensaje')}" for e in _objetos(respuesta.get("errores")))
        or "sin motivo"
    )


CRIBA = Guion(frozenset({"criba_lote", "criba_proponer"}), cribar)
