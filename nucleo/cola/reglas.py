"""The queue's rules as pure functions: whose turn it is, why a job waits, when it is tried again, what stops a type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

from nucleo.cola.modelo import Ambito, Autor, Causa, Freno, Intento, Tipos, TipoTrabajo, Trabajo
from nucleo.cola.transiciones import Suceso
from nucleo.modelo import Modelo
from nucleo.reloj import MADRID

ESPERAS = (timedelta(minutes=2), timedelta(minutes=4), timedelta(minutes=8))
"""After the first, second and third failed attempt; the fourth is the last."""
EDAD = timedelta(hours=6)
"""Each of these that a job has waited counts as one class less, so whatever comes later does not starve it."""
FALLOS_SEGUIDOS = 3
FRENO_TIPO = timedelta(hours=6)
PAUSA_PROVEEDOR = timedelta(minutes=30)
PAUSA_PERFIL = timedelta(minutes=2)
"""After finding a profile's Hermes down, without our tools or with a key it refuses: look again then."""
SIN_PLAZO = datetime.max.replace(tzinfo=UTC)

DEVUELVEN = frozenset({Causa.LIMITE_PROVEEDOR, Causa.CREDENCIAL, Causa.SIN_HERRAMIENTAS, Causa.NO_LANZADO})
"""Ends that are no fault of the job's: it goes back to waiting and has spent nothing."""


class EstadoPerfil(Modelo):
    """A configured Hermes profile now. `motivo` None = fit for launching."""

    nombre: str
    proveedor: str
    motivo: str | None = None


class Topes(Modelo):
    """The most that may be spent in a day and in a month of Madrid; None = no limit."""

    dia: Decimal | None = None
    mes: Decimal | None = None


class Contexto(Modelo):
    """What the outside is like when a turn is given."""

    a_la_vez: int
    perfiles: tuple[EstadoPerfil, ...]
    topes: Topes = Topes()
    pausa_todo: bool = False
    """Whether a provider's 429 pauses the whole queue, not that provider alone."""

    def perfil(self, nombre: str) -> EstadoPerfil | None:
        """The profile of that name, if it is configured."""
        return next((p for p in self.perfiles if p.nombre == nombre), None)


class Gasto(Modelo):
    """Money of this day and month, and what the open attempts may be expected to add.

    `sin_peso`: attempts of this month whose cost nobody knows, nor any of their type: no limit counts them.
    """

    dia: Decimal = Decimal(0)
    mes: Decimal = Decimal(0)
    comprometido: Decimal = Decimal(0)
    sin_peso: int = 0


class Situacion(Modelo):
    """What the store says when a turn is given."""

    abiertos: int
    frenos: tuple[Freno, ...]
    gasto: Gasto = Gasto()
    esperados: Mapping[str, Decimal] = {}
    """Type → what one more attempt may cost."""


class Turno(NamedTuple):
    """What decides when a waiting job goes."""

    id: int
    clase: int
    vence: datetime | None
    desde: datetime


def orden(turno: Turno, ahora: datetime) -> tuple[int, datetime, datetime, int]:
    """The smaller goes first: class less its age, then nearest deadline still to come, then oldest."""
    clase = turno.clase - (ahora - turno.desde) // EDAD
    plazo = turno.vence if turno.vence is not None and turno.vence > ahora else SIN_PLAZO
    return clase, plazo, turno.desde, turno.id


def motivo_espera(
    trabajo: Trabajo, tipos: Tipos, contexto: Contexto, situacion: Situacion, ahora: datetime
) -> str | None:
    """Why a pending job does not start now, in a sentence; None when it may."""
    if trabajo.no_antes > ahora:
        return f"Se reintenta a las {_hora(trabajo.no_antes, ahora)}."
    tipo = tipos.get(trabajo.tipo)
    if tipo is None:
        return f"Nadie sabe hacer trabajos de tipo «{trabajo.tipo}» en esta versión."
    return motivo_tipo(tipo, contexto, situacion, ahora) or sin_sitio(situacion.abiertos, contexto.a_la_vez)


def motivo_tipo(tipo: TipoTrabajo, contexto: Contexto, situacion: Situacion, ahora: datetime) -> str | None:
    """Why no job of that type starts now, leaving room aside; None when they may."""
    perfil = contexto.perfil(tipo.perfil)
    if perfil is None:
        return (
            f"No hay un Hermes configurado para el perfil «{tipo.perfil}»: di dónde está con SOBRE_HERMES"
            " (docs/hermes.md)."
        )
    return (
        _freno(tipo, perfil, situacion.frenos, ahora)
        or perfil.motivo
        or _sin_dinero(situacion.gasto, situacion.esperados.get(tipo.nombre, Decimal(0)), contexto.topes)
    )


def _freno(tipo: TipoTrabajo, perfil: EstadoPerfil, frenos: Iterable[Freno], ahora: datetime) -> str | None:
    afectan = {
        (Ambito.COLA, ""),
        (Ambito.PROVEEDOR, perfil.proveedor),
        (Ambito.PERFIL, perfil.nombre),
        (Ambito.TIPO, tipo.nombre),
    }
    for freno in frenos:
        if (freno.ambito, freno.nombre) in afectan and freno.vigente(ahora):
            hasta = f" Hasta {_hora(freno.hasta, ahora)}." if freno.hasta else ""
            return freno.motivo + hasta
    return None


