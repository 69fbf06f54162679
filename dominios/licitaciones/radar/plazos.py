"""Until when an offer can be submitted: what was published, what it means, and what is doubtful about it."""

from __future__ import annotations

from datetime import time
from functools import lru_cache
from typing import NamedTuple

from dominios.licitaciones.radar.fechas import (
    comienzo_del_dia,
    fin_del_dia,
    instante_local,
    leer_fecha,
    leer_hora,
)
from dominios.licitaciones.radar.modelo import Licitacion, Plazo
from nucleo.reloj import a_micros

PROCEDIMIENTOS_CON_SOLICITUD = frozenset(("2", "3", "4", "5", "10", "13"))
"""Procedures in two phases, where asking to take part is the deadline that counts (ProcedureCode list)."""

ESTADOS_SIN_OFERTAS = frozenset(("PRE", "ADJ", "RES", "ANUL", "BORR", "CERR", "DES", "ANU", "CRE", "REA"))
"""Status codes in which nobody may submit an offer (prior notice, awarded, resolved, annulled, closed)."""

ADJUDICADOS = frozenset(("1", "2", "8", "9", "11"))

UN_ANIO = 365 * 24 * 3600 * 1_000_000
"""Microseconds. An open tender without a published deadline is taken for open no longer than this."""


class Cierre(NamedTuple):
    """`plazo`: the deadline to work to; `cierre`: until when somebody may still submit. Microseconds UTC or None."""

    plazo: int | None
    local: str | None
    cierre: int | None
    avisos: tuple[str, ...]


def calcular_cierre(lic: Licitacion, admite: bool, instante: int, anio: int) -> Cierre:
    """Deadline and closing of one version; `instante` and `anio` are those of its `updated`; `admite` as in
    `admite_ofertas`.

    Published deadlines are local and carry no zone: Europe/Madrid is assumed, and where the place of performance is
    in the Canaries (one hour less) that is said. 00:00:00 may mean either end of the day: the start, the safe
    reading, is taken. Without a time, work to the start of the day, but somebody may still submit until its end.
    """
    publicado = _plazo_que_cuenta(lic)
    plazo, fin, avisos = _leer(publicado.fecha, publicado.hora, anio) if publicado else (None, None, ())
    if plazo is not None and any(n.startswith("ES7") for n in lic.nuts):
        avisos = (*avisos, "plazo_hora_canaria")
    local = f"{publicado.fecha}T{publicado.hora}" if publicado and publicado.hora else None
    local = local or (publicado.fecha if publicado else None)
    if not admite:
        return Cierre(plazo, local, None, avisos)
    if lic.estado == "EV":
        if fin is None or fin <= instante:
            return Cierre(plazo, local, None, avisos)
        return Cierre(plazo, local, fin, (*avisos, "estado_contradice_plazo"))
    if fin is None:
        return Cierre(None, local, instante + UN_ANIO, (*avisos, "plazo_desconocido"))
    return Cierre(plazo, local, fin, avisos)


def _plazo_que_cuenta(lic: Licitacion) -> Plazo | None:
    if lic.consulta is not None and lic.consulta.fecha_limite:
        fecha, _, hora = lic.consulta.fecha_limite.partition("T")
        return Plazo(fecha=fecha, hora=hora or None)
    solicitud = lic.plazo_solicitudes
    if solicitud and solicitud.fecha and lic.procedimiento in PROCEDIMIENTOS_CON_SOLICITUD:
        return solicitud
    return lic.plazo_ofertas if lic.plazo_ofertas and lic.plazo_ofertas.fecha else solicitud


@lru_cache(maxsize=4096)
def _leer(
    publicada: str | None, hora_publicada: str | None, anio: int
) -> tuple[int | None, int | None, tuple[str, ...]]:
    """(deadline to work to, last moment to submit, flags)."""
    if publicada is None:
        return None, None, ()
    fecha = leer_fecha(publicada, anio)
    if fecha is None:
        return None, None, ("plazo_ilegible",)
    hora = leer_hora(hora_publicada)
    if hora is None:
        aviso = "plazo_ilegible" if hora_publicada else "plazo_sin_hora"
        return a_micros(comienzo_del_dia(fecha)), a_micros(fin_del_dia(fecha)), (aviso,)
    instante = a_micros(instante_local(fecha, hora))
    return instante, instante, ("plazo_a_medianoche",) if hora.replace(tzinfo=None) == time.min else ()


def admite_ofertas(lic: Licitacion, tipo_registro: str) -> bool:
    """Whether its kind and state leave room for offers, deadlines apart."""
    if tipo_registro == "encargo" or lic.estado in ESTADOS_SIN_OFERTAS:
        return False
    if tipo_registro == "menor":
        return not any(r.resultado in ADJUDICADOS for r in lic.resultados)
    return True
