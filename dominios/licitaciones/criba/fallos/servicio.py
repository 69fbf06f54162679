"""Looks for misses among what was awarded since the last look, and takes a person's answer to them."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from decimal import Decimal

from dominios.licitaciones.criba.consulta import exigir_persona
from dominios.licitaciones.criba.fallos import almacen
from dominios.licitaciones.criba.fallos.modelo import Donde, Fallo, Hechos
from dominios.licitaciones.criba.fallos.reglas import (
    Seguido,
    cambios,
    en_contra,
    ganador_seguido,
    seguidos,
)
from dominios.licitaciones.radar.consulta import Documento, ver
from nucleo.bd import transaccion
from nucleo.empresa.almacen import PerfilGuardado
from nucleo.errores import NoEncontrado
from nucleo.modelo import Modelo
from nucleo.reloj import Reloj


class Busqueda(Modelo):
    """Awarded tenders looked at, and misses found among them."""

    miradas: int
    nuevos: int


def buscar_fallos(con: sqlite3.Connection, perfil: PerfilGuardado, reloj: Reloj) -> Busqueda:
    """Each tender in its own transaction: an interrupted run goes on where it was. It edits no profile."""
    version_perfil = perfil.cabecera.version
    siguen = seguidos(perfil.empresa)
    pendientes = almacen.por_mirar(con, version_perfil)
    nuevos = 0
    for licitacion, version in pendientes:
        documento = ver(con, licitacion, reloj)
        ganador = ganador_seguido(documento.derivado.adjudicatarios, siguen)
        with transaccion(con):
            if ganador is not None:
                nuevos += _anotar(con, licitacion, documento, ganador, reloj())
            almacen.anotar_mirada(con, licitacion, version, version_perfil)
    return Busqueda(miradas=len(pendientes), nuevos=nuevos)


def _anotar(
    con: sqlite3.Connection, licitacion: int, documento: Documento, ganador: Seguido, ahora: datetime
) -> bool:
    descarte = almacen.descarte(con, licitacion)
    if descarte is None:
        return False
    if descarte.donde is Donde.PREFILTRO:
        descarte = descarte.model_copy(update={"reglas": en_contra(descarte.reglas)})
        if not descarte.reglas:
            return False
    return almacen.anotar(
        con, licitacion, ganador, descarte.donde, cambios(descarte, _hechos(documento)), ahora
    )


def _hechos(documento: Documento) -> Hechos:
    lic, derivado = documento.detalle, documento.derivado
    importe = derivado.importe_para_filtro
    return Hechos(
        objeto=lic.objeto or lic.titulo or "",
        importe=None if importe is None else Decimal(importe),
        cpv=lic.cpv,
        nuts=lic.nuts,
        tipo=lic.tipo,
        procedimiento=lic.procedimiento,
        tipo_registro=derivado.tipo_registro,
    )


def fallos(con: sqlite3.Connection) -> tuple[Fallo, ...]:
    """Every miss, those that nobody has looked at first."""
    return almacen.listar(con)


def atender(con: sqlite3.Connection, numero: int, persona: str, ahora: datetime) -> Fallo:
    """A person has seen to it, whether or not the profile was edited. Raises NoEncontrado or ErrorEntrada."""
    exigir_persona(persona)
    with transaccion(con):
        almacen.atender(con, numero, persona, ahora)
        fallo = almacen.leer(con, numero)
    if fallo is None:
        raise NoEncontrado(f"No hay ningún fallo {numero}: míralos con «sobre criba fallos».")
    return fallo
