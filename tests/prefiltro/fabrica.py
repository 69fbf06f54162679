"""Profiles and tenders for the prefilter's tests: neutral ones, to change one thing at a time."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from dominios.licitaciones.prefiltro.modelo import DatosPrefiltro, Decision, Perfil
from dominios.licitaciones.prefiltro.perfil import interpretar_perfil
from nucleo.texto import raices

AHORA = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

DATOS = DatosPrefiltro(
    fuente="643",
    tipo_registro="licitacion",
    tipo="2",
    procedimiento="1",
    importe=Decimal(50_000),
    n_lotes=0,
    cpv=("72267000",),
    nuts=("ES617",),
    plazo=datetime(2026, 3, 20, 13, 0, tzinfo=UTC),
    objeto=raices("Servicio de mantenimiento de equipos informáticos"),
    lotes="",
    organo=raices("Ayuntamiento de Villaficticia"),
    organo_nif="P1234567D",
)


def perfil(yaml: str = "cpv: {incluir: [72]}") -> Perfil:
    """A profile with these fields and a name."""
    return interpretar_perfil(f"nombre: Empresa Ficticia, S.L.\n{yaml}\n")


def efecto(decision: Decision, nombre: str) -> str | None:
    """What the rule of that name did, or None when it said nothing."""
    return next((r.efecto for r in decision.reglas if r.nombre == nombre), None)


def detalle(decision: Decision, nombre: str) -> str:
    """The sentence of the rule of that name."""
    return next(r.detalle for r in decision.reglas if r.nombre == nombre)
