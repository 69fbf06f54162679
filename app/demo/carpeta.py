"""Which folders belong to the demonstration, so that invented tenders never mix with real ones."""

from __future__ import annotations

import sys
from pathlib import Path

from nucleo.errores import ErrorEntrada

ORDEN = str(Path(sys.executable).with_name("sobre"))
"""How to call this very installation's command."""

SENAL = "demostracion.txt"
TEXTO = "Los datos de esta carpeta son de la demostración. Bórrala entera cuando no la necesites.\n"


def es_demostracion(datos: Path) -> bool:
    """Whether the folder was made by `sobre demo`."""
    return (datos / SENAL).is_file()


def reclamar(datos: Path) -> None:
    """Mark the folder as the demonstration's. Raises ErrorEntrada when it already holds other data."""
    if not es_demostracion(datos) and (datos / "licitaciones.db").exists():
        raise ErrorEntrada(
            f"En {datos} ya hay datos de verdad y la demostración no los toca: usa otra carpeta, por ejemplo"
            " «SOBRE_DATOS=datos/demo sobre demo»."
        )
    datos.mkdir(parents=True, exist_ok=True)
    (datos / SENAL).write_text(TEXTO, "utf-8")
