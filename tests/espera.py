"""Waiting for a condition with a deadline, instead of sleeping and hoping."""

from __future__ import annotations

import time
from collections.abc import Callable


def esperar(
    condicion: Callable[[], bool], segundos: float, explicar: Callable[[], str] | None = None
) -> None:
    """Return as soon as it holds; fail with what `explicar` says when the time is over."""
    fin = time.monotonic() + segundos
    while not condicion():
        if time.monotonic() > fin:
            raise AssertionError(f"no ha ocurrido en {segundos} s: {explicar() if explicar else condicion}")
        time.sleep(0.05)
