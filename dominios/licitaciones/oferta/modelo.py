"""What is inside the lists that checks leave."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from nucleo.modelo import Modelo

ClaveReparo = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_.-]{0,79}$")]


class Reparo(Modelo):
    """Something that a check found; `clave` tells it from the others of the same check."""

    clave: ClaveReparo
    mensaje: Annotated[str, Field(min_length=1, max_length=1_000)]
