"""What an agent is, what one of its calls was, and the form of a permission."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from nucleo.modelo import Modelo

PERSONAL = "personal"
"""The permission for personal data (CVs)."""

Permiso = Annotated[str, StringConstraints(pattern=r"^((leer|proponer):[a-z][a-z_]{1,30}|personal)$")]
"""To read a domain, to propose in a domain, or personal data. There is none for approving: that is for people."""

NombreAgente = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{1,39}$")]


class Agente(Modelo):
    """An agent that may come in. `rotado` is when its present token was made, `visto` when it last came. UTC."""

    nombre: NombreAgente
    permisos: frozenset[Permiso]
    creado: datetime
    rotado: datetime | None = None
    revocado: datetime | None = None
    visto: datetime | None = None

    def puede(self, permiso: str) -> bool:
        """Whether it was given exactly that permission: none includes another."""
        return self.revocado is None and permiso in self.permisos


class Desenlace(StrEnum):
    """How a call ended."""

    BIEN = "bien"
    RECHAZO = "rechazo"
    """The tool said no (`ok: false`): wrong arguments, nothing found, a rule."""
    FALLO = "fallo"
    """The tool broke; the log says how."""
    SIN_PERMISO = "sin_permiso"
    DESCONOCIDA = "desconocida"


class Llamada(Modelo):
    """One call, as it is kept. `argumentos` is JSON without secrets nor personal data; `octetos` of the answer."""

    instante: datetime
    agente: str
    herramienta: str
    argumentos: str
    desenlace: Desenlace
    ms: float
    octetos: int = 0
    codigo: str | None = None
    nonce: Annotated[str | None, Field(repr=False)] = None


class FiltroLlamadas(Modelo):
    """Which calls are wanted, newest first; `texto` is looked for in tool and arguments, `hasta_id` pages on."""

    agente: str | None = None
    herramienta: str | None = None
    desenlace: Desenlace | None = None
    texto: str | None = None
    desde: datetime | None = None
    hasta: datetime | None = None
    """Calls before this instant."""
    hasta_id: int | None = None
    limite: Annotated[int, Field(ge=1, le=1000)] = 50