def _sin_dinero(gasto: Gasto, esperado: Decimal, topes: Topes) -> str | None:
    """Not one attempt more when the limit is reached, or when what one may cost would go over it."""
    for tope, gastado, cual in ((topes.dia, gasto.dia, "del día"), (topes.mes, gasto.mes, "del mes")):
        previsto = gastado + gasto.comprometido
        if tope is not None and (previsto >= tope or previsto + esperado > tope):
            return f"No cabe en el tope de gasto {cual} ({tope}): van {gastado}."
    return None


def aviso_de_gasto(gasto: Gasto, topes: Topes) -> str | None:
    """Why a limit of money may not hold; None when there is none, or every cost is known or expected."""
    if not gasto.sin_peso or (topes.dia is None and topes.mes is None):
        return None
    return (
        f"El tope de gasto no cuenta {gasto.sin_peso} intentos de este mes: no se sabe el precio de su modelo."
        " Ponlo en el fichero de SOBRE_HERMES (docs/hermes.md)."
    )


def sin_sitio(abiertos: int, a_la_vez: int) -> str | None:
    """Why nothing starts when as many as may run at once do."""
    return f"Ya hay {abiertos} en marcha, los que caben a la vez." if abiertos >= a_la_vez else None


def _hora(instante: datetime, ahora: datetime) -> str:
    local = instante.astimezone(MADRID)
    return f"{local:%H:%M}" if local.date() == ahora.astimezone(MADRID).date() else f"{local:%d/%m/%Y %H:%M}"


class Cierre(Modelo):
    """What closing an attempt does to its job."""

    suceso: Suceso
    no_antes: datetime


def cierre(causa: Causa, hecho: bool, gastados: int, ahora: datetime) -> Cierre:
    """The end of an attempt: a result that is there counts whatever the run ended like.

    `gastados` = failed attempts before this one.
    """
    if hecho:
        return Cierre(suceso=Suceso.ACABAR, no_antes=ahora)
    if causa in DEVUELVEN:
        return Cierre(suceso=Suceso.DEVOLVER, no_antes=ahora)
    if gastados >= len(ESPERAS):
        return Cierre(suceso=Suceso.AGOTAR, no_antes=ahora)
    return Cierre(suceso=Suceso.FALLAR, no_antes=ahora + ESPERAS[gastados])


def freno_por_causa(causa: Causa, perfil: EstadoPerfil, pausa_todo: bool, ahora: datetime) -> Freno | None:
    """The pause that an end asks for, whether or not the result was there."""
    match causa:
        case Causa.LIMITE_PROVEEDOR:
            ambito = Ambito.COLA if pausa_todo else Ambito.PROVEEDOR
            motivo = f"El proveedor «{perfil.proveedor}» ha llegado a su límite (429)."
            nombre, dura = "" if pausa_todo else perfil.proveedor, PAUSA_PROVEEDOR
        case Causa.CREDENCIAL:
            motivo = f"El proveedor rechaza la credencial o el pago del perfil «{perfil.nombre}»: revísalo en Hermes."
            ambito, nombre, dura = Ambito.PERFIL, perfil.nombre, PAUSA_PROVEEDOR
        case Causa.SIN_HERRAMIENTAS:
            motivo = f"El Hermes del perfil «{perfil.nombre}» ha perdido nuestras herramientas: reinícialo."
            ambito, nombre, dura = Ambito.PERFIL, perfil.nombre, PAUSA_PERFIL
        case _:
            return None
    return Freno(
        ambito=ambito, nombre=nombre, autor=Autor.REGLA, desde=ahora, hasta=ahora + dura, motivo=motivo
    )


def freno_por_fallos(tipo: str, trabajos_fallidos: Iterable[int], ahora: datetime) -> Freno | None:
    """Three jobs of a type failed in a row (their last attempts, with no success in between): it stops six hours.

    One job alone does not stop its type, however often it fails: its own retries have an end.
    """
    if len(set(trabajos_fallidos)) < FALLOS_SEGUIDOS:
        return None
    return Freno(
        ambito=Ambito.TIPO,
        nombre=tipo,
        autor=Autor.REGLA,
        desde=ahora,
        hasta=ahora + FRENO_TIPO,
        motivo=f"Han fallado {FALLOS_SEGUIDOS} trabajos seguidos de tipo «{tipo}».",
    )


def motivo_de_muerte(intento: Intento, tipo: TipoTrabajo, ahora: datetime) -> Causa | None:
    """Why its run must be ended now: too long without a tool call, or too long in all; None while it is well."""
    if ahora - intento.actividad >= timedelta(seconds=tipo.sin_herramientas_s):
        return Causa.SIN_ACTIVIDAD
    if intento.lanzado is not None and ahora - intento.lanzado >= timedelta(seconds=tipo.limite_s):
        return Causa.TOPE_TIEMPO
    return None


def coste_esperado(costes: Iterable[Decimal]) -> Decimal:
    """What one more attempt may cost: the dearest of the latest known ones, 0 when none is known."""
    return max(costes, default=Decimal(0))


def inicio_del_dia(ahora: datetime) -> datetime:
    """Midnight of Madrid."""
    return ahora.astimezone(MADRID).replace(hour=0, minute=0, second=0, microsecond=0)


def inicio_del_mes(ahora: datetime) -> datetime:
    """Midnight of the first day of the month in Madrid."""
    return inicio_del_dia(ahora).replace(day=1)
