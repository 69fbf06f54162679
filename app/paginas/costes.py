"""What groups of attempts have used and cost, as a table; what is not known is said, not counted as nothing."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import streamlit as st

from app.piezas import formato
from app.piezas.tablas import tabla
from app.piezas.texto import neutralizar
from nucleo.cola.gasto.almacen import Suma


def tabla_de_costes(sumas: Sequence[Suma], moneda: str) -> None:
    """The dearest first."""
    if not sumas:
        st.markdown("Aún no hay nada que contar.")
        return
    tabla(
        (
            "De qué",
            f"Coste ({moneda})",
            "Con resultado",
            "Tokens de entrada",
            "De salida",
            "Llamadas",
            "Sin saber",
        ),
        (
            (
                neutralizar(s.grupo, 120) or "modelo desconocido",
                dinero(s.coste, 4),
                f"{s.hechos} de {s.intentos}",
                formato.entero(s.entrada + s.cache_leida),
                formato.entero(s.salida),
                formato.entero(s.llamadas),
                _sin_saber(s),
            )
            for s in sumas
        ),
    )


def dinero(valor: Decimal, decimales: int) -> str:
    """1234.5 → «1234,5000», without its currency."""
    return f"{valor:.{decimales}f}".replace(".", ",")


def _sin_saber(suma: Suma) -> str:
    partes = [f"{suma.sin_coste} sin coste"] if suma.sin_coste else []
    partes += [f"{suma.incompletas} incompletas"] if suma.incompletas else []
    return ", ".join(partes) or "—"
