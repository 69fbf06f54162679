"""What the demonstration reads: the bundled sample, a folder of pages, or the head of a feed (SOBRE_DEMO_FEED)."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from dominios.licitaciones.radar.sincronizar.fuentes import CONJUNTOS
from nucleo.errores import ErrorConfiguracion

VARIABLE = "SOBRE_DEMO_FEED"
EXTENSIONES = (".atom", ".xml", ".gz", ".zip")


class Origen(BaseModel):
    """`ficheros` only for a folder, `url` and `fuente` only for a head."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    clase: Literal["muestra", "carpeta", "url"]
    ficheros: tuple[Path, ...] = ()
    url: str = ""
    fuente: str = "643"

    @property
    def nombre(self) -> str:
        """What it is, in a line that tells one origin from another."""
        if self.clase == "muestra":
            return "la muestra incluida"
        return self.url or f"{len(self.ficheros)} ficheros, el primero {self.ficheros[0].resolve()}"


def elegir_origen(valor: str | None) -> Origen:
    """Raises ErrorConfiguracion when the folder does not exist or holds no page."""
    if not valor:
        return Origen(clase="muestra")
    if valor.startswith(("http://", "https://")):
        return Origen(clase="url", url=valor, fuente=_fuente_de(valor))
    carpeta = Path(valor).expanduser()
    ficheros = tuple(sorted(f for f in carpeta.rglob("*") if f.is_file() and f.suffix in EXTENSIONES))
    if not ficheros:
        raise ErrorConfiguracion(
            f"{VARIABLE}={valor}: ahí no hay páginas; se espera una carpeta con ficheros"
            f" {', '.join(EXTENSIONES)}, o la URL de una cabecera."
        )
    return Origen(clase="carpeta", ficheros=ficheros)


def _fuente_de(url: str) -> str:
    """The dataset whose head is called like this one; 643 for a name of somebody's own."""
    nombre = url.rsplit("/", 1)[-1]
    return next((f for f, c in CONJUNTOS.items() if c.camino.endswith(f"/{nombre}")), "643")
