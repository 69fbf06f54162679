"""The template `oferta@1`: from «interesa» to the receipt of the submission, in 39 steps."""

from __future__ import annotations

from dominios.licitaciones.oferta.plantilla import decision, ficha, memoria, preparacion, presentacion
from nucleo.recorridos.plan import Plan

NOMBRE = "oferta@1"

OFERTA = Plan(
    titulo="Oferta",
    plantilla=NOMBRE,
    peticion="Preparar y presentar la oferta de esta licitación, o descartarla con su motivo.",
    descripcion="De los pliegos al justificante. Deciden personas: si se presenta, por cuánto y cuándo se envía.",
    contexto={"lotes": []},
    trabajos=(
        ficha.TRABAJO,
        decision.TRABAJO,
        preparacion.TRABAJO,
        memoria.TRABAJO,
        presentacion.COMPROBACIONES,
        presentacion.PRESENTACION,
    ),
    pasos=(
        *ficha.PASOS,
        *decision.PASOS,
        *preparacion.PASOS,
        *memoria.PASOS,
        *presentacion.PASOS,
    ),
)
