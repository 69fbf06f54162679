"""What the stand-in knows how to do, in order of preference."""

from __future__ import annotations

from app.hermes.agente import Guion
from app.hermes.criba import CRIBA

GUIONES: tuple[Guion, ...] = (CRIBA,)
