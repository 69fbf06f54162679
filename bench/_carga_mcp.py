"""What the agents of the MCP benchmark ask for, the same whichever client asks it."""

from __future__ import annotations

import random

from nucleo.modelo import Modelo

CALENTAMIENTO = 3
"""First calls of each agent, while everything warms up: they do not count."""
TEXTOS = ("servicio", "obras", "suministro")


class Encargo(Modelo):
    """`url` of the endpoint, seconds that an agent thinks between calls, calls of each one that count."""

    url: str
    pausa_s: float
    llamadas: int
    tokens: tuple[str, ...]
    ids: tuple[str, ...]


def pedido(azar: random.Random, ids: tuple[str, ...]) -> tuple[str, dict[str, object]]:
    """A tool and its arguments."""
    una: dict[str, object] = {"id": azar.choice(ids)}
    buscar: dict[str, object] = {"texto": azar.choice(TEXTOS), "limite": 20}
    return azar.choice(
        (
            ("licitaciones_buscar", buscar),
            ("licitacion_ver", una),
            ("licitacion_versiones", una),
            ("licitacion_documentos", una),
        )
    )
