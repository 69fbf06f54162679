"""Amounts, dates and remaining time as they are written in Spain; instants are shown in Europe/Madrid."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

from nucleo.reloj import MADRID

NO_CONSTA = "no consta"
_DIAS = ("lun", "mar", "mié", "jue", "vie", "sáb", "dom")
_MESES = ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic")


def importe(valor: Decimal | None) -> str:
    """1234567.8 → «1.234.567,80 €», with a no-break space; more decimals than two stay as published."""
    if valor is None:
        return NO_CONSTA
    exponente = valor.as_tuple().exponent
    decimales = max(2, -exponente) if isinstance(exponente, int) else 2
    ingles = f"{valor:,.{decimales}f}"
    return ingles.translate(str.maketrans(",.", ".,")) + "\N{NO-BREAK SPACE}€"


def entero(valor: int) -> str:
    """12345 → «12.345»."""
    return f"{valor:,}".replace(",", ".")


def fecha(instante: datetime) -> str:
    """«vie 19 dic 2026»."""
    local = instante.astimezone(MADRID)
    return f"{_DIAS[local.weekday()]} {local.day} {_MESES[local.month - 1]} {local.year}"


def fecha_hora(instante: datetime) -> str:
    """«vie 19 dic 2026, 14:00»."""
    return f"{fecha(instante)}, {instante.astimezone(MADRID):%H:%M}"


def plazo(instante: datetime, local: str | None) -> str:
    """A deadline: «vie 19 dic 2026, 14:00», or without the hour when the published text (`local`) has none."""
    if local is not None and "T" not in local:
        return f"{fecha(instante)}, sin hora"
    return fecha_hora(instante)


def fecha_publicada(iso: str | None) -> str:
    """«2026-12-19» → «19/12/2026»; anything else as it came."""
    if iso is None:
        return NO_CONSTA
    partes = iso[:10].split("-")
    return "/".join(reversed(partes)) if len(partes) == 3 else iso


def faltan(plazo: datetime, ahora: datetime) -> str:
    """How long until a deadline, by calendar days in Madrid when it is not near: «quedan 12 días», «cerró ayer»."""
    dias = (plazo.astimezone(MADRID).date() - ahora.astimezone(MADRID).date()).days
    if plazo <= ahora:
        pasados = {0: "cerró hoy", -1: "cerró ayer"}
        return pasados.get(dias, f"cerró hace {entero(-dias)} días")
    if dias == 0:
        return f"hoy, en {duracion(plazo - ahora)}"
    return "mañana" if dias == 1 else f"quedan {entero(dias)} días"


def duracion(lapso: timedelta) -> str:
    """«25 min», «7 h», «3 días»: the two ends of what a person wants to know of an age."""
    minutos = max(0, int(lapso.total_seconds() // 60))
    if minutos < 60:
        return f"{minutos} min"
    return f"{minutos // 60} h" if minutos < 48 * 60 else f"{minutos // 1440} días"
