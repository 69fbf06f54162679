"""What the prefilter works with: the profile a person writes, what it needs to know of a tender, and its answer."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from typing import Literal

from pydantic import BaseModel, ConfigDict

from dominios.licitaciones.prefiltro.campos import (
    Dias,
    Fuentes,
    Procedimientos,
    Terminos,
    Tipos,
    TiposRegistro,
)
from nucleo.campos import Booleano, Euros, Ramas, Regiones, Texto


class Modelo(BaseModel):
    """Strict, frozen, closed: what is not declared is not accepted."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class RamasCpv(Modelo):
    """CPV branches; a code follows the longest branch it hangs from, whichever list that is in."""

    incluir: Ramas = ()
    excluir: Ramas = ()


class Importes(Modelo):
    """Euros without tax, both ends included."""

    minimo: Euros | None = None
    maximo: Euros | None = None


class Organos(Modelo):
    """Buyers, by NIF or by words of their name."""

    seguir: Terminos = ()
    excluir: Terminos = ()


class Perfil(Modelo):
    """What a company wants to see. Every empty list means "whatever"."""

    nombre: Texto
    cpv: RamasCpv = RamasCpv()
    palabras: Terminos = ()
    marcas: Terminos = ()
    palabras_excluidas: Terminos = ()
    estricta: Booleano = False
    organos: Organos = Organos()
    importes: Importes = Importes()
    regiones: Regiones = ()
    tipos: Tipos = ()
    procedimientos: Procedimientos = ()
    tipos_registro: TiposRegistro = ("licitacion", "menor", "consulta")
    plazo_minimo_dias: Dias = 0
    fuentes: Fuentes = ()

    @property
    def huella(self) -> str:
        """32 hex digits that change when any criterion does (the name is none)."""
        return sha256(self.model_dump_json(exclude={"nombre"}).encode()).hexdigest()[:32]

    @property
    def busca_algo(self) -> bool:
        """Whether some criterion can let a tender in; without any the profile could only reject."""
        return bool(self.cpv.incluir or self.palabras or self.marcas or self.organos.seguir)


class DatosPrefiltro(Modelo):
    """What is known of a tender; None or () is "not published". Texts are as `nucleo.texto.raices` leaves them."""

    fuente: str
    tipo_registro: str
    tipo: str | None
    procedimiento: str | None
    importe: Decimal | None  # euros without tax
    n_lotes: int
    cpv: tuple[str, ...]
    nuts: tuple[str, ...]
    plazo: datetime | None
    objeto: str
    lotes: str
    organo: str
    organo_nif: str | None


class Regla(Modelo):
    """What one criterion said of one tender, in a Spanish sentence for people."""

    nombre: str
    efecto: Literal["entra", "fuera", "neutral"]
    detalle: str


class Decision(Modelo):
    """The answer, with every rule that had something to say."""

    dentro: bool
    reglas: tuple[Regla, ...]
