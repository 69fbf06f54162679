"""From a miss to the edit that would have let it in, rule by rule; and who, of those followed, is among the winners."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from dominios.licitaciones.criba.fallos.modelo import Cambio, Descarte, Donde, Hechos, Quien
from dominios.licitaciones.prefiltro.modelo import Regla
from dominios.licitaciones.radar.consulta import GanadorVisto
from nucleo.empresa.modelo import Empresa
from nucleo.texto import plegar

PLAZO = "plazo"
"""The only rule against a tender that says nothing about what the company does: running out of time is no miss."""
_CLASE = 4
"""Digits of a CPV class: the branch that is proposed."""
_OBJETO = 120


class Seguido(NamedTuple):
    """Somebody whose awards matter."""

    quien: Quien
    nombre: str
    nif: str


def seguidos(empresa: Empresa) -> tuple[Seguido, ...]:
    """The company and the competitors that it follows."""
    return (
        Seguido(Quien.NOSOTROS, empresa.nombre, empresa.nif),
        *(Seguido(Quien.RIVAL, r.nombre, r.nif) for r in empresa.rivales),
    )


def ganador_seguido(ganadores: Iterable[GanadorVisto], siguen: Iterable[Seguido]) -> Seguido | None:
    """The first of those followed that won a lot, by NIF; by name only as a member of a joint venture."""
    nifs: set[str | None] = set()
    socios: set[str] = set()
    for ganador in ganadores:
        nifs.add(ganador.nif)
        socios.update(plegar(m) for m in ganador.miembros)
    return next((s for s in siguen if s.nif in nifs or plegar(s.nombre) in socios), None)


def en_contra(reglas: Iterable[Regla]) -> tuple[Regla, ...]:
    """The rules that left it out for what it is."""
    return tuple(r for r in reglas if r.efecto == "fuera" and r.nombre != PLAZO)


def cambios(descarte: Descarte, hechos: Hechos) -> tuple[Cambio, ...]:
    """What to change so that the next one like it gets in; () when nothing can be said."""
    if descarte.donde is Donde.CRIBA:
        return _de_criba(descarte, hechos)
    return tuple(c for r in descarte.reglas for c in _de_regla(r, hechos))


def _de_criba(descarte: Descarte, hechos: Hechos) -> tuple[Cambio, ...]:
    contrarias = [c for c in descarte.lineas if c.startswith("no_hace.")]
    if contrarias:
        return tuple(_cambio("empresa", c, "revisar", "", descarte.motivo) for c in contrarias)
    return (_cambio("empresa", "ademas", "añadir", hechos.objeto[:_OBJETO], descarte.motivo),)


def _de_regla(regla: Regla, hechos: Hechos) -> tuple[Cambio, ...]:
    importe = "" if hechos.importe is None else f"{hechos.importe:.2f}"
    anadir: dict[str, tuple[str, str | None]] = {
        "sin_criterio": ("cpv.incluir", hechos.cpv[0][:_CLASE] if hechos.cpv else None),
        "regiones": ("regiones", hechos.nuts[0] if hechos.nuts else None),
        "tipos": ("tipos", hechos.tipo),
        "procedimientos": ("procedimientos", hechos.procedimiento),
        "tipos_registro": ("tipos_registro", hechos.tipo_registro),
    }
    quitar = {
        "palabras_excluidas": "palabras_excluidas",
        "cpv_excluido": "cpv.excluir",
        "organos_excluidos": "organos.excluir",
        "fuentes": "fuentes",
    }
    if regla.nombre == "importes":
        campo = "importes.minimo" if "menos del mínimo" in regla.detalle else "importes.maximo"
        return (_cambio("prefiltro", campo, "poner", importe, regla.detalle),)
    if regla.nombre in quitar:
        return (_cambio("prefiltro", quitar[regla.nombre], "revisar", "", regla.detalle),)
    campo, valor = anadir.get(regla.nombre, ("", None))
    return (_cambio("prefiltro", campo, "añadir", valor, regla.detalle),) if valor else ()


def _cambio(perfil: str, campo: str, accion: str, valor: str, porque: str) -> Cambio:
    return Cambio(perfil=perfil, campo=campo, accion=accion, valor=valor, porque=porque)
