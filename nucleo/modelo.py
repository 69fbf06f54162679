"""The model that every room's models come from: strict, frozen, closed."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Modelo(BaseModel):
    """What is not declared is not accepted, types are not guessed, nothing changes after it is made."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")
