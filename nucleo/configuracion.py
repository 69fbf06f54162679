"""Every setting of an installation, from the environment (prefix SOBRE_). docs/configuracion.md lists them all."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from nucleo.errores import ErrorConfiguracion

FUENTES = ("643", "1044", "1143", "1383", "1403")


class Configuracion(BaseSettings):
    """Read once at start. Durations say their unit in the name."""

    model_config = SettingsConfigDict(env_prefix="SOBRE_", frozen=True, extra="ignore")

    datos: Annotated[Path, Field(description="Carpeta con todo el estado de la instalación")] = Path("datos")
    puerto: Annotated[int, Field(ge=1, le=65535, description="Puerto único de la web")] = 8080
    fuentes: Annotated[
        tuple[str, ...], NoDecode, Field(description="Conjuntos de PLACSP que se leen, separados por comas")
    ] = ("643", "1044", "1143", "1383", "1403")


@lru_cache(maxsize=1)
def configuracion() -> Configuracion:
    """The settings of this process. Raises ErrorConfiguracion naming the variable that is wrong."""
    try:
        return Configuracion()
    except ValidationError as error:
        primero = error.errors()[0]
        variable = "SOBRE_" + "_".join(str(p) for p in primero["loc"]).upper()
        raise ErrorConfiguracion(f"{variable} no es válida: {primero['msg']}") from error
