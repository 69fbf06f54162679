"""How a rule answers: one constructor per effect, and the Spanish way of writing amounts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal

from dominios.licitaciones.prefiltro.modelo import DatosPrefiltro, Perfil, Regla

Criterio = Callable[[Perfil, DatosPrefiltro, datetime], Regla | None]
"""A rule: profile, tender, now (aware) → its answer, or None when it has nothing to say."""


def entra(nombre: str, detalle: str) -> Regla:
    """A reason to look at the tender."""
    return Regla(nombre=nombre, efecto="entra", detalle=detalle)


def fuera(nombre: str, detalle: str) -> Regla:
    """A reason to leave it out."""
    return Regla(nombre=nombre, efecto="fuera", detalle=detalle)


def neutral(nombre: str, detalle: str) -> Regla:
    """Looked at, decides nothing."""
    return Regla(nombre=nombre, efecto="neutral", detalle=detalle)


def en_euros(importe: Decimal) -> str:
    """1234567.5 → "1.234.567,50 €"."""
    return f"{importe:,.2f} €".translate(str.maketrans(",.", ".,"))
