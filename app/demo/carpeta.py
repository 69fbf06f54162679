"""Which folders belong to the demonstration, so that invented tenders never mix with real ones."""

from __future__ import annotations

import sys
from pathlib import Path

from nucleo.errores import ErrorEntrada

ORDEN = str(Path(sys.executable).with_name("sobre"))
"""How to call this very installation's command."""

SENAL = "demostracion.txt"
LEE = "Sale de: "
TEXTO = "Los datos de esta carpeta son de la demostración. Bórrala entera cuando no la necesites.\n"


def es_demostracion(datos: Path) -> bool:
    """Whether the folder was made by `sobre demo`."""
    return (datos / SENAL).is_file()


def rechazar_ajena(datos: Path) -> None:
    """Raises ErrorEntrada when the folder holds data that are not a demonstration's."""
    if not es_demostracion(datos) and (datos / "licitaciones.db").exists():
        raise ErrorEntrada(
            f"En {datos} ya hay datos de verdad y la demostración no los toca: usa otra carpeta, por ejemplo"
            " «SOBRE_DATOS=datos/demo sobre demo»."
        )
    datos.mkdir(parents=True, exist_ok=True)


def reclamar(datos: Path, que_lee: str) -> bool:
    """Mark the folder as the demonstration's; True when what it held came from elsewhere and was removed.

    Invented and real tenders never share a list: databases filled from another source go, being only a
    demonstration's. The caller holds the folder, so nobody has them open.
    """
    vaciada = _leia(datos) not in {None, que_lee}
    if vaciada:
        for base in datos.glob("*.db*"):
            base.unlink()
    (datos / SENAL).write_text(f"{TEXTO}{LEE}{que_lee}\n", "utf-8")
    return vaciada


def _leia(datos: Path) -> str | None:
    """What the demonstration in that folder was made from, or None when there is none that says so."""
    if not es_demostracion(datos):
        return None
    lineas = (datos / SENAL).read_text("utf-8").splitlines()
    return next((linea.removeprefix(LEE) for linea in lineas if linea.startswith(LEE)), None)
